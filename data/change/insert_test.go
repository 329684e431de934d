package change_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// newMessage returns a row of messages beside which nothing stands.
func newMessage(id int64, more data.Row) data.Row {
	r := data.Row{
		"message_id": id, "conversation_id": int64(1), "seq": id, "role": "user", "content": fmt.Sprint("text ", id),
		"token_count": int64(1), "created_at": "2026-01-01 00:00:00",
	}
	for column, v := range more {
		r[column] = v
	}
	return r
}

// TestRefusedInsertsWriteNothing and say why.
func TestRefusedInsertsWriteNothing(t *testing.T) {
	t.Parallel()
	_, db := beside(t, fakehost.Head)
	was := dump(t, db.Path())
	var stale *data.StaleError
	missing := newMessage(77, nil)
	delete(missing, "role")
	for name, c := range map[string]struct {
		rows []data.Row
		ok   func(error) bool
	}{
		"a column that the file lacks": {
			[]data.Row{newMessage(77, data.Row{"mood": "good"})},
			func(err error) bool { return errors.Is(err, data.ErrRefused) },
		},
		"a row that is there": {
			[]data.Row{newMessage(3, data.Row{"seq": int64(99)})},
			func(err error) bool {
				return errors.As(err, &stale) && strings.Contains(err.Error(), "messages 3 exists already")
			},
		},
		"the same row twice": {
			[]data.Row{newMessage(77, nil), newMessage(77, data.Row{"seq": int64(78)})},
			func(err error) bool { return errors.As(err, &stale) || errors.Is(err, data.ErrConstraint) },
		},
		"a column that must not be empty": {
			[]data.Row{missing},
			func(err error) bool { return errors.Is(err, data.ErrConstraint) },
		},
		"a row that names none": {
			[]data.Row{newMessage(77, data.Row{"conversation_id": int64(9)})},
			func(err error) bool { return errors.Is(err, data.ErrConstraint) },
		},
	} {
		b := change.Batch{Op: "test", Title: name}
		for _, r := range c.rows {
			b.Changes = append(b.Changes, change.Insert(db, "messages", r))
		}
		if _, err := change.Write(t.Context(), db, b); !c.ok(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if dump(t, db.Path()) != was {
		t.Error("something was written")
	}
}

// TestRowsOfManyShapesAreInserted: rows of a table may have other columns each, and as many
// rows as it takes go into one statement; all are there, and undo takes all of them away.
func TestRowsOfManyShapesAreInserted(t *testing.T) {
	t.Parallel()
	_, db := beside(t, fakehost.Head)
	was := dump(t, db.Path())
	b := change.Batch{Op: "test", Title: "many"}
	const n = 151 // No multiple of the rows of a statement.
	for i := range int64(n) {
		more := data.Row{}
		if i%7 == 0 {
			more["transcript_entry_id"] = fmt.Sprint("entry", i)
		}
		b.Changes = append(b.Changes, change.Insert(db, "messages", newMessage(100+i, more)),
			change.Insert(db, "message_parts", data.Row{
				"part_id": fmt.Sprint("part", i), "message_id": 100 + i, "session_id": "s", "part_type": "text", "ordinal": int64(0), "text_content": "t",
			}))
	}
	record, err := change.Write(t.Context(), db, b)
	must(t, err)
	for query, want := range map[string]int{
		"SELECT count(*) FROM messages WHERE message_id >= 100":                                       n,
		"SELECT count(*) FROM messages WHERE transcript_entry_id = 'entry' || (message_id - 100)":     22,
		"SELECT count(*) FROM message_parts p JOIN messages m USING (message_id) WHERE m.seq >= 100":  n,
		"SELECT count(*) FROM messages_fts WHERE messages_fts MATCH 'text' AND rowid >= 100":          n,
		"SELECT count(*) FROM messages WHERE message_id >= 100 AND content <> 'text ' || message_id ": 0,
	} {
		if got, err := testdb.Count(db.Path(), query); err != nil || got != want {
			t.Errorf("%s: %d, want %d (%v)", query, got, want, err)
		}
	}
	must(t, change.Undo(t.Context(), db, record))
	if dump(t, db.Path()) != was {
		t.Error("undo left something")
	}
}

// TestFitRow: of a row of another file what this one has no column for is named, where it
// holds something.
func TestFitRow(t *testing.T) {
	t.Parallel()
	db := open(t, sample(t, fakehost.V0_6))
	fit, lacking := data.FitRow(db, "messages", data.Row{"message_id": int64(1), "content": "x", "identity_hash": "h", "large_content": nil, "zeal": "z"})
	if fmt.Sprint(lacking) != "[identity_hash zeal]" || len(fit) != 2 || fit["content"] != "x" {
		t.Errorf("%v fit, and %v are lacking", fit, lacking)
	}
	c := change.Update(db, "messages", data.Row{"message_id": int64(1), "content": "x"}, data.Row{"content": "y", "zeal": "z"})
	if _, has := c.After["zeal"]; has || c.After["content"] != "y" || c.Before["content"] != "x" {
		t.Errorf("the change is %+v", c)
	}
}
