package textsearch

import (
	"context"
	"slices"

	"lcm-tui/data"
)

// SummaryRow is a summary that may be a hit. Its time is that of the newest message below it,
// or where that isn't known, of its own making.
type SummaryRow struct {
	ID           string
	Conversation int64
	Kind, Model  string
	Depth        int64
	At           data.Time
	Text         string
	Bytes        int64
	InContext    bool
}

// SummaryTime is a summary and its time.
type SummaryTime struct {
	ID string
	At data.Time
}

const summaryAt = "coalesce(s.latest_at, s.created_at)"

// MatchingSummaries returns the summaries that a search table of summaries finds for an expression
// and for which the conditions hold.
func MatchingSummaries(ctx context.Context, db *data.DB, table, expression string, conditions []Condition) ([]SummaryTime, error) {
	w := where{}
	w.and("f."+data.QuoteName(table)+" MATCH ?", expression)
	w.addSummary(db.Schema(), conditions)
	from := data.QuoteName(table) + " f CROSS JOIN summaries s ON s.summary_id = f.summary_id"
	return summaryTimes(ctx, db.EachRow, from, w)
}

// AllSummaries returns the summaries for which the conditions hold.
func AllSummaries(ctx context.Context, db *data.DB, conditions []Condition) ([]SummaryTime, error) {
	w := where{}
	w.addSummary(db.Schema(), conditions)
	each := func(ctx context.Context, verb, query string, args []any, fn func(data.RowScanner) error) error {
		return data.Each(ctx, db, verb, query, args, fn)
	}
	return summaryTimes(ctx, each, "summaries s", w)
}

type eachRow func(ctx context.Context, verb, query string, args []any, fn func(data.RowScanner) error) error

func summaryTimes(ctx context.Context, each eachRow, from string, w where) (out []SummaryTime, err error) {
	query := "SELECT s.summary_id, " + summaryAt + " FROM " + from + " WHERE " + w.String()
	err = each(ctx, "search summaries", query, w.args, func(scan data.RowScanner) error {
		var s SummaryTime
		err := scan((*data.Text)(&s.ID), &s.At)
		out = append(out, s)
		return err
	})
	return out, err
}

// Summaries returns these summaries, each with at most maxBytes of its text, in no order.
func Summaries(ctx context.Context, db *data.DB, ids []string, maxBytes int) (out []SummaryRow, err error) {
	schema := db.Schema()
	for chunk := range slices.Chunk(ids, maxMarks) {
		w := in("s.summary_id", chunk)
		query := "SELECT s.summary_id, s.conversation_id, s.kind, " + column(schema, "summaries", "s", "model", "''") + ", " +
			column(schema, "summaries", "s", "depth", "0") + ", " + summaryAt + ", " + schema.Clip("s.content", maxBytes) + ", " + schema.ByteLength("s.content") + " FROM summaries s WHERE " + w.String()
		err = data.Each(ctx, db, "read summaries", query, w.args, func(scan data.RowScanner) error {
			var s SummaryRow
			err := scan((*data.Text)(&s.ID), (*data.Integer)(&s.Conversation), (*data.Text)(&s.Kind), (*data.Text)(&s.Model), (*data.Integer)(&s.Depth),
				&s.At, (*data.Text)(&s.Text), (*data.Integer)(&s.Bytes))
			s.Bytes = schema.TextBytes(s.Text, s.Bytes)
			s.Text = cutText(s.Text, s.Bytes, maxBytes)
			out = append(out, s)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, markSummariesInContext(ctx, db, out)
}

// column returns a column under an alias if the file has it, else the SQL instead.
func column(s *data.Schema, table, alias, name, instead string) string {
	if s.Has(table, name) {
		return alias + "." + name
	}
	return instead
}

func markSummariesInContext(ctx context.Context, db *data.DB, all []SummaryRow) error {
	place := map[string]int{}
	var conversations []int64
	for i, s := range all {
		place[s.ID] = i
		conversations = append(conversations, s.Conversation)
	}
	if len(all) == 0 {
		return nil
	}
	query := "SELECT ci.summary_id FROM context_items ci WHERE ci.summary_id IS NOT NULL AND " + Conversations(conversations...).Condition("ci.conversation_id")
	return data.Each(ctx, db, "read context", query, nil, func(scan data.RowScanner) error {
		var id string
		err := scan((*data.Text)(&id))
		if i, ok := place[id]; ok {
			all[i].InContext = true
		}
		return err
	})
}

// addSummary adds the conditions that hold for a summary s.
func (w *where) addSummary(schema *data.Schema, conditions []Condition) {
	for _, c := range conditions {
		w.anyOf(c.Not, c.ofSummary(schema)...)
	}
}

func (c Condition) ofSummary(s *data.Schema) (out []where) {
	switch {
	case c.Conversations != nil:
		return []where{{sql: []string{Conversations(c.Conversations...).Condition("s.conversation_id")}}}
	case c.Kinds != nil:
		return c.ofSummaryKinds()
	case c.Times != nil:
		return times(summaryAt, c.Times)
	case c.Summaries != nil:
		return []where{in("s.summary_id", c.Summaries)}
	}
	for _, d := range c.Depths {
		var w where
		w.and(column(s, "summaries", "s", "depth", "0")+" BETWEEN ? AND ?", d[0], d[1])
		out = append(out, w)
	}
	for _, h := range c.Has {
		if h == HasFile && s.Has("summaries", "file_ids") {
			out = append(out, where{sql: []string{"coalesce(s.file_ids, '[]') NOT IN ('[]', '')"}})
		}
	}
	for _, text := range c.Contains {
		var w where
		w.and("instr(s.content, ?) > 0", text)
		out = append(out, w)
	}
	if s.Has("summaries", "model") && c.Models != nil {
		out = append(out, in("s.model", c.Models))
	}
	return out
}

func (c Condition) ofSummaryKinds() []where {
	if slices.Contains(c.Kinds, "summary") {
		return []where{{}}
	}
	return []where{in("s.kind", c.Kinds)}
}

// Sources returns the summaries and messages of which these summaries were made, at any depth.
func Sources(ctx context.Context, db *data.DB, ids []string) (summaries map[string]bool, messages map[int64]bool, err error) {
	summaries, messages = map[string]bool{}, map[int64]bool{}
	for next := ids; len(next) > 0 && err == nil; {
		var found []string
		for chunk := range slices.Chunk(next, maxMarks) {
			if err = eachSource(ctx, db, chunk, func(id string) {
				if !summaries[id] {
					summaries[id] = true
					found = append(found, id)
				}
			}); err != nil {
				return nil, nil, err
			}
			if err = eachSourceMessage(ctx, db, chunk, func(id int64) { messages[id] = true }); err != nil {
				return nil, nil, err
			}
		}
		next = found
	}
	return summaries, messages, nil
}

func eachSource(ctx context.Context, db *data.DB, ids []string, fn func(id string)) error {
	w := in("l.summary_id", ids)
	return data.Each(ctx, db, "read links", "SELECT l.parent_summary_id FROM summary_parents l WHERE "+w.String(), w.args, func(scan data.RowScanner) error {
		var id string
		err := scan((*data.Text)(&id))
		fn(id)
		return err
	})
}

func eachSourceMessage(ctx context.Context, db *data.DB, ids []string, fn func(id int64)) error {
	w := in("l.summary_id", ids)
	return data.Each(ctx, db, "read links", "SELECT l.message_id FROM summary_messages l WHERE "+w.String(), w.args, func(scan data.RowScanner) error {
		var id int64
		err := scan((*data.Integer)(&id))
		fn(id)
		return err
	})
}
