package prune_test

import (
	"testing"

	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/prune"
)

// TestHostsBringNothingBack: after copies, payloads, texts and whole conversations were pruned, a
// host stores what it would have stored without that: at its next start and turn, when it is
// handed the whole history again, and when a transcript was rewritten or has grown. The same after
// the undo of forgotten texts, which restores them from the trash.
func TestHostsBringNothingBack(t *testing.T) {
	t.Parallel()
	if testlength.Short() {
		t.Skip("a host is played in one goroutine")
	}
	source := testdb.Fixture(t, "v0.15.3/rich.db")
	before := testdb.Host(t, source, true)
	for _, verb := range prune.Verbs {
		t.Run(string(verb), func(t *testing.T) {
			t.Parallel()
			after := testdb.Hosted{Path: testdb.Copy(t, source), Sessions: before.Sessions}
			db := open(t, after.Path)
			o := prune.Op{Verb: verb, Selector: everything(), Payload: 16}
			p := plan(t, db, o)
			out := apply(t, db, p)
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			testdb.SameForHost(t, before, after)
			if verb != prune.Text {
				return
			}
			db = open(t, after.Path)
			if err := ops.Undo(t.Context(), db, out.Record); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			testdb.SameForHost(t, before, after)
		})
	}
}
