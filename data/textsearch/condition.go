package textsearch

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
)

// Condition is one condition on rows. One of its fields is set, of which one value has to
// hold, or none of them if Not is set.
type Condition struct {
	Not           bool
	Conversations []int64
	Roles         []string
	Kinds         []string // Of a summary: summary, leaf or condensed.
	Times         []TimeRange
	Depths        [][2]int64 // From and to, both included.
	Tools         []string   // Names of tools, whatever their case, or RecallTools.
	FileNames     []string   // Substrings of names of files, whatever their case.
	Under         []string   // Summaries: only what they were made of, at any depth.
	Messages      []int64
	Summaries     []string
	Files         []string // Ids of large files.
	Has           []Property
	Contains      []string // Of a summary: substrings of its text.
	Models        []string // Of a summary: who made it.
	Recalled      bool     // Of a message: it only repeats what an agent recalled.
}

// TimeRange is a range of time from From until before Until; a zero time is no limit.
type TimeRange struct{ From, Until time.Time }

// Property is something that a message or summary may have.
type Property string

// The properties.
const (
	HasFile  Property = "file"  // A large file, or a part that is a file.
	HasError Property = "error" // A tool that failed.
	HasParts Property = "parts"
)

// where is SQL and its arguments.
type where struct {
	sql  []string
	args []any
}

// and adds a condition.
func (w *where) and(sql string, args ...any) {
	w.sql = append(w.sql, sql)
	w.args = append(w.args, args...)
}

// anyOf adds that one of these holds; without any nothing does.
func (w *where) anyOf(not bool, parts ...where) {
	var sql []string
	for _, p := range parts {
		sql = append(sql, "("+p.String()+")")
		w.args = append(w.args, p.args...)
	}
	text := "0"
	if len(sql) > 0 {
		text = joined(sql, " OR ")
	}
	if not {
		text = "NOT coalesce(" + text + ", 0)"
	}
	w.sql = append(w.sql, "("+text+")")
}

// String returns the condition as SQL.
func (w where) String() string {
	if len(w.sql) == 0 {
		return "1"
	}
	return joined(w.sql, " AND ")
}

// mostInRow is how many conditions stand in a row: SQLite refuses an expression that is more
// than 1,000 deep, and each one behind another is one deeper.
const mostInRow = 100

// joined returns conditions with an operator between them, in groups where there are many.
func joined(sql []string, operator string) string {
	if len(sql) <= mostInRow {
		return strings.Join(sql, operator)
	}
	var groups []string
	for group := range slices.Chunk(sql, mostInRow) {
		groups = append(groups, "("+strings.Join(group, operator)+")")
	}
	return joined(groups, operator)
}

// mostPattern is how long a pattern of LIKE may be, in bytes.
const mostPattern = 50_000

var likeEscaper = strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`)

// contains adds that an expression contains a text, in letters of ASCII whatever their case.
func (w *where) contains(expr, text string) {
	if pattern := "%" + likeEscaper.Replace(text) + "%"; len(pattern) <= mostPattern {
		w.and(expr+` LIKE ? ESCAPE '\'`, pattern)
		return
	}
	w.and("instr(lower("+expr+"), lower(?)) > 0", text)
}

// times returns a condition that an expression, which is a time as hosts write them, lies in one of
// these ranges.
func times(expr string, ranges []TimeRange) (out []where) {
	for _, r := range ranges {
		var w where
		if !r.From.IsZero() {
			w.and("julianday("+expr+") >= julianday(?)", data.FormatTimeMillis(r.From))
		}
		if !r.Until.IsZero() {
			w.and("julianday("+expr+") < julianday(?)", data.FormatTimeMillis(r.Until))
		}
		out = append(out, w)
	}
	return out
}

// in returns a condition that an expression is one of these values.
func in[T any](expr string, values []T) (w where) {
	if len(values) > maxMarks {
		list, _ := json.Marshal(values) // They are numbers or texts.
		w.and(expr+" IN (SELECT value FROM json_each(?))", string(list))
		return w
	}
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = v
	}
	w.and(expr+" IN ("+marks(len(values))+")", args...)
	return w
}

// marks returns n parameter marks.
func marks(n int) string { return strings.TrimSuffix(strings.Repeat("?,", n), ",") }
