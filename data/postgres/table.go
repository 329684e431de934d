package postgres

import (
	"slices"
	"strconv"
	"strings"
)

// Kind is what a column of the replica holds.
type Kind string

// The kinds of columns. A column of a kind that can't hold every text has a second one beside it, whose name ends with
// RawEnd: the text where it isn't of the usual form, else NULL.
const (
	KindText    Kind = "text"
	KindInteger Kind = "integer"
	KindReal    Kind = "real"
	KindBoolean Kind = "boolean" // A whole number in the file: 0 or 1.
	KindEnum    Kind = "enum"    // An enum of the server; what it doesn't know is 'other', with its text beside it.
	KindInstant Kind = "instant" // A time as hosts write it: 2006-01-02 15:04:05, in UTC.
	KindMillis  Kind = "millis"  // A time as hosts write it: 2006-01-02T15:04:05.000Z.
)

// RawEnd ends the name of the column that has the text of an instant or an enum of an unusual form.
const RawEnd = "_raw"

// otherValue is the value of an enum for texts that it doesn't know.
const otherValue = "other"

// Column is one column of a table of the replica.
type Column struct {
	Name string // As in the file.
	Kind Kind
	Enum string // The name of the server's type for KindEnum.
}

// Table is one table of the format and of the replica. It has the same name in both.
type Table struct {
	Name    string
	Key     []string // The columns by which a row is known within its file.
	Columns []Column // As the newest known file has them.
}

// enumValues are the values of the server's enums. Each has otherValue, too.
var enumValues = map[string][]string{
	"message_role": {"system", "user", "assistant", "tool"},
	"part_type": {
		"text", "reasoning", "tool", "patch", "file", "subtask", "compaction", "step_start", "step_finish", "snapshot", "agent", "retry",
	},
	"summary_kind": {"leaf", "condensed"},
	"item_type":    {"message", "summary"},
}

// Tables are the tables of the replica that have rows of files, in the order in which they are copied.
var Tables = slices.Concat(coreTables, stateTables)

// TableOf returns the description of a table; ok is false where its rows are images in other_rows.
func TableOf(name string) (t Table, ok bool) {
	i := slices.IndexFunc(Tables, func(t Table) bool { return t.Name == name })
	if i < 0 {
		return t, false
	}
	return Tables[i], true
}

// Column returns the description of a column; ok is false where the replica has none.
func (t Table) Column(name string) (c Column, ok bool) {
	i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		return c, false
	}
	return t.Columns[i], true
}

// HasRaw reports whether a column of raw texts stands beside it.
func (c *Column) HasRaw() bool {
	return c.Kind == KindEnum || c.Kind == KindInstant || c.Kind == KindMillis
}

// words splits a list.
func words(list string) []string { return strings.Fields(list) }

// columns reads a list of columns: a name is of text, else its kind stands after a colon, and for an enum its type
// after another.
func columns(list string) (out []Column) {
	for _, word := range words(list) {
		name, kind, _ := strings.Cut(word, ":")
		kind, enum, _ := strings.Cut(kind, ":")
		if kind == "" {
			kind = string(KindText)
		}
		out = append(out, Column{Name: name, Kind: Kind(kind), Enum: enum})
	}
	return out
}

// The columns that every table of the replica has before those of the file.
const (
	sourceColumn = "source_id"
	groupColumn  = "sync_group"
)

// CopyColumns returns the columns of the server's table in the order of the values that Row.Values has.
func (t Table) CopyColumns() []string {
	out := []string{sourceColumn, groupColumn}
	for i := range t.Columns {
		c := &t.Columns[i]
		out = append(out, c.Name)
		if c.HasRaw() {
			out = append(out, c.Name+RawEnd)
		}
	}
	return out
}

// Subquery returns a query in parentheses with the rows of one source, as SQL of PostgreSQL: the columns have the
// names, values and types of the file's, as far as they can be held. It stands in the place of the table's name, and needs
// no parameter, no setting and no function of the server. Cells that the column can't hold exactly are what Encode
// makes of them; their exact values are in odd_cells.
func (t Table) Subquery(source int64) string {
	var b strings.Builder
	b.WriteString("(SELECT ")
	for i := range t.Columns {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(t.Columns[i].Expression())
	}
	return b.String() + " FROM lcm." + t.Name + " WHERE " + sourceColumn + " = " + strconv.FormatInt(source, 10) + ")"
}

// SourceTable returns the subquery of the table with this name; ok is false where the replica has no such table.
func SourceTable(name string, source int64) (subquery string, ok bool) {
	t, ok := TableOf(name)
	if !ok {
		return "", false
	}
	return t.Subquery(source), true
}

// Expression returns what reads the column as the file has it, under its name.
func (c *Column) Expression() string {
	name := `"` + c.Name + `"`
	raw := `"` + c.Name + RawEnd + `"`
	switch c.Kind {
	case KindBoolean:
		return name + "::integer::bigint AS " + name
	case KindEnum:
		return "coalesce(" + raw + ", " + name + "::text) AS " + name
	case KindInstant:
		return "coalesce(" + raw + ", to_char(" + name + " AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')) AS " + name
	case KindMillis:
		return "coalesce(" + raw + ", to_char(" + name + ` AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS ` + name
	}
	return name
}

// readableImage is an image in which the sign of a NUL character stands in the place of its escape: no text of the server can hold one, and
// reading any text of such a JSON would fail.
var readableImage = "(SELECT CASE strpos(image::text, " + quoteLiteral(`\u0000`) + ") WHEN 0 THEN image ELSE regexp_replace(image::text, " +
	quoteLiteral(`(?<!\\)((?:\\\\)*)\\u0000`) + ", " + quoteLiteral(`\1`+nulSign) + ", 'g')::json END AS readable)"

// OtherTable returns a subquery as Subquery does, for a table whose rows are images in other_rows, with these columns
// of the file. A BLOB reads as NULL.
func OtherTable(table string, source int64, columns []FileColumn) string {
	var b strings.Builder
	b.WriteString("(SELECT ")
	for i, c := range columns {
		if i > 0 {
			b.WriteString(", ")
		}
		cell := "readable->" + quoteLiteral(c.Name)
		text := "readable->>" + quoteLiteral(c.Name)
		if c.Number {
			b.WriteString("CASE json_typeof(" + cell + ") WHEN 'number' THEN (" + text + ")::bigint WHEN 'object' THEN (" + cell + "->>'$real')::double precision::bigint END")
		} else {
			b.WriteString("CASE json_typeof(" + cell + ") WHEN 'object' THEN " + cell + "->>'$real' ELSE " + text + " END")
		}
		b.WriteString(" AS " + quoteIdentifier(c.Name))
	}
	return b.String() + " FROM lcm.other_rows CROSS JOIN LATERAL " + readableImage + " AS images WHERE source_id = " + strconv.FormatInt(source, 10) + " AND table_name = " + quoteLiteral(table) + ")"
}

// FileColumn is a column of a table as a file has it. The column tables of lcm.sources has them as JSON.
type FileColumn struct {
	Name     string `json:"name"`
	Required bool   `json:"required,omitempty"` // NOT NULL without a default.
	Key      int    `json:"key,omitempty"`      // The place in the primary key, from 1, or 0.
	Number   bool   `json:"number,omitempty"`   // Declared as an integer or a floating-point number.
}

// FileTable is a table as a file has it.
type FileTable struct {
	Columns []FileColumn `json:"columns"` // In the table's own order.
	RowID   bool         `json:"rowid,omitempty"`
}

// quoteIdentifier returns a name as an identifier of PostgreSQL.
func quoteIdentifier(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// quoteLiteral returns a text as a literal of PostgreSQL, whatever standard_conforming_strings says.
func quoteLiteral(text string) string {
	quoted := "'" + strings.ReplaceAll(text, "'", "''") + "'"
	if strings.Contains(text, `\`) {
		return " E" + strings.ReplaceAll(quoted, `\`, `\\`)
	}
	return quoted
}
