package lcm

import (
	"context"
	"slices"

	"lcm-tui/data"
)

// LeafLinks returns the links to a message from the leaves that were made of it, in any conversation.
// Files before 0.7.0 have no index for this: their links are read whole.
func LeafLinks(ctx context.Context, db data.Querier, message int64) ([]MessageLink, error) {
	return messageLinks(ctx, db, "message_id = ?", message)
}

// MessageLinksOf returns the links of these summaries to their messages, by summary and ordinal.
func MessageLinksOf(ctx context.Context, db data.Querier, summaries []string) ([]MessageLink, error) {
	return inChunks(summaries, func(in string, args []any) ([]MessageLink, error) {
		return messageLinks(ctx, db, "summary_id IN ("+in+")", args...)
	})
}

func messageLinks(ctx context.Context, db data.Querier, where string, args ...any) ([]MessageLink, error) {
	s := db.Schema()
	if !s.Has("summary_messages", "summary_id", "message_id") {
		return nil, nil
	}
	query := "SELECT l.summary_id, l.message_id, " + s.Expr("summary_messages", "l", "ordinal", "0") +
		" FROM summary_messages l WHERE l." + where + " ORDER BY 1, 3, 2"
	return data.Collect(ctx, db, "read message links", query, args, func(scan data.RowScanner, l *MessageLink) error {
		return scan((*data.Text)(&l.Summary), (*data.Integer)(&l.Message), (*data.Integer)(&l.Ordinal))
	})
}

// SourceLinks returns the links of these summaries to the summaries that they were made of, by
// summary and ordinal.
func SourceLinks(ctx context.Context, db data.Querier, summaries []string) ([]Link, error) {
	return summaryLinks(ctx, db, "summary_id", summaries, "1, 3, 2")
}

// DerivedLinks returns the links to these summaries from those that were made of them, by source and
// ordinal; links of one ordinal in the order in which they were written. Files before 0.7.0 have no
// index for this: their links are read whole.
func DerivedLinks(ctx context.Context, db data.Querier, summaries []string) ([]Link, error) {
	return summaryLinks(ctx, db, "parent_summary_id", summaries, "2, 3, l.rowid")
}

func summaryLinks(ctx context.Context, db data.Querier, column string, summaries []string, order string) ([]Link, error) {
	s := db.Schema()
	if !s.Has("summary_parents", "summary_id", "parent_summary_id") {
		return nil, nil
	}
	return inChunks(summaries, func(in string, args []any) ([]Link, error) {
		query := "SELECT l.summary_id, l.parent_summary_id, " + s.Expr("summary_parents", "l", "ordinal", "0") +
			" FROM summary_parents l WHERE l." + column + " IN (" + in + ") ORDER BY " + order
		return data.Collect(ctx, db, "read summary links", query, args, func(scan data.RowScanner, l *Link) error {
			return scan((*data.Text)(&l.Summary), (*data.Text)(&l.Source), (*data.Integer)(&l.Ordinal))
		})
	})
}

// SummariesByID returns these summaries by id, each with the first clipBytes bytes of its text. One
// that doesn't exist is left out.
func SummariesByID(ctx context.Context, db data.Querier, ids []string, clipBytes int) (map[string]Summary, error) {
	found, err := inChunks(ids, func(in string, args []any) ([]Summary, error) {
		return summaries(ctx, db, data.RowQuery{Where: "s.summary_id IN (" + in + ")", Args: args}, clipBytes)
	})
	out := make(map[string]Summary, len(found))
	for _, s := range found {
		out[s.ID] = s
	}
	return out, err
}

// ContextPosition is where a message or summary stands in a context.
type ContextPosition struct {
	Conversation int64
	Ordinal      int64
	Summary      string // Empty for a message.
	Message      int64
}

// ContextPositions returns the places of a message and of summaries in the contexts of the file, by
// conversation and ordinal. A context may hold one more than once.
func ContextPositions(ctx context.Context, db data.Querier, message int64, summaries []string) ([]ContextPosition, error) {
	if !db.Schema().Has("context_items", "conversation_id", "ordinal", "message_id", "summary_id") {
		return nil, nil
	}
	wanted := make(map[string]bool, len(summaries))
	for _, id := range summaries {
		wanted[id] = true
	}
	const query = `SELECT conversation_id, ordinal, summary_id, message_id FROM context_items
		WHERE message_id = ? OR summary_id IS NOT NULL ORDER BY conversation_id, ordinal`
	all, err := data.Collect(ctx, db, "read context", query, []any{message}, func(scan data.RowScanner, p *ContextPosition) error {
		return scan((*data.Integer)(&p.Conversation), (*data.Integer)(&p.Ordinal), (*data.Text)(&p.Summary), (*data.Integer)(&p.Message))
	})
	return slices.DeleteFunc(all, func(p ContextPosition) bool { return p.Summary != "" && !wanted[p.Summary] }), err
}

// ResetAt returns when /new last took messages out of a conversation's context, as far as the host
// noted that; known is false where the file can't tell.
func ResetAt(ctx context.Context, db data.Querier, conv int64) (at data.Time, known bool, err error) {
	if !db.Schema().Has(data.BootstrapTable, "soft_reset_pruned_at") {
		return at, false, nil
	}
	known, err = data.One(ctx, db, "read /new", "SELECT soft_reset_pruned_at FROM "+data.BootstrapTable+" WHERE conversation_id = ?", []any{conv}, &at)
	return at, known, err
}

// inChunks reads rows for ids, as many at once as a statement takes.
func inChunks[Row any](ids []string, read func(in string, args []any) ([]Row, error)) (out []Row, err error) {
	for chunk := range slices.Chunk(ids, data.MaxArgs) {
		args := make([]any, len(chunk))
		for i, id := range chunk {
			args[i] = id
		}
		rows, err := read(data.Marks(len(args)), args)
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	return out, nil
}
