package data

import (
	"context"
	"slices"
	"strings"
)

// The search tables. None has triggers: whoever changes a row keeps them in step.
const (
	MessageIndex = "messages_fts"
	ftsSummaries = "summaries_fts"
	ftsCJK       = "summaries_fts_cjk"
)

// ShadowTables returns the names of the tables in which SQLite keeps what a search table
// holds.
func ShadowTables(search string) (names []string) {
	for _, suffix := range SearchShadows {
		names = append(names, search+suffix)
	}
	return names
}

// SearchShadows are the ends of the names of the tables in which SQLite keeps a search table.
var SearchShadows = []string{"_data", "_idx", "_content", "_docsize", "_config"}

// probeFTS sorts the search tables into whole and broken ones. Hosts drop the
// CJK table where SQLite lacks the trigram tokenizer, so absence is no fault.
func (s *Schema) probeFTS(ctx context.Context, q Connection) error {
	const query = `SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name IN (?, ?, ?) ORDER BY name`
	return EachRow(ctx, q, query, []any{MessageIndex, ftsSummaries, ftsCJK}, func(scan RowScanner) error {
		var name, ddl string
		if err := scan(&name, &ddl); err != nil {
			return err
		}
		if s.wholeFTS(name, ddl) {
			s.FTS = append(s.FTS, name)
		} else {
			s.BrokenFTS = append(s.BrokenFTS, name)
		}
		return nil
	})
}

// wholeFTS: hosts up to 0.2 had external-content tables, recognised by
// content_rowid, which a newer host drops and makes again.
func (s *Schema) wholeFTS(name, ddl string) bool {
	for _, suffix := range SearchShadows {
		if !s.Has(name + suffix) {
			return false
		}
	}
	lower := strings.ToLower(ddl)
	if strings.Contains(lower, "content_rowid") || !strings.Contains(lower, "fts5") {
		return false
	}
	return name == MessageIndex || strings.Contains(lower, "summary_id")
}

// IndexText returns what hosts index of a message's text. Of a reference to a file or a
// tool's output that is its header and what is known of the payload, without blank
// lines, the heading between both, and the line that tells the model how to read it.
func IndexText(content string) string {
	if !strings.HasPrefix(content, "[LCM File:") && !strings.HasPrefix(content, "[LCM Tool Output:") {
		return content
	}
	lines := strings.Split(content, "\n")
	lines = slices.DeleteFunc(lines, func(l string) bool {
		l = strings.TrimSpace(l)
		return l == "" || l == "Exploration Summary:" || strings.HasPrefix(l, "Use lcm_describe") || strings.HasPrefix(l, "Call lcm_describe")
	})
	return strings.Join(lines, "\n")
}

// Searchable reports whether the search table is one that can be kept in step.
func (s *Schema) Searchable(table string) bool {
	for _, t := range s.FTS {
		if t == table {
			return s.Has(table+"_content", "id", "c0") && s.Has(table+"_docsize", "id")
		}
	}
	return false
}

// SearchTables returns the names of all search tables.
func SearchTables() []string { return []string{MessageIndex, ftsSummaries, ftsCJK} }

// IsSearchTable reports whether a table is one that hosts search.
func IsSearchTable(table string) bool { return slices.Contains(SearchTables(), table) }

// IndexedText returns what a search table should hold of a stored text: nil for none.
func IndexedText(table string, content any) any {
	if table == MessageIndex {
		return MessageIndexText(content)
	}
	return content
}

// SearchColumns returns the columns of a search table, and the one by which rows are known.
func SearchColumns(name string) (columns []string, by string) {
	if name == MessageIndex {
		return []string{"rowid", "content"}, "rowid"
	}
	return []string{"rowid", "summary_id", "content"}, "summary_id"
}

// MessageIndexText returns what is indexed of a message: nothing where its text is blank, or a
// stub, in which there is nothing to find.
func MessageIndexText(content any) any {
	s, ok := content.(string)
	if !ok {
		return content
	}
	if strings.TrimSpace(s) == "" || IsForgotten(s) {
		return nil
	}
	return IndexText(s)
}

// IndexRows reads the rows that a search table has for these messages or summaries,
// with their rowids.
func IndexRows(ctx context.Context, q Querier, table string, ids []any) (out []Row, err error) {
	if !slices.Contains(q.Schema().FTS, table) {
		return nil, nil
	}
	columns, by := SearchColumns(table)
	for chunk := range slices.Chunk(ids, MaxArgs) {
		query := "SELECT " + strings.Join(columns, ", ") + " FROM " + table + " WHERE " + by + " IN (" + Marks(len(chunk)) + ") ORDER BY rowid"
		rows, err := readRows(ctx, q, "read "+table, query, chunk, columns)
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	return out, nil
}

// The search tables of summaries; the second is of trigrams.
const (
	SummaryIndex    = ftsSummaries
	SummaryTrigrams = ftsCJK
)

// IndexedSummaries calls fn with every row of a search table of summaries that is
// about a conversation's summaries, or for 0 with all its rows.
func IndexedSummaries(ctx context.Context, q Querier, table string, conv int64, fn func(id, content string)) error {
	if !q.Schema().Searchable(table) || !q.Schema().Has(table+"_content", "c1") {
		return nil
	}
	query := "SELECT f.c0, f.c1 FROM " + QuoteName(table+"_content") + " f"
	if conv != 0 {
		query += " WHERE f.c0 IN (SELECT summary_id FROM summaries WHERE conversation_id = ?)"
	}
	return Each(ctx, q, "read "+table, query, ConversationArg(conv), func(scan RowScanner) error {
		var id, content Text
		err := scan(&id, &content)
		fn(string(id), string(content))
		return err
	})
}

// OrphanIndexRows lists the rows of a search table whose message or summary doesn't exist, as
// message ids or summary ids.
func OrphanIndexRows(ctx context.Context, q Querier, index string) ([]string, error) {
	if !q.Schema().Searchable(index) || !q.Schema().HasCore("messages", "summaries") {
		return nil, nil
	}
	query := "SELECT f.c0 FROM " + QuoteName(index+"_content") + " f WHERE NOT EXISTS (SELECT 1 FROM summaries s WHERE s.summary_id = f.c0)"
	if index == MessageIndex {
		query = "SELECT d.id FROM messages_fts_docsize d WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.message_id = d.id)"
	}
	return Collect(ctx, q, "read "+index, query, nil, func(scan RowScanner, id *string) error { return scan((*Text)(id)) })
}

// IndexStructureSQL reads the list of the pieces of an index, and whether it is small.
func IndexStructureSQL(search string) string {
	name := QuoteName(search + "_data")
	return "SELECT (SELECT block FROM " + name + " WHERE id = 10), (SELECT count(*) FROM (SELECT 1 FROM " + name + " LIMIT 65)) < 65"
}

// IsIndexWhole reports whether a merge of all pieces of an index has left nothing of deleted texts in it, by the list of its
// pieces: SQLite drops the words of these only where the merged piece stands on the last level. Where all pieces stand on one
// level it merges them into the next one, behind which there may be empty ones, and later takes the single piece for whole.
// It is true where the list can't be read.
func IsIndexWhole(structure []byte) bool {
	const contentless = 0xff // The first byte behind the number of changes in lists of another form.
	if len(structure) < 5 || structure[4] == contentless {
		return true
	}
	at := 4
	next := func() (n uint64) {
		for i := 0; at < len(structure); i++ {
			b := structure[at]
			at++
			if i == 8 {
				return n<<8 | uint64(b)
			}
			if n = n<<7 | uint64(b&0x7f); b < 0x80 {
				return n
			}
		}
		return 0
	}
	levels := next()
	pieces, last := next(), uint64(0)
	next() // How often it was written.
	for range min(levels, 64) {
		next() // How many pieces of the level are being merged.
		last = next()
		for range min(last, pieces) {
			for range 3 { // Its number, its first and its last page.
				next()
			}
		}
	}
	return last > 0 || pieces == 0
}

// LoosenIndexSQL returns the statements after which a merge of all pieces of an index leaves nothing of deleted texts. They belong
// into one transaction, and leave the texts of the search table as they are. A small index is made again from these. Another
// one gets a new piece, so that the next merge puts all on a level of their own.
func LoosenIndexSQL(search string, small bool) []string {
	name, content := QuoteName(search), QuoteName(search+"_content")
	if small { // SQLite would put a new piece and a piece of its size on one level.
		return []string{"INSERT INTO " + name + "(" + name + ") VALUES ('rebuild')"}
	}
	return []string{
		"INSERT INTO " + name + " (rowid, content) SELECT min(ifnull(min(id), 0), 0) - 1, 'loosened' FROM " + content,
		"DELETE FROM " + name + " WHERE rowid = (SELECT min(id) FROM " + content + ")",
		"INSERT INTO " + name + "(" + name + ") VALUES ('flush')",
	}
}
