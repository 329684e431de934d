package textsearch

import (
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// Files returns the large files for which the conditions hold, the newest first. Those of one second stand in
// the order in which SQLite meets them, as in the reference engine, whose statement has no more
// order than this: as they were inserted, or from the newest where the index of one conversation is
// read backwards.
func Files(ctx context.Context, db *data.DB, conditions []Condition) (out []lcm.LargeFile, err error) {
	var w where
	s := db.Schema()
	order := ""
	if s.Has("large_files", "created_at") {
		order = " ORDER BY f.created_at DESC"
	}
	for _, c := range conditions {
		w.anyOf(c.Not, c.ofFile()...)
	}
	query := "SELECT f.file_id, f.conversation_id, f.file_name, f.mime_type, f.storage_uri, f.exploration_summary, f.byte_size, " +
		column(s, "large_files", "f", "created_at", "NULL") + " FROM large_files f WHERE " + w.String() + order
	err = data.Each(ctx, db, "read large files", query, w.args, func(scan data.RowScanner) error {
		var f lcm.LargeFile
		err := scan((*data.Text)(&f.ID), (*data.Integer)(&f.Conversation), (*data.Text)(&f.Name), (*data.Text)(&f.MIME), (*data.Text)(&f.URI),
			(*data.Text)(&f.Exploration), (*data.Integer)(&f.Bytes), &f.CreatedAt)
		out = append(out, f)
		return err
	})
	return out, err
}

func (c Condition) ofFile() (out []where) {
	switch {
	case c.Conversations != nil:
		return []where{{sql: []string{Conversations(c.Conversations...).Condition("f.conversation_id")}}}
	case c.Times != nil:
		return times("f.created_at", c.Times)
	case c.Files != nil:
		return []where{in("f.file_id", c.Files)}
	case slices.Contains(c.Has, HasFile):
		return []where{{}}
	}
	for _, name := range c.FileNames {
		var w where
		w.and("instr(lower(f.file_name), lower(?)) > 0", name)
		out = append(out, w)
	}
	return out
}

// FocusRow is a focus brief that may be a hit.
type FocusRow struct {
	ID           string
	Conversation int64
	At           data.Time
	Text         string
	Active       bool
}

// FocusBriefs returns the focus briefs for which the conditions hold, the newest first.
func FocusBriefs(ctx context.Context, db *data.DB, conditions []Condition) (out []FocusRow, err error) {
	if !db.Schema().Has("focus_briefs", "brief_id", "conversation_id") {
		return nil, nil
	}
	var w where
	for _, c := range conditions {
		w.anyOf(c.Not, c.ofFocus()...)
	}
	query := "SELECT b.brief_id, b.conversation_id, b.created_at, coalesce(b.prompt, '') || char(10) || coalesce(b.content, ''), b.status = 'active' FROM focus_briefs b WHERE " +
		w.String() + " ORDER BY julianday(b.created_at) DESC, b.brief_id"
	err = data.Each(ctx, db, "read focus briefs", query, w.args, func(scan data.RowScanner) error {
		var b FocusRow
		var active data.Integer
		err := scan((*data.Text)(&b.ID), (*data.Integer)(&b.Conversation), &b.At, (*data.Text)(&b.Text), &active)
		b.Active = active != 0
		out = append(out, b)
		return err
	})
	return out, err
}

func (c Condition) ofFocus() []where {
	switch {
	case c.Conversations != nil:
		return []where{{sql: []string{Conversations(c.Conversations...).Condition("b.conversation_id")}}}
	case c.Times != nil:
		return times("b.created_at", c.Times)
	}
	return nil
}
