package filepair

import (
	"slices"
	"strings"

	"lcm-tui/data"
)

// Table is a table that both files have, and how its rows are compared.
type Table struct {
	Name string
	// Key are the columns that name a row, and Columns those that are compared: the other columns
	// that both files have.
	Key, Columns []string
	// parent is the table by which a row belongs to a conversation, through the column of the same
	// key; empty where the row names it itself, or belongs to the file.
	parent, parentKey string
	own               bool // It has a column conversation_id.
	marks             []mark
}

// OfFile reports whether rows of the table belong to no conversation.
func (t Table) OfFile() bool { return !t.own && t.parent == "" }

// The names by which rows refer to rows.
var references = map[string]string{
	"conversation_id": "conversations", "message_id": "messages", "summary_id": "summaries",
	"parent_summary_id": "summaries", "canonical_summary_id": "summaries", "child_summary_id": "summaries",
}

// keys are the columns that name a row where the primary key isn't what is wanted: a part by its
// place, because both files may have made its id; a row that may move to another conversation is
// another row there.
var keys = map[string]string{
	"messages":      "message_id conversation_id",
	"message_parts": "message_id ordinal",
	"summaries":     "summary_id conversation_id",
	"large_files":   "file_id conversation_id",
	"focus_briefs":  "brief_id conversation_id",
}

// parents are the tables by whose rows others belong to a conversation, by the column that names
// the row.
var parents = []struct{ column, table string }{
	{"message_id", "messages"},
	{"summary_id", "summaries"},
	{"brief_id", "focus_briefs"},
	{"batch_id", data.PendingBatchTable},
	{"node_id", data.PendingNodeTable},
}

// generated are columns that every writer fills in its own way: they don't tell rows of different
// lineages apart.
var generated = map[string]string{
	"message_parts": "part_id session_id",
	"conversations": "conversation_id",
}

// firstTables is the order in which tables are compared; others follow by name.
var firstTables = words("conversations messages message_parts summaries summary_messages summary_parents context_items large_files")

// Kinds of tables that are compared only on request.
const (
	ownPrefix    = "lcm_tui_"
	sqlitePrefix = "sqlite_"
)

// Tables returns the tables that can be compared, in order. search and own add the contents of the
// search tables, and the tables of this program.
func (p *Pair) Tables(search, own bool) (out []Table) {
	names := slices.Clone(firstTables)
	for _, n := range p.sides[Before].Schema().Tables() {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	for _, name := range names {
		if isOwn := strings.HasPrefix(name, ownPrefix); isOwn && !own || strings.HasPrefix(name, sqlitePrefix) || !p.has(name) {
			continue
		}
		if t, ok := p.table(name); ok && (search || !isSearch(name)) {
			out = append(out, t)
		}
	}
	return out
}

// isSearch reports whether a table holds the texts of a search table.
func isSearch(name string) bool { return searchContent[name] != "" }

// searchContent are the tables in which search tables keep what they index, and the column that
// names the row.
var searchContent = map[string]string{
	"messages_fts_content": "id", "summaries_fts_content": "c0", "summaries_fts_cjk_content": "c0",
}

// table says how a table is compared; not ok where its rows have no name in both files, or where
// it is the inside of a search table.
func (p *Pair) table(name string) (t Table, ok bool) {
	common := p.common(name)
	t = Table{Name: name, Key: p.key(name), marks: p.marksOf(name, common)}
	if len(t.Key) == 0 || !p.has(name, t.Key...) || isShadow(name) && !isSearch(name) {
		return t, false
	}
	if isSearch(name) && p.Lineage == ByMeaning {
		return t, false // Row numbers and ids differ anyway.
	}
	t.own = slices.Contains(common, "conversation_id")
	for _, parent := range parents {
		if !t.own && t.parent == "" && slices.Contains(common, parent.column) && p.has(parent.table, parent.column, "conversation_id") {
			t.parent, t.parentKey = parent.table, parent.column
		}
	}
	left := ""
	if p.Lineage == ByMeaning {
		left = generated[name]
	}
	for _, c := range common {
		if !slices.Contains(t.Key, c) && !slices.Contains(words(left), c) && !(isSearch(name) && c == "id") {
			t.Columns = append(t.Columns, c)
		}
	}
	return t, true
}

// key returns the columns that name a row of a table in both files.
func (p *Pair) key(name string) []string {
	if key := words(keys[name]); len(key) > 0 && p.has(name, key...) {
		return key
	}
	if column := searchContent[name]; column != "" {
		return []string{column}
	}
	return p.sides[Before].Schema().Key(name)
}

// isShadow reports whether a table is the inside of a search table.
func isShadow(name string) bool {
	for _, ending := range words("_data _idx _content _docsize _config") {
		if table, ok := strings.CutSuffix(name, ending); ok && strings.Contains(table, "_fts") {
			return true
		}
	}
	return false
}

// Uncompared returns the tables, and the columns as table.column, that only one file has or whose rows
// can't be found in the other, by side.
func (p *Pair) Uncompared() (out [2][]string) {
	for _, s := range []Side{Before, After} {
		own, others := p.sides[s].Schema(), p.sides[s.other()].Schema()
		for _, table := range own.Tables() {
			if isShadow(table) || strings.HasPrefix(table, ownPrefix) || strings.HasPrefix(table, sqlitePrefix) {
				continue
			}
			if _, ok := p.table(table); !others.Has(table) || !ok {
				out[s] = append(out[s], table)
				continue
			}
			for _, c := range own.Columns(table) {
				if !others.Has(table, c) {
					out[s] = append(out[s], table+"."+c)
				}
			}
		}
	}
	return out
}
