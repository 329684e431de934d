package transplant_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/engine/lineage"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/transplant"
)

// hasHint reports whether a user can act on an error.
func hasHint(err error) bool {
	return hint.Of(err) != "" && !strings.Contains(err.Error(), "\n")
}

// roundTripOrRefusal plans: the plan is refused in words, or it is applied, passes a check,
// and is undone to the last byte.
func roundTripOrRefusal(t *testing.T, path string, op *transplant.Op, check func()) {
	t.Helper()
	db := open(t, path)
	was := dump(t, path)
	p, err := op.Plan(t.Context(), db, noReport)
	if err == nil {
		var id int64
		if id, err = ops.Apply(t.Context(), db, p); err == nil {
			checkContext(t, db, p)
			check()
			if err := ops.Undo(t.Context(), db, id); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err != nil && !hasHint(err) && !errors.Is(err, ops.ErrNothing) {
		t.Errorf("no hint: %v", err)
	}
	if got := dump(t, path); got != was {
		t.Errorf("the file is another:\n%s", cmp.Diff(was, got))
	}
}

// TestFaultsInTheSource: damage isn't copied.
func TestFaultsInTheSource(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, fault := range []string{
		"bad-values", "context-missing-message", "context-missing-summary", "cross-conversation", "cycle", "dangling-edges",
		"depth-mismatch", "diamond", "empty-message", "file-row-missing", "hostile-text", "kind-mismatch", "malformed-json",
		"missing-optional-tables", "missing-source-row", "no-fts", "no-sources", "overlap", "truncated-file",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			from := sampleWith(t, fault)
			to := otherConversation(t, fakehost.Head)
			op := &transplant.Op{Source: 1, Target: 1, From: from, Messages: true}
			roundTripOrRefusal(t, to, op, func() { checkNoFaults(t, to, "counters", "out of order") }) // Those come as they were.
		})
	}
}

// TestFaultsInTheTarget: they are left as they are.
func TestFaultsInTheTarget(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	from := otherConversation(t, fakehost.Head)
	host(t, from, func(h *fakehost.Writer) error {
		_, err := h.Leaf(1, []int64{1, 2, 3}, "a leaf of the first three messages of that conversation")
		return err
	})
	for _, fault := range []string{
		"context-double", "context-duplicate", "context-empty", "context-missing-message", "negative-ordinal",
		"cross-conversation", "cycle", "no-fts", "missing-optional-tables", "bad-values",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			roundTripOrRefusal(t, sampleWith(t, fault), &transplant.Op{Source: 1, Target: 1, From: from, Messages: true}, func() {})
		})
	}
}

// sampleWith returns a sample with a fault, or a skip for a file that can't be opened.
func sampleWith(t *testing.T, fault string) string {
	t.Helper()
	path := t.TempDir() + "/lcm.db"
	err := sampleCache.Sample(path, fakehost.Head, fault)
	if errors.Is(err, faults.ErrUnfit) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	db := open(t, path)
	g, err := lineage.Load(t.Context(), db, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	foreign := g.Nodes()[0].ID
	refused(t, db, &transplant.Op{Source: 1, Target: 1}, "the same conversation")
	refused(t, db, &transplant.Op{Source: 1, Target: 1, From: path}, "the same conversation")
	refused(t, db, &transplant.Op{Source: 1, Target: 2}, "conversation 2 is archived")
	refused(t, db, &transplant.Op{Source: 2, Target: 1, Summaries: []string{"sum_none"}}, "there is no summary sum_none")
	host(t, path, func(h *fakehost.Writer) error {
		_, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:third", Active: true})
		return err
	})
	refused(t, db, &transplant.Op{Source: 1, Target: 3, Summaries: []string{foreign}}, "belongs to conversation 2")
	for _, op := range []*transplant.Op{{Source: 9, Target: 1}, {Source: 1, Target: 9}, {Source: 1, Target: 1, From: path + ".none"}} {
		if _, err := op.Plan(t.Context(), db, noReport); err == nil || errors.Is(err, ops.ErrNothing) {
			t.Errorf("%+v: %v", op, err)
		}
	}
	if _, err := (&transplant.Op{Source: 3, Target: 1}).Plan(t.Context(), db, noReport); !errors.Is(err, ops.ErrNothing) {
		t.Errorf("an empty source: %v", err)
	}
}

// TestCycles: they are refused by name, and other branches are copied.
func TestCycles(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"cycle", "self-loop"} {
		from, to := sampleWith(t, fault), otherConversation(t, fakehost.Head)
		refused(t, open(t, to), &transplant.Op{Source: 1, Target: 1, From: from}, "form a cycle")
	}
}

// TestCancelled: planning stops when nobody waits for it.
func TestCancelled(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	ctx, cancel := context.WithCancel(t.Context())
	db := open(t, path)
	_, err := (&transplant.Op{Source: 2, Target: 1}).Plan(ctx, db, func(done, _ int, _ string) {
		if done == 2 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestWarnings: what the host may do to the target is said before it does.
func TestWarnings(t *testing.T) {
	t.Parallel()
	for want, edit := range map[string]string{
		"compacting the target now":    `INSERT OR REPLACE INTO conversation_compaction_maintenance (conversation_id, running) VALUES (1, 1)`,
		"will compact the target soon": `INSERT OR REPLACE INTO conversation_compaction_maintenance (conversation_id, pending) VALUES (1, 1)`,
		"over its budget of 100":       `INSERT OR REPLACE INTO conversation_compaction_maintenance (conversation_id, token_budget) VALUES (1, 100)`,
		"focus brief is active":        `UPDATE focus_briefs SET status = 'active'`,
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			path := sample(t, fakehost.Head)
			host(t, path, func(h *fakehost.Writer) error { return h.Exec(edit) })
			p := plan(t, open(t, path), &transplant.Op{Source: 2, Target: 1})
			if !strings.Contains(strings.Join(p.Warnings, "\n"), want) {
				t.Errorf("the warnings are %q", p.Warnings)
			}
		})
	}
}

// TestForkAsSource: a file of a fork of the format is read as far as its
// columns go.
func TestForkAsSource(t *testing.T) {
	t.Parallel()
	from, to := sample(t, fakehost.V0_3), otherConversation(t, fakehost.Head)
	host(t, from, func(h *fakehost.Writer) error {
		for _, q := range []string{
			"CREATE TABLE promoted (id TEXT)", "ALTER TABLE summaries DROP COLUMN earliest_at",
			"ALTER TABLE messages RENAME COLUMN token_count TO tokens", "DROP INDEX IF EXISTS message_parts_type_idx",
		} {
			if err := h.Exec(q); err != nil {
				return err
			}
		}
		return nil
	})
	db := open(t, to)
	p := plan(t, db, &transplant.Op{Source: 1, Target: 1, From: from})
	apply(t, db, p)
	checkNoFaults(t, to)
	warnings := strings.Join(p.Warnings, "\n")
	for _, want := range []string{"lossless-claude", "messages.tokens"} {
		if !strings.Contains(warnings, want) {
			t.Errorf("the warnings don't say %q: %s", want, warnings)
		}
	}
	if n, err := testdb.Count(to, "SELECT count(*) FROM messages WHERE token_count <= 0 AND content <> ''"); err != nil || n > 0 {
		t.Errorf("%d messages count no tokens, %v", n, err)
	}
	var ro *data.Error
	if _, err := ops.Apply(t.Context(), open(t, from), p); !errors.As(err, &ro) || !errors.Is(err, data.ErrReadOnly) {
		t.Errorf("a relative was written: %v", err)
	}
}
