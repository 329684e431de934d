package lcm

import (
	"context"

	"lcm-tui/data"
)

// Link says that Summary was made of Source at this place. The table calls the
// source "parent": a summary's parents are older and lower than it.
type Link struct {
	Summary, Source string
	Ordinal         int64
}

// Links returns the links between summaries that begin or end in the conversation, by summary
// and ordinal.
func Links(ctx context.Context, db data.Querier, conv int64) ([]Link, error) {
	if !db.Schema().Has("summary_parents") || !db.Schema().Has("summaries") {
		return nil, nil
	}
	const query = `WITH mine AS MATERIALIZED (SELECT summary_id FROM summaries WHERE conversation_id = ?)
		SELECT summary_id, parent_summary_id, ordinal FROM summary_parents WHERE summary_id IN mine
		UNION SELECT summary_id, parent_summary_id, ordinal FROM summary_parents WHERE parent_summary_id IN mine
		ORDER BY 1, 3, 2`
	return data.Collect(ctx, db, "read summary links", query, []any{conv}, func(scan data.RowScanner, l *Link) error {
		return scan((*data.Text)(&l.Summary), (*data.Text)(&l.Source), (*data.Integer)(&l.Ordinal))
	})
}

// Span is what a leaf covers: how many messages, and which seqs they lie between.
type Span struct {
	Summary          string
	Messages         int64
	FirstSeq, EndSeq int64 // The lowest and the highest seq; 0 if no message exists.
	Missing          int64 // Links to messages that don't exist.
}

// Spans returns the spans of the conversation's leaves.
func Spans(ctx context.Context, db data.Querier, conv int64) ([]Span, error) {
	if !db.Schema().Has("summary_messages") || !db.Schema().Has("messages") {
		return nil, nil
	}
	const query = `SELECT l.summary_id, count(m.message_id), coalesce(min(m.seq), 0), coalesce(max(m.seq), 0),
		count(*) - count(m.message_id) FROM summaries s CROSS JOIN summary_messages l ON l.summary_id = s.summary_id
		LEFT JOIN messages m ON m.message_id = l.message_id WHERE s.conversation_id = ? GROUP BY l.summary_id`
	return data.Collect(ctx, db, "read coverage", query, []any{conv}, func(scan data.RowScanner, v *Span) error {
		return scan((*data.Text)(&v.Summary), (*data.Integer)(&v.Messages), (*data.Integer)(&v.FirstSeq), (*data.Integer)(&v.EndSeq), (*data.Integer)(&v.Missing))
	})
}

// MessageLink says that a leaf was made of a message at this place.
type MessageLink struct {
	Summary string
	Message int64
	Ordinal int64
}

// MessageLinks returns the links from the conversation's leaves to their messages,
// by leaf and ordinal.
func MessageLinks(ctx context.Context, db data.Querier, conv int64) ([]MessageLink, error) {
	if !db.Schema().Has("summary_messages") || !db.Schema().Has("summaries") {
		return nil, nil
	}
	const query = `SELECT l.summary_id, l.message_id, l.ordinal FROM summaries s
		CROSS JOIN summary_messages l ON l.summary_id = s.summary_id WHERE s.conversation_id = ? ORDER BY 1, 3`
	return data.Collect(ctx, db, "read message links", query, []any{conv}, func(scan data.RowScanner, l *MessageLink) error {
		return scan((*data.Text)(&l.Summary), (*data.Integer)(&l.Message), (*data.Integer)(&l.Ordinal))
	})
}

// SeqRange is the lowest and the highest seq of a conversation, and the times of
// those two messages.
type SeqRange struct {
	First, Last     int64
	FirstAt, LastAt data.Time
}

// ReadSeqRange returns zero for a conversation without messages.
func ReadSeqRange(ctx context.Context, db data.Querier, conv int64) (r SeqRange, err error) {
	if !db.Schema().Has("messages") {
		return r, nil
	}
	for order, to := range map[string]struct {
		seq *int64
		at  *data.Time
	}{"ASC": {&r.First, &r.FirstAt}, "DESC": {&r.Last, &r.LastAt}} {
		from := " FROM messages WHERE conversation_id = ? ORDER BY seq " + order + " LIMIT 1"
		if ok, err := data.One(ctx, db, "read messages", "SELECT seq, created_at"+from, []any{conv}, (*data.Integer)(to.seq), to.at); ok || err != nil {
			if err != nil {
				return r, err
			}
			continue
		}
		// Where the row can't be read, the index still tells its seq.
		if _, err := data.One(ctx, db, "read messages", "SELECT seq"+from, []any{conv}, (*data.Integer)(to.seq)); err != nil {
			return r, err
		}
	}
	return r, nil
}
