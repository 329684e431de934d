package pending_test

import (
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/pending"
	"lcm-tui/internal/testdb"
)

// TestExplanations say in words, and with times as the caller writes them, what a verdict says in
// those of the host.
func TestExplanations(t *testing.T) {
	t.Parallel()
	stamp := func(data.Time) string { return "TIME" }
	for file, want := range map[string]map[string]string{
		"rich.db": {
			"pcb_2799fc304cae2a1c_6a133768981ea0be": "the host publishes it after a turn, once the context is over its threshold",
			"pcb_a4ab05d65d2922d4_2b16e1f9b3553bd6": "the conversation is archived, and the host doesn't work on archived ones",
			"pcb_6993be9c7a70ec0d_1495193962222ed0": "the node of ordinals 10 to 17: the lease ran out at TIME; the host takes the node over at its next pass",
			"pcb_dc792b71b5fd78c6_ef6707b7913364d6": "its texts became summaries of the context",
			"pcb_93c97074c786c6eb_8234b3dafa41c3f7": "it was given up: its range is no longer older than the fresh tail",
		},
		"faults/pending-source-edited.db": {
			"pcb_63dc19ef6f1455d4_6c2746efa9a4c37e": "messages or summaries of its range are not what they were when it was planned; the host gives the batch up and plans another",
		},
		"faults/pending-running-without-lease.db": {
			"pcb_63dc19ef6f1455d4_6c2746efa9a4c37e": "every attempt to publish it fails: the node of ordinals 10 to 21 is marked as running without a lease, so the host never takes it up again",
		},
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			batches, err := pending.Read(t.Context(), testdb.Open(t, testdb.Fixture(t, "v1.0/"+file)), 0, data.WholeText)
			if err != nil {
				t.Fatal(err)
			}
			found := 0
			for _, b := range batches {
				text, ok := want[b.ID]
				if !ok {
					continue
				}
				found++
				if got := b.Judge(options()).Explain(b, at, stamp); got != text {
					t.Errorf("%s: %q, not %q", b.ID, got, text)
				}
			}
			if found != len(want) {
				t.Errorf("%d of %d batches", found, len(want))
			}
		})
	}
}
