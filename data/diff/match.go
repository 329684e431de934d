package diff

import (
	"context"
	"strings"

	"lcm-tui/data"
)

// pairTables are the temporary tables that name the partner of each row, by the table of the rows.
// They exist where equal ids don't tell.
var pairTables = map[string]string{"conversations": "conversation_pairs", "messages": "message_pairs", "summaries": "summary_pairs"}

// makePairTables makes the temporary tables and fills in the pairs of conversations.
func (p *Pair) makePairTables(ctx context.Context) error {
	if !p.mapped {
		return nil
	}
	for _, table := range pairTables {
		err := p.reader.Execute(ctx, "compare", "CREATE TEMP TABLE "+table+" (before_id PRIMARY KEY, after_id UNIQUE) WITHOUT ROWID")
		if err != nil {
			return err
		}
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
	for _, s := range p.matches() {
		if err := p.reader.Execute(ctx, "compare", s, of.Before, of.After); err != nil {
			return err
		}
	}
	return nil
}

// matches are the statements that pair the rows of conversation ?1 of the first file with those
// of ?2 of the second, what is most certain first.
func (p *Pair) matches() (out []string) {
	if p.has("messages", "message_id", "conversation_id", "seq") {
		if p.Lineage == ByID {
			out = append(out, matchEqual("messages", "message_id", "message_id"))
		} else {
			if p.has("messages", "transcript_entry_id") {
				out = append(out, matchEqual("messages", "message_id", "transcript_entry_id"))
			}
			if p.has("messages", "role", "identity_hash") {
				out = append(out, matchOccurrence("messages", "message_id", "seq", words("role identity_hash")))
			}
			if p.has("messages", "role", "content") {
				out = append(out, matchOccurrence("messages", "message_id", "seq", words("role content")))
			}
		}
	}
	if p.has("summaries", "summary_id", "conversation_id") {
		out = append(out, matchEqual("summaries", "summary_id", "summary_id"))
		if columns := words("kind depth earliest_at latest_at content"); p.Lineage == ByMeaning && p.has("summaries", columns...) {
			out = append(out, matchOccurrence("summaries", "summary_id", "created_at, summary_id", columns))
		}
	}
	return out
}

// matchEqual pairs the rows of two conversations in which a column is equal.
func matchEqual(table, id, column string) string {
	return "INSERT OR IGNORE INTO temp." + pairTables[table] + " SELECT b." + id + ", a." + id + " FROM main." + table + " b JOIN other." + table +
		" a ON a." + column + " = b." + column + " AND a.conversation_id = ?2 WHERE b.conversation_id = ?1"
}

// matchOccurrence pairs the n-th row of one conversation with the n-th of the other among those in
// which these columns are equal, leaving out rows that have a partner.
func matchOccurrence(table, id, order string, columns []string) string {
	var names, equal []string
	for _, c := range columns {
		name := data.QuoteName(c)
		if isTime(c) {
			name = "coalesce(julianday(" + name + "), " + name + ") AS " + c
		}
		names = append(names, name)
		equal = append(equal, "b."+c+" IS a."+c)
	}
	list := func(side, schema, paired, conversation string) string {
		return side + " AS MATERIALIZED (SELECT " + id + " AS id, " + strings.Join(names, ", ") + ", row_number() OVER (PARTITION BY " +
			strings.Join(columns, ", ") + " ORDER BY " + order + ") AS n FROM " + schema + "." + table + " WHERE conversation_id = " + conversation +
			" AND " + columns[len(columns)-1] + " IS NOT NULL AND NOT EXISTS (SELECT 1 FROM temp." + pairTables[table] + " p WHERE p." + paired + " = " + id + "))"
	}
	return "WITH " + list("b", "main", "before_id", "?1") + ", " + list("a", "other", "after_id", "?2") +
		" INSERT OR IGNORE INTO temp." + pairTables[table] + " SELECT b.id, a.id FROM b JOIN a ON b.n = a.n AND " + strings.Join(equal, " AND ")
}
