package ops_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	engine "lcm-tui/engine/compact"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
	"lcm-tui/ops/dissolve"
	"lcm-tui/ops/repair"
	"lcm-tui/ops/transplant"
)

// condensed dissolves the first condensed summary of a context.
func condensed(t *testing.T, db *data.DB) ops.Op {
	t.Helper()
	items, err := lcm.Context(t.Context(), db, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range items {
		if s, err := lcm.ReadSummary(t.Context(), db, it.Summary); err == nil && s.Condensed() {
			return &dissolve.Op{Conversation: 1, Summary: it.Summary}
		}
	}
	t.Fatal("nothing to dissolve")
	return nil
}

func compacting(*testing.T, *data.DB) ops.Op {
	c := engine.Defaults()
	c.FreshTailCount, c.LeafChunkTokens, c.LeafMinFanout, c.CondensedMinFanout = 2, 100, 2, 2
	return &compact.Op{Conversation: 1, Model: model{}, Generate: true, Request: engine.Request{Mode: engine.Sweep, Config: c, Force: true}}
}

// TestContextsAtTheEdgesOfNumbers: where ordinals are negative, or next to the end of what
// a number can be, operations are written, and undone byte for byte, or refused in words.
func TestContextsAtTheEdgesOfNumbers(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, move := range map[string]string{
		"below zero":      "ordinal - 1000",
		"lowest numbers":  fmt.Sprintf("%d + 1 + ordinal", math.MinInt64),
		"highest numbers": fmt.Sprintf("ordinal - (SELECT max(c.ordinal) FROM was c WHERE c.conversation_id = context_items.conversation_id) + %d", math.MaxInt64),
	} {
		for op, request := range map[string]func(*testing.T, *data.DB) ops.Op{
			"dissolve": condensed, "compact": compacting,
			"transplant": func(*testing.T, *data.DB) ops.Op { return &transplant.Op{Source: 2, Target: 1} },
			"repair":     func(*testing.T, *data.DB) ops.Op { return &repair.Op{All: true} },
		} {
			t.Run(fmt.Sprint(op, " at ", name), func(t *testing.T) {
				t.Parallel()
				path := testdb.Sample(t, fakehost.Head)
				h, err := fakehost.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				const was = "CREATE TEMP TABLE was AS SELECT conversation_id, ordinal FROM context_items; "
				if err := errors.Join(h.Exec(was+"UPDATE context_items SET ordinal = "+move), h.Close()); err != nil {
					t.Fatal(err)
				}
				db := testdb.Open(t, path)
				testdb.WithoutHost(db)
				before := testdb.Dump(t, path)
				p, err := request(t, db).Plan(t.Context(), db, func(int, int, string) {})
				var id int64
				if err == nil {
					id, err = ops.Apply(t.Context(), db, p)
				}
				switch {
				case err == nil:
					err = ops.Undo(t.Context(), db, id)
				case hint.Of(err) != "" || errors.Is(err, ops.ErrNothing):
					err = nil
				}
				if err != nil {
					t.Fatal(err)
				}
				if testdb.Dump(t, path) != before {
					t.Error("it isn't what it was")
				}
			})
		}
	}
}
