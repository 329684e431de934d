package draft_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops/repair/draft"
)

// sample opens a sound database of the newest version.
func sample(t *testing.T) *data.DB {
	t.Helper()
	return testdb.Open(t, testdb.Sample(t, fakehost.Head))
}

// describe lists changes as table, key, and what each does.
func describe(changes []change.Change) (out []string) {
	for _, c := range changes {
		verb := "update "
		switch {
		case c.Before == nil:
			verb = "insert "
		case c.After == nil:
			verb = "delete "
		}
		out = append(out, verb+c.Label())
	}
	return out
}

// TestARowChangesOnce however many stages change it: one change holds what each of them knew
// of it.
func TestARowChangesOnce(t *testing.T) {
	t.Parallel()
	rows := draft.NewRows(sample(t).Schema())
	rows.Set("messages", data.Row{"message_id": int64(4), "role": "user"}, data.Row{"role": "tool"})
	rows.Set("messages", data.Row{"message_id": int64(4), "token_count": int64(7)}, data.Row{"token_count": int64(9)})
	got := rows.Changes()
	want := []change.Change{{
		Table: "messages", Key: []string{"message_id"},
		Before: data.Row{"message_id": int64(4), "role": "user", "token_count": int64(7)},
		After:  data.Row{"message_id": int64(4), "role": "tool", "token_count": int64(9)},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if v := rows.Value("messages", data.Row{"message_id": int64(4)}, "role"); v != "tool" {
		t.Errorf("the role will be %v", v)
	}
}

// TestWhatComesToNothingIsNoChange: a value that is set back, a row that is inserted and
// deleted, and columns that a table lacks.
func TestWhatComesToNothingIsNoChange(t *testing.T) {
	t.Parallel()
	rows := draft.NewRows(sample(t).Schema())
	was := data.Row{"message_id": int64(4), "role": "user"}
	rows.Set("messages", was, data.Row{"role": "tool"})
	rows.Set("messages", was, data.Row{"role": "user"})
	rows.Set("messages", data.Row{"message_id": int64(5)}, data.Row{"no_such_column": "x"})
	rows.Insert("message_parts", data.Row{"part_id": "new"})
	rows.Delete("message_parts", data.Row{"part_id": "new"})
	if got := describe(rows.Changes()); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

// TestADeletedRowStaysDeleted until it is inserted again.
func TestADeletedRowStaysDeleted(t *testing.T) {
	t.Parallel()
	rows := draft.NewRows(sample(t).Schema())
	key := data.Row{"summary_id": "sum_1"}
	rows.Delete("summaries", data.Row{"summary_id": "sum_1", "depth": int64(2)})
	rows.Set("summaries", key, data.Row{"depth": int64(3)})
	if !rows.IsDeleted("summaries", key) || !rows.Has("summaries", key) {
		t.Error("it came back by a change")
	}
	if got := describe(rows.Changes()); len(got) != 1 || got[0] != "delete summaries sum_1" {
		t.Errorf("%q", got)
	}
	rows.Insert("summaries", data.Row{"summary_id": "sum_1", "depth": int64(4)})
	if got := describe(rows.Changes()); len(got) != 1 || got[0] != "update summaries sum_1" || rows.IsDeleted("summaries", key) {
		t.Errorf("inserted again: %q", got)
	}
}

// TestKeysTellTypesApart: a text, a number and a BLOB of the same look are three rows; and a
// long key, which no host writes, is distinguished from others by its digest.
func TestKeysTellTypesApart(t *testing.T) {
	t.Parallel()
	rows := draft.NewRows(sample(t).Schema())
	long := strings.Repeat("x", 1<<20)
	for _, id := range []any{"7", int64(7), []byte("7"), long, long + "y"} {
		rows.Delete("summaries", data.Row{"summary_id": id})
	}
	rows.Delete("summaries", data.Row{"summary_id": long})
	if got := len(rows.Changes()); got != 5 {
		t.Errorf("%d rows, want 5", got)
	}
}

// TestCells reads cells of any type.
func TestCells(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cell   any
		number int64
		text   string
	}{
		{int64(3), 3, ""}, {"3", 0, "3"}, {[]byte("3"), 0, "3"}, {nil, 0, ""}, {3.5, 0, ""},
	} {
		if n, s := draft.Number(c.cell), draft.Text(c.cell); n != c.number || s != c.text {
			t.Errorf("%#v is read as %d and %q", c.cell, n, s)
		}
	}
}
