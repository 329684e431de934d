package rewrite_test

import (
	"errors"
	"strings"
	"testing"

	"lcm-tui/engine/lineage"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops/rewrite"
)

// TestForgottenSourcesAreRefused: no model is asked for a leaf of which a message was forgotten,
// alone, with others, or in an estimate; its text may still be written by hand, and summaries of
// summaries are regenerated from the texts that are there.
func TestForgottenSourcesAreRefused(t *testing.T) {
	t.Parallel()
	db, path := sample(t, fakehost.Head)
	leaf := leafOf(t, db)
	testdb.Forget(t, path, "message_id = (SELECT max(message_id) FROM summary_messages WHERE summary_id = '"+leaf+"')")
	m := &script{answer: short}
	for name, ask := range map[string]bool{"an estimate": false, "a run": true} {
		o := op(m, rewrite.Pick{Summary: leaf})
		o.Ask = ask
		var forgotten *lineage.ForgottenError
		if _, err := o.Plan(t.Context(), db, noReport); !errors.As(err, &forgotten) || len(forgotten.Seqs) != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := m.calls.Load(); n != 0 {
		t.Errorf("%d calls", n)
	}
	p := plan(t, db, op(m, rewrite.Pick{All: true}))
	if len(p.Texts) < 3 || !strings.Contains(strings.Join(p.Warnings, "\n"), leaf+" keeps its old text: the text of its source message") {
		t.Errorf("%d texts, %q", len(p.Texts), p.Warnings)
	}
	for _, text := range p.Texts {
		if text.ID == leaf {
			t.Error("it has a new text")
		}
	}
	if _, err := op(m, rewrite.Pick{Summary: leaf}).Request(t.Context(), db); err == nil {
		t.Error("a prompt was made of stubs")
	}
	o := op(m, rewrite.Pick{Summary: leaf})
	o.Texts = map[string]string{leaf: "what I remember of it"}
	if p := plan(t, db, o); len(p.Texts) != 1 {
		t.Errorf("by hand: %d texts", len(p.Texts))
	}
}
