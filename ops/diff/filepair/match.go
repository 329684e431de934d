package filepair

import (
	"context"
	"strings"
)

// pairTables are the temporary tables that name the partner of each row, by the table of the rows.
// They exist where equal ids don't tell.
var pairTables = map[string]string{"conversations": "conversation_pairs", "messages": "message_pairs", "summaries": "summary_pairs"}

// makePairTables makes the temporary tables and fills in the pairs of conversations.
func (p *Pair) makePairTables(ctx context.Context) error {
	if !p.mapped {
		return nil
	}
	// The columns have the types of those that they are compared with: else no index is used.
	for table, kind := range map[string]string{"conversations": "INTEGER", "messages": "INTEGER", "summaries": "TEXT"} {
		columns := strings.ReplaceAll(" (before_id TYPE PRIMARY KEY, after_id TYPE UNIQUE) WITHOUT ROWID", "TYPE", kind)
		if err := p.reader.Execute(ctx, "compare", "CREATE TEMP TABLE "+pairTables[table]+columns); err != nil {
			return err
		}
	}
	const candidates = "CREATE TEMP TABLE candidates (meaning TEXT, n INTEGER, id, PRIMARY KEY (meaning, n)) WITHOUT ROWID"
	if err := p.reader.Execute(ctx, "compare", candidates); err != nil {
		return err
	}
	for _, c := range p.conversations {
		if k := c.Key(); k.Before != 0 && k.After != 0 {
			if err := p.reader.Execute(ctx, "compare", "INSERT OR IGNORE INTO temp.conversation_pairs VALUES (?, ?)", k.Before, k.After); err != nil {
				return err
			}
		}
	}
	return nil
}

// match finds the partners of the messages and summaries of a conversation, or of all for the zero
// key, where equal ids don't tell.
func (p *Pair) match(ctx context.Context, of ConversationKey) error {
	if !p.mapped {
		return nil
	}
	for _, c := range p.conversations {
		k := c.Key()
		if p.matched[k] || k.Before == 0 || k.After == 0 || of != (ConversationKey{}) && of != k {
			continue
		}
		p.matched[k] = true
		if err := p.tolerate(p.matchRows(ctx, k), "messages", k); err != nil {
			return err
		}
	}
	return nil
}

// matchRows finds the partners of the messages and summaries of a conversation.
func (p *Pair) matchRows(ctx context.Context, of ConversationKey) error {
	for _, m := range p.matches() {
		for _, s := range m {
			args := []any{of.Before, of.After}
			if !strings.Contains(s, "?2") {
				args = args[:strings.Count(s, "?")]
			}
			if err := p.reader.Execute(ctx, "compare", s, args...); err != nil {
				return err
			}
		}
	}
	return nil
}

// matches returns statements that pair the rows of conversation ?1 of the first file with those of ?2 of
// the second, what is most certain first.
func (p *Pair) matches() (out [][]string) {
	if p.has("messages", "message_id", "conversation_id", "seq") {
		messages := matcher{"messages", "message_id", "seq"}
		switch p.Lineage {
		case ByID:
			out = append(out, messages.equal("message_id"))
		default:
			if p.has("messages", "transcript_entry_id") {
				out = append(out, messages.equal("transcript_entry_id"))
			}
			for _, text := range words("identity_hash content") {
				if p.has("messages", "role", text) {
					out = append(out, messages.occurrence("role", text))
				}
			}
		}
	}
	if p.has("summaries", "summary_id", "conversation_id") {
		summaries := matcher{"summaries", "summary_id", "summary_id"}
		out = append(out, summaries.equal("summary_id"))
		if columns := words("kind depth earliest_at latest_at content"); p.Lineage == ByMeaning && p.has("summaries", columns...) {
			out = append(out, summaries.occurrence(columns...))
		}
	}
	return out
}

// matcher makes statements that pair the rows of a table.
type matcher struct{ table, id, order string }

// equal pairs the rows of two conversations in which a column is equal.
func (m matcher) equal(column string) []string {
	return []string{"INSERT OR IGNORE INTO temp." + pairTables[m.table] + " SELECT b." + m.id + ", a." + m.id + " FROM main." + m.table + " b JOIN other." + m.table +
		" a ON a." + column + " = b." + column + " AND a.conversation_id = ?2 WHERE b.conversation_id = ?1"}
}

// occurrence pairs the n-th row of one conversation with the n-th of the other among those in which
// these columns are equal, leaving out rows that have a partner and those without the last column.
func (m matcher) occurrence(columns ...string) []string {
	var meaning []string
	for _, c := range columns {
		if isTime(c) {
			c = "coalesce(julianday(" + c + "), " + c + ")"
		}
		meaning = append(meaning, "quote("+c+")")
	}
	list := func(s Side, paired string) string {
		return "(SELECT meaning, row_number() OVER (PARTITION BY meaning ORDER BY place) AS n, id FROM (SELECT " + strings.Join(meaning, " || ") + " AS meaning, " +
			m.order + " AS place, " + m.id + " AS id FROM " + s.schema() + "." + m.table + " r WHERE conversation_id = ?1 AND " + columns[len(columns)-1] +
			" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM temp." + pairTables[m.table] + " p WHERE p." + paired + " = r." + m.id + ")))"
	}
	return []string{
		"DELETE FROM temp.candidates",
		strings.Replace("INSERT INTO temp.candidates SELECT meaning, n, id FROM "+list(After, "after_id"), "?1", "?2", 1),
		"INSERT OR IGNORE INTO temp." + pairTables[m.table] + " SELECT b.id, c.id FROM " + list(Before, "before_id") +
			" b CROSS JOIN temp.candidates c ON c.meaning = b.meaning AND c.n = b.n",
	}
}
