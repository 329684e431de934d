package lcm

import (
	"context"

	"lcm-tui/data"
)

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

// seenLinks reads links by a query whose columns are those of RawLink.
func seenLinks(ctx context.Context, db data.Querier, query string, args ...any) ([]RawLink, error) {
	return data.Collect(ctx, db, "read links", query, args, func(scan data.RowScanner, l *RawLink) error {
		return scan((*data.Text)(&l.Summary), (*data.Text)(&l.Source), (*data.Integer)(&l.Message), (*data.Integer)(&l.Ordinal),
			(*data.Integer)(&l.Owner), (*data.Integer)(&l.SourceOwner), &l.SourceExists)
	})
}

const (
	linkColumns   = "SELECT l.summary_id, l.parent_summary_id, NULL, l.ordinal, s.conversation_id, p.conversation_id, p.summary_id IS NOT NULL "
	memberColumns = "SELECT l.summary_id, NULL, l.message_id, l.ordinal, s.conversation_id, m.conversation_id, m.message_id IS NOT NULL "
)

// RawSummaryLinks returns the links from a conversation's summaries to the summaries that
// they were made of, by summary and ordinal.
func RawSummaryLinks(ctx context.Context, db data.Querier, conv int64) ([]RawLink, error) {
	if !db.Schema().HasCore("summary_parents", "summaries") {
		return nil, nil
	}
	return seenLinks(ctx, db, linkColumns+`FROM summaries s CROSS JOIN summary_parents l ON l.summary_id = s.summary_id
		LEFT JOIN summaries p ON p.summary_id = l.parent_summary_id WHERE s.conversation_id = ? ORDER BY 1, 4, 2`, conv)
}

// AllSummaryLinks returns the links between summaries of the whole file.
func AllSummaryLinks(ctx context.Context, db data.Querier) ([]RawLink, error) {
	if !db.Schema().HasCore("summary_parents", "summaries") {
		return nil, nil
	}
	return seenLinks(ctx, db, linkColumns+`FROM summary_parents l JOIN summaries s ON s.summary_id = l.summary_id
		JOIN summaries p ON p.summary_id = l.parent_summary_id ORDER BY 1, 4, 2`)
}

// RawMessageLinks returns the links from a conversation's summaries to the messages that
// they were made of, by summary and ordinal.
func RawMessageLinks(ctx context.Context, db data.Querier, conv int64) ([]RawLink, error) {
	if !db.Schema().HasCore("summary_messages", "summaries", "messages") {
		return nil, nil
	}
	return seenLinks(ctx, db, memberColumns+`FROM summaries s CROSS JOIN summary_messages l ON l.summary_id = s.summary_id
		LEFT JOIN messages m ON m.message_id = l.message_id WHERE s.conversation_id = ? ORDER BY 1, 4, 3`, conv)
}

// DanglingLinks returns the links whose summary doesn't exist or belongs to another
// conversation than the source or message: those whose source or message is this
// conversation's, or for 0 those of the whole file.
func DanglingLinks(ctx context.Context, db data.Querier, conv int64) (out []RawLink, err error) {
	s := db.Schema()
	if s.HasCore("summary_parents", "summaries") {
		query := linkColumns + `FROM summary_parents l LEFT JOIN summaries s ON s.summary_id = l.summary_id
			LEFT JOIN summaries p ON p.summary_id = l.parent_summary_id WHERE s.conversation_id IS NOT p.conversation_id OR s.summary_id IS NULL`
		if conv != 0 {
			query = linkColumns + `FROM summaries p CROSS JOIN summary_parents l ON l.parent_summary_id = p.summary_id
				LEFT JOIN summaries s ON s.summary_id = l.summary_id WHERE p.conversation_id = ?1 AND s.conversation_id IS NOT ?1`
		}
		if out, err = seenLinks(ctx, db, query, data.ConversationArg(conv)...); err != nil {
			return nil, err
		}
	}
	if !s.HasCore("summary_messages", "summaries", "messages") {
		return out, nil
	}
	query := memberColumns + `FROM summary_messages l LEFT JOIN summaries s ON s.summary_id = l.summary_id
		LEFT JOIN messages m ON m.message_id = l.message_id WHERE s.conversation_id IS NOT m.conversation_id OR s.summary_id IS NULL`
	if conv != 0 {
		query = memberColumns + `FROM messages m CROSS JOIN summary_messages l ON l.message_id = m.message_id
			LEFT JOIN summaries s ON s.summary_id = l.summary_id WHERE m.conversation_id = ?1 AND s.conversation_id IS NOT ?1`
	}
	more, err := seenLinks(ctx, db, query, data.ConversationArg(conv)...)
	return append(out, more...), err
}
