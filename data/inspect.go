package data

import (
	"context"
	"strconv"
	"strings"
)

// What stands in a file is read here as it stands, for those who look for damage:
// cells keep what is wrong with them, and links keep ends that don't exist. A
// table or column that the file lacks reads as empty.

// Number is a cell that should hold a whole number.
type Number struct {
	Value int64
	Valid bool // It does.
	Raw   string
}

// Scan implements sql.Scanner.
func (n *Number) Scan(v any) error {
	*n = Number{}
	if i, ok := v.(int64); ok {
		n.Value, n.Valid = i, true
		return nil
	}
	n.Value, n.Raw = asInteger(v), asText(v)
	return nil
}

func (n Number) String() string {
	if n.Valid {
		return strconv.FormatInt(n.Value, 10)
	}
	return n.Raw
}

// RawContextItem is a place of a context with whom the row it names belongs to.
type RawContextItem struct {
	Ordinal int64
	Type    string
	Message int64
	Summary string
	Owner   int64 // The conversation of the row named; 0 where there is none.
	Missing bool  // The row named doesn't exist.
	Seq     int64 // Of the message.
	Tokens  int64 // Of the message or summary.
}

// RawContext are a conversation's context in order.
func (db *DB) RawContext(ctx context.Context, conv int64) ([]RawContextItem, error) {
	s := db.schema
	if !s.ours("context_items") {
		return nil, nil
	}
	message, summary, from := "NULL, NULL, NULL, NULL", "NULL, NULL, NULL", " FROM context_items ci"
	if s.ours("messages") {
		message = "m.message_id, m.conversation_id, m.seq, m.token_count"
		from += " LEFT JOIN messages m ON m.message_id = ci.message_id"
	}
	if s.ours("summaries") {
		summary = "s.summary_id, s.conversation_id, s.token_count"
		from += " LEFT JOIN summaries s ON s.summary_id = ci.summary_id"
	}
	query := "SELECT ci.ordinal, ci.item_type, ci.message_id, ci.summary_id, " + message + ", " + summary + from +
		" WHERE ci.conversation_id = ? ORDER BY ci.ordinal"
	return collect(ctx, db, "read context", query, []any{conv}, func(scan RowScanner, i *RawContextItem) error {
		var message, summary Stored
		var messageOwner, summaryOwner, messageTokens, summaryTokens integer
		err := scan((*integer)(&i.Ordinal), (*word)(&i.Type), (*integer)(&i.Message), (*text)(&i.Summary),
			&message, &messageOwner, (*integer)(&i.Seq), &messageTokens, &summary, &summaryOwner, &summaryTokens)
		i.Owner, i.Missing, i.Tokens = int64(messageOwner), message.Null, int64(messageTokens)
		if i.Summary != "" {
			i.Owner, i.Missing, i.Tokens = int64(summaryOwner), summary.Null, int64(summaryTokens)
		}
		return err
	})
}

// RawLink is a link between a summary and what it was made of, with whom the
// ends belong to: 0 where an end doesn't exist.
type RawLink struct {
	Summary      string
	Source       string // A summary, or empty.
	Message      int64
	Ordinal      int64
	Owner        int64 // The conversation of the summary.
	SourceOwner  int64 // The conversation of the source or message.
	SourceExists bool
}

// seenLinks reads links by a query whose columns are those of SeenLink.
func (db *DB) seenLinks(ctx context.Context, query string, args ...any) ([]RawLink, error) {
	return collect(ctx, db, "read links", query, args, func(scan RowScanner, l *RawLink) error {
		return scan((*text)(&l.Summary), (*text)(&l.Source), (*integer)(&l.Message), (*integer)(&l.Ordinal),
			(*integer)(&l.Owner), (*integer)(&l.SourceOwner), &l.SourceExists)
	})
}

const (
	linkColumns   = "SELECT l.summary_id, l.parent_summary_id, NULL, l.ordinal, s.conversation_id, p.conversation_id, p.summary_id IS NOT NULL "
	memberColumns = "SELECT l.summary_id, NULL, l.message_id, l.ordinal, s.conversation_id, m.conversation_id, m.message_id IS NOT NULL "
)

// RawSummaryLinks are the links from a conversation's summaries to the summaries that
// they were made of, by summary and ordinal.
func (db *DB) RawSummaryLinks(ctx context.Context, conv int64) ([]RawLink, error) {
	if !db.schema.ours("summary_parents", "summaries") {
		return nil, nil
	}
	return db.seenLinks(ctx, linkColumns+`FROM summaries s CROSS JOIN summary_parents l ON l.summary_id = s.summary_id
		LEFT JOIN summaries p ON p.summary_id = l.parent_summary_id WHERE s.conversation_id = ? ORDER BY 1, 4, 2`, conv)
}

// AllSummaryLinks are the links between summaries of the whole file.
func (db *DB) AllSummaryLinks(ctx context.Context) ([]RawLink, error) {
	if !db.schema.ours("summary_parents", "summaries") {
		return nil, nil
	}
	return db.seenLinks(ctx, linkColumns+`FROM summary_parents l JOIN summaries s ON s.summary_id = l.summary_id
		JOIN summaries p ON p.summary_id = l.parent_summary_id ORDER BY 1, 4, 2`)
}

// RawMessageLinks are the links from a conversation's summaries to the messages that
// they were made of, by summary and ordinal.
func (db *DB) RawMessageLinks(ctx context.Context, conv int64) ([]RawLink, error) {
	if !db.schema.ours("summary_messages", "summaries", "messages") {
		return nil, nil
	}
	return db.seenLinks(ctx, memberColumns+`FROM summaries s CROSS JOIN summary_messages l ON l.summary_id = s.summary_id
		LEFT JOIN messages m ON m.message_id = l.message_id WHERE s.conversation_id = ? ORDER BY 1, 4, 3`, conv)
}

// DanglingLinks are the links whose summary doesn't exist or belongs to another
// conversation than the source or message: those whose source or message is this
// conversation's, or for 0 those of the whole file.
func (db *DB) DanglingLinks(ctx context.Context, conv int64) (out []RawLink, err error) {
	s := db.schema
	if s.ours("summary_parents", "summaries") {
		query := linkColumns + `FROM summary_parents l LEFT JOIN summaries s ON s.summary_id = l.summary_id
			LEFT JOIN summaries p ON p.summary_id = l.parent_summary_id WHERE s.conversation_id IS NOT p.conversation_id OR s.summary_id IS NULL`
		if conv != 0 {
			query = linkColumns + `FROM summaries p CROSS JOIN summary_parents l ON l.parent_summary_id = p.summary_id
				LEFT JOIN summaries s ON s.summary_id = l.summary_id WHERE p.conversation_id = ?1 AND s.conversation_id IS NOT ?1`
		}
		if out, err = db.seenLinks(ctx, query, only(conv)...); err != nil {
			return nil, err
		}
	}
	if !s.ours("summary_messages", "summaries", "messages") {
		return out, nil
	}
	query := memberColumns + `FROM summary_messages l LEFT JOIN summaries s ON s.summary_id = l.summary_id
		LEFT JOIN messages m ON m.message_id = l.message_id WHERE s.conversation_id IS NOT m.conversation_id OR s.summary_id IS NULL`
	if conv != 0 {
		query = memberColumns + `FROM messages m CROSS JOIN summary_messages l ON l.message_id = m.message_id
			LEFT JOIN summaries s ON s.summary_id = l.summary_id WHERE m.conversation_id = ?1 AND s.conversation_id IS NOT ?1`
	}
	more, err := db.seenLinks(ctx, query, only(conv)...)
	return append(out, more...), err
}

// only is the argument of a query about one conversation, or none for the file.
func only(conv int64) []any {
	if conv == 0 {
		return nil
	}
	return []any{conv}
}

// ours reports whether the file has these core tables with the columns that all
// versions have. A relative's may have others.
func (s *Schema) ours(tables ...string) bool {
	for _, t := range tables {
		if !s.Has(t, always[t]...) {
			return false
		}
	}
	return true
}

// always are the columns of core tables that every version has and that are asked
// for by name.
var always = map[string][]string{
	"conversations":    {"conversation_id", "session_id"},
	"messages":         {"message_id", "conversation_id", "seq", "role", "content", "token_count", "created_at"},
	"message_parts":    {"part_id", "message_id", "part_type", "ordinal"},
	"summaries":        {"summary_id", "conversation_id", "kind", "content", "token_count", "created_at"},
	"summary_messages": {"summary_id", "message_id", "ordinal"},
	"summary_parents":  {"summary_id", "parent_summary_id", "ordinal"},
	"context_items":    {"conversation_id", "ordinal", "item_type", "message_id", "summary_id"},
	"large_files":      {"file_id", "conversation_id"},
}

// stored is a list of columns under an alias, NULL where the file lacks one.
func (s *Schema) stored(table, alias, columns string) string {
	return s.exprs(table, alias, strings.Fields(columns)...)
}
