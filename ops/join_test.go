package ops_test

import (
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/hint"
	"lcm-tui/ops"
)

// setting returns a plan that changes a column of a summary's row.
func setting(column string, was, is any) ops.Plan {
	p := ops.New("test", "set "+column)
	key := []string{"summary_id"}
	p.Changes = append(p.Changes, change.Change{
		Table: "summaries", Key: key, Before: data.Row{"summary_id": "sum_1", column: was}, After: data.Row{"summary_id": "sum_1", column: is},
	})
	return p
}

// TestJoinMakesOneChangeOfARow where two plans agree, and names both where they don't.
func TestJoinMakesOneChangeOfARow(t *testing.T) {
	t.Parallel()
	all := ops.New("test", "")
	for conv, p := range []ops.Plan{setting("depth", int64(1), int64(2)), setting("model", "a", "b"), setting("depth", int64(1), int64(2))} {
		if err := ops.Join(&all, p, int64(conv), "conversation"); err != nil {
			t.Fatal(err)
		}
	}
	want := data.Row{"summary_id": "sum_1", "depth": int64(2), "model": "b"}
	if len(all.Changes) != 1 || !all.Changes[0].After.Equal(want) {
		t.Errorf("%+v", all.Changes)
	}
	for _, p := range []ops.Plan{setting("depth", int64(1), int64(3)), setting("depth", int64(7), int64(2))} {
		if err := ops.Join(&all, p, 9, "conversation 9"); hint.Of(err) != "apply those of conversation 0 first, and plan those of conversation 9 again after that" {
			t.Errorf("got %v", err)
		}
	}
	if len(all.Changes) != 1 || !all.Changes[0].After.Equal(want) {
		t.Errorf("a refused plan was joined: %+v", all.Changes)
	}
}

// TestJoinRefusesTwoPlansOfOneContext, also where they touch different places of it.
func TestJoinRefusesTwoPlansOfOneContext(t *testing.T) {
	t.Parallel()
	place := func(ordinal int64) ops.Plan {
		p := ops.New("test", "")
		p.Changes = append(p.Changes, change.Change{
			Table: "context_items", Key: []string{"conversation_id", "ordinal"}, Before: data.Row{"conversation_id": int64(5), "ordinal": ordinal},
		})
		return p
	}
	all := ops.New("test", "")
	if err := ops.Join(&all, place(1), 5, "conversation 5"); err != nil {
		t.Fatal(err)
	}
	if err := ops.Join(&all, place(2), 6, "conversation 6"); hint.Of(err) == "" {
		t.Errorf("got %v", err)
	}
}
