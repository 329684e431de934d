package change_test

import (
	"errors"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
)

// TestGuards: a count that isn't what the plan saw refuses the write; rows beyond a bound
// don't count.
func TestGuards(t *testing.T) {
	t.Parallel()
	_, db := beside(t, fakehost.Head)
	conv := data.Row{"conversation_id": int64(1)}
	for name, c := range map[string]struct {
		guard change.Guard
		stale string // What the error names, or empty where the write is made.
	}{
		"as many rows":             {change.Guard{Table: "messages", Where: conv, Count: 20}, ""},
		"fewer rows":               {change.Guard{Table: "messages", Where: conv, Count: 21}, "20 rows where the plan saw 21"},
		"more rows":                {change.Guard{Table: "messages", Where: conv, Count: 19}, "20 rows where the plan saw 19"},
		"rows up to a bound":       {change.Guard{Table: "messages", Where: conv, UpTo: data.Row{"seq": int64(5)}, Count: 5}, ""},
		"no rows of a value":       {change.Guard{Table: "messages", Where: data.Row{"role": "tool"}, Count: 0}, ""},
		"rows without a value":     {change.Guard{Table: "context_items", Where: data.Row{"summary_id": nil}, Count: 20}, ""},
		"a missing value is nulls": {change.Guard{Table: "context_items", Where: data.Row{"summary_id": nil}, Count: 1}, "context_items"},
	} {
		b := retitle(t, db, name)
		b.Guards = []change.Guard{c.guard}
		var stale *data.StaleError
		_, err := change.Write(t.Context(), db, b)
		switch {
		case c.stale == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.stale != "" && (!errors.As(err, &stale) || !strings.Contains(err.Error(), c.stale)):
			t.Errorf("%s: %v, want %q", name, err, c.stale)
		}
		if got := change.Check(t.Context(), db, b); c.stale != "" && !errors.As(got, &stale) {
			t.Errorf("%s: a look without writing says %v", name, got)
		}
	}
}

// TestGuardOfAContext: what is appended is no reason to plan again; what changes before the
// last item that the plan saw is, even where the number of items stays the same.
func TestGuardOfAContext(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change string
		stale  bool
	}{
		"nothing":                  {"SELECT 1", false},
		"an item behind":           {"INSERT INTO context_items (conversation_id, ordinal, item_type, message_id) VALUES (1, 20, 'message', 1)", false},
		"another conversation":     {"INSERT INTO context_items (conversation_id, ordinal, item_type, message_id) VALUES (2, 0, 'message', 1)", false},
		"an item less":             {"DELETE FROM context_items WHERE ordinal = 4", true},
		"another message in place": {"UPDATE context_items SET message_id = 1 WHERE ordinal = 4", true},
		"another ordinal":          {"UPDATE context_items SET ordinal = -1 WHERE ordinal = 0", true},
		"two items change places":  {"UPDATE context_items SET message_id = 7 - message_id WHERE message_id IN (3, 4)", true},
	} {
		h, db := beside(t, fakehost.Head)
		_, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:other", Active: true})
		must(t, err)
		items, err := lcm.Context(t.Context(), db, 1)
		must(t, err)
		b := retitle(t, db, name)
		b.Guards = []change.Guard{change.GuardContext(1, items)}
		must(t, h.Exec(c.change))
		var stale *data.StaleError
		if _, err := change.Write(t.Context(), db, b); (err != nil) != c.stale || c.stale && !errors.As(err, &stale) {
			t.Errorf("%s: %v, want stale: %v", name, err, c.stale)
		}
	}
	h, db := beside(t, fakehost.Head)
	must(t, h.Exec("UPDATE context_items SET ordinal = 'x' WHERE ordinal = 4"))
	items, err := lcm.Context(t.Context(), db, 1)
	must(t, err)
	b := retitle(t, db, "an ordinal that is no number")
	b.Guards = []change.Guard{change.GuardContext(1, items)}
	if err := change.Check(t.Context(), db, b); err != nil {
		t.Errorf("nobody wrote to a context with an ordinal that is no number: %v", err)
	}
	if g := change.GuardContext(1, nil); g.Count != 0 || g.UpTo != nil || g.Digest != "" {
		t.Errorf("the guard of an empty context: %+v", g)
	}
}
