package slice

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"lcm-tui/data"
)

// Survey is what a slice would hold.
type Survey struct {
	Parts    []Part
	Crossing []Crossing // Links from the chosen conversations to others, which Lineage decides about.
	LeftOut  []LeftOut
}

// Part is what a slice would hold of a conversation.
type Part struct {
	Conversation                      int64
	Messages, Summaries, Items, Files int64 // Items are those of the context, Files the large files.
	Added                             bool  // Only links lead to it.
}

// Look says what Write would copy. It writes nothing, and doesn't fail where links lead to other conversations.
func Look(ctx context.Context, db *data.DB, r Request) (out Survey, err error) {
	if err := checkRequest(db, r); err != nil {
		return out, err
	}
	pool, err := sql.Open("sqlite", "file::memory:")
	if err != nil {
		return out, err
	}
	defer func() { err = data.WrapError(db.Path(), "slice", errors.Join(err, pool.Close())) }()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return out, err
	}
	defer conn.Close()
	w := &writer{Conn: conn, db: db, request: r, result: &Result{Cut: map[string]int64{}}, report: func(int, int, string) {}}
	return out, w.look(ctx, &out)
}

// look fills in a survey.
func (w *writer) look(ctx context.Context, out *Survey) error {
	if err := w.attach(ctx); err != nil {
		return err
	}
	if _, err := w.exec(ctx, "BEGIN"); err != nil {
		return err
	}
	if err := w.readSchema(ctx); err != nil {
		return err
	}
	lineage := w.request.Lineage
	w.request.Lineage = LineageKeep
	err := w.choose(ctx)
	if err != nil {
		return err
	}
	if out.Crossing, err = w.crossingLinks(ctx); err != nil {
		return err
	}
	if w.request.Lineage = lineage; lineage == LineageTake {
		if err := w.chooseLineage(ctx); err != nil {
			return err
		}
	}
	if err := w.planSteps(ctx); err != nil {
		return err
	}
	out.LeftOut = w.result.LeftOut
	return w.countParts(ctx, out)
}

// countParts counts the rows of each conversation.
func (w *writer) countParts(ctx context.Context, out *Survey) error {
	at := map[int64]int{}
	for _, id := range slices.Concat(w.result.Conversations, w.result.Added) {
		at[id] = len(out.Parts)
		out.Parts = append(out.Parts, Part{Conversation: id, Added: slices.Contains(w.result.Added, id)})
	}
	for _, c := range []struct {
		table string
		count func(*Part) *int64
	}{
		{"messages", func(p *Part) *int64 { return &p.Messages }},
		{"summaries", func(p *Part) *int64 { return &p.Summaries }},
		{"context_items", func(p *Part) *int64 { return &p.Items }},
		{"large_files", func(p *Part) *int64 { return &p.Files }},
	} {
		if w.table(c.table) == nil {
			continue
		}
		query := "SELECT s.conversation_id, count(*) FROM source." + c.table + " s WHERE " + inConversations + " GROUP BY 1"
		err := w.each(ctx, query, func(scan data.RowScanner) error {
			var id, n int64
			err := scan(&id, &n)
			if i, known := at[id]; known {
				*c.count(&out.Parts[i]) = n
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
