package slice

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/plural"
)

// choose fills the temporary tables with what was asked for.
func (w *writer) choose(ctx context.Context) error {
	for _, statement := range []string{
		"CREATE TEMP TABLE chosen (id INTEGER PRIMARY KEY)", "CREATE TEMP TABLE chosen_message (id INTEGER PRIMARY KEY)",
	} {
		if _, err := w.exec(ctx, statement); err != nil {
			return err
		}
	}
	if len(w.request.Messages) > 0 {
		return w.chooseMessages(ctx)
	}
	if err := w.insertIDs(ctx, "chosen", w.request.Conversations); err != nil {
		return err
	}
	if err := w.checkChosen(ctx, "conversation", "SELECT id FROM temp.chosen WHERE id NOT IN (SELECT conversation_id FROM source.conversations)"); err != nil {
		return err
	}
	w.result.Conversations = slices.Sorted(slices.Values(w.request.Conversations))
	w.result.Conversations = slices.Compact(w.result.Conversations)
	return w.chooseLineage(ctx)
}

// chooseMessages chooses messages, and the conversations that they are of.
func (w *writer) chooseMessages(ctx context.Context) error {
	if err := w.insertIDs(ctx, "chosen_message", w.request.Messages); err != nil {
		return err
	}
	if err := w.checkChosen(ctx, "message", "SELECT id FROM temp.chosen_message WHERE id NOT IN (SELECT message_id FROM source.messages)"); err != nil {
		return err
	}
	_, err := w.exec(ctx, `INSERT INTO temp.chosen SELECT DISTINCT m.conversation_id FROM source.messages m
		WHERE m.message_id IN (SELECT id FROM temp.chosen_message) AND typeof(m.conversation_id) = 'integer'`)
	if err != nil {
		return err
	}
	return w.each(ctx, "SELECT id FROM temp.chosen ORDER BY id", func(scan data.RowScanner) error {
		var id int64
		err := scan(&id)
		w.result.Conversations = append(w.result.Conversations, id)
		return err
	})
}

// idsPerStatement is how many ids one statement takes.
const idsPerStatement = 10_000

func (w *writer) insertIDs(ctx context.Context, table string, ids []int64) error {
	for chunk := range slices.Chunk(ids, idsPerStatement) {
		b, err := json.Marshal(chunk)
		if err != nil {
			return err
		}
		if _, err := w.exec(ctx, "INSERT OR IGNORE INTO temp."+table+" SELECT value FROM json_each(?)", string(b)); err != nil {
			return err
		}
	}
	return nil
}

// checkChosen fails with a *data.NotFoundError where the query finds an id.
func (w *writer) checkChosen(ctx context.Context, what, query string) error {
	return w.each(ctx, query, func(scan data.RowScanner) error {
		var id int64
		if err := scan(&id); err != nil {
			return err
		}
		return &data.NotFoundError{What: what, ID: strconv.FormatInt(id, 10), Path: w.db.Path()}
	})
}

// crossings are the queries for the links that lead to conversations that aren't chosen, by
// table.
var crossings = []struct{ table, from string }{
	{"summary_messages", `FROM source.summaries s JOIN source.summary_messages l ON l.summary_id = s.summary_id
		JOIN source.messages o ON o.message_id = l.message_id`},
	{"summary_parents", `FROM source.summaries s JOIN source.summary_parents l ON l.summary_id = s.summary_id
		JOIN source.summaries o ON o.summary_id = l.parent_summary_id`},
	{"context_items", "FROM source.context_items s JOIN source.messages o ON o.message_id = s.message_id"},
	{"context_items", "FROM source.context_items s JOIN source.summaries o ON o.summary_id = s.summary_id"},
}

// crossingLinks returns the links that lead from chosen conversations to others.
func (w *writer) crossingLinks(ctx context.Context) (out []Crossing, err error) {
	for _, c := range crossings {
		if w.table(c.table) == nil || w.table("messages") == nil || w.table("summaries") == nil {
			continue
		}
		query := "SELECT o.conversation_id, count(*) " + c.from + " WHERE " + inConversations + " AND o.conversation_id NOT IN (SELECT id FROM temp.chosen) GROUP BY 1 ORDER BY 1"
		err := w.each(ctx, query, func(scan data.RowScanner) error {
			found := Crossing{Table: c.table}
			err := scan((*data.Integer)(&found.Conversation), &found.Links)
			out = append(out, found)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", c.table, err)
		}
	}
	return out, nil
}

// lineageError says that links lead from the chosen conversations to others, and how to decide.
func lineageError(crossings []Crossing) error {
	parts := make([]string, 0, len(crossings))
	for _, c := range crossings {
		parts = append(parts, fmt.Sprintf("%s to conversation %d (%s)", plural.Count(c.Links, "link", "links"), c.Conversation, c.Table))
	}
	return hint.New("the chosen conversations have links to others: "+strings.Join(parts, ", "),
		"take the other conversations too, --with-lineage, or leave these links out, --cut-lineage")
}

// chooseLineage decides what becomes of links to other conversations.
func (w *writer) chooseLineage(ctx context.Context) error {
	for {
		found, err := w.crossingLinks(ctx)
		if err != nil || len(found) == 0 || w.request.Lineage == LineageKeep {
			return err
		}
		switch w.request.Lineage {
		case LineageRefuse:
			return lineageError(found)
		case LineageCut:
			for _, c := range found {
				w.result.Cut[c.Table] += c.Links
			}
			return nil
		}
		var more []int64
		for _, c := range found {
			more = append(more, c.Conversation)
		}
		if err := w.insertIDs(ctx, "chosen", more); err != nil {
			return err
		}
		w.result.Added = append(w.result.Added, more...)
		slices.Sort(w.result.Added)
		w.result.Added = slices.Compact(w.result.Added)
	}
}
