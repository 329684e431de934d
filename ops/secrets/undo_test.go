package secrets_test

import (
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/dissolve"
	"lcm-tui/ops/rewrite"
	"lcm-tui/ops/secrets"
)

// faults returns what the doctor finds, without the one that secrets are.
func faults(t *testing.T, db *data.DB) (out []string) {
	t.Helper()
	r, err := integrity.Check(t.Context(), db, integrity.Request{}, noReport)
	check(t, err)
	for _, f := range r.Findings {
		if f.Fault != integrity.SecretStored {
			out = append(out, string(f.Fault)+" "+f.Row)
		}
	}
	return out
}

// TestOlderRecordsCanStillBeUndone: also where they have counters of summaries above a text that
// was changed. The undo brings no secret back and leaves no counter wrong.
func TestOlderRecordsCanStillBeUndone(t *testing.T) {
	t.Parallel()
	p := newPlanted()
	path := plant(t, p)
	const leafWithKey, top = "SELECT summary_id FROM summaries WHERE content LIKE 'The user gave the token%'", "SELECT summary_id FROM summaries WHERE content LIKE 'Keys were exchanged%'"
	leaf, condensed := testdb.Rows(t, path, leafWithKey)[0], testdb.Rows(t, path, top)[0]
	db := open(t, path)
	found, err := secrets.Find(t.Context(), db, secrets.Request{}, nil)
	check(t, err)
	conv := *found.Findings[0].Conversation
	for name, op := range testlength.SomeOf(map[string]ops.Op{
		"dissolve":           &dissolve.Op{Conversation: conv, Summary: condensed},
		"dissolve, deleted":  &dissolve.Op{Conversation: conv, Summary: condensed, Purge: true},
		"rewrite of a leaf":  &rewrite.Op{Conversation: conv, Pick: rewrite.Pick{Summary: leaf}, Texts: map[string]string{leaf: "Nothing was given, but " + p.slack + " " + strings.Repeat("and so on ", 9)}},
		"rewrite of the top": &rewrite.Op{Conversation: conv, Pick: rewrite.Pick{Summary: condensed}, Texts: map[string]string{condensed: "Only words."}},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Copy(t, path)
			db := open(t, path)
			before := faults(t, db)
			plan, err := op.Plan(t.Context(), db, noReport)
			check(t, err)
			out, err := ops.ApplyPlan(t.Context(), db, plan)
			check(t, err)
			sweep := &secrets.Op{}
			_, err = apply(t, db, sweep)
			check(t, err)
			check(t, ops.Undo(t.Context(), db, out.Record))
			for _, f := range faults(t, db) {
				if !slices.Contains(before, f) {
					t.Errorf("after the undo the doctor finds %s", f)
				}
			}
			check(t, sweep.Prove(t.Context(), db, noReport))
			if !sweep.Result.Gone() && !sweep.Result.OnlyInPages() { // What was in a free page before the sweep stays there.
				t.Errorf("the undo brought back %+v", sweep.Result.Proof)
			}
			if rows := testdb.Rows(t, path, "SELECT count(*) FROM summaries WHERE summary_id IN ('"+leaf+"', '"+condensed+"') AND content LIKE '%REDACTED:github-token#1%'"); rows[0] != "2" {
				t.Errorf("%s of the summaries have their text again", rows[0])
			}
			check(t, db.Close())
		})
	}
	check(t, db.Close())
}
