package pending_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/pending"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// at is a time at which no lease and no wait of the fixtures runs any more.
var at = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// options returns those under which the hosts of the fixtures ran.
func options() pending.Options {
	return pending.Options{Now: at, TailStart: assemble.Tail{Count: 6}.Start}
}

// judged returns the active batches of a database with their verdicts, by id.
func judged(t *testing.T, path string, o pending.Options) map[string]pending.Verdict {
	t.Helper()
	db := testdb.Open(t, path)
	batches, err := pending.Read(t.Context(), db, 0, data.WholeText)
	if err != nil {
		t.Fatal(err)
	}
	states, err := pending.ReadStates(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]pending.Verdict{}
	for _, b := range batches {
		v := b.Judge(o)
		if out[b.ID] = v; !b.Active() && v.Outcome != pending.Finished {
			t.Errorf("batch %s is %s: %+v", b.ID, b.Status, v)
		}
		if b.Active() && !b.Superseded && states[b.Conversation] != b.State(db.Now()) {
			t.Errorf("conversation %d is listed as %q, its batch is %q", b.Conversation, states[b.Conversation], b.State(db.Now()))
		}
	}
	return out
}

// TestWhatTheHostDid with a batch of a damaged file, is what the verdict says beforehand.
func TestWhatTheHostDid(t *testing.T) {
	t.Parallel()
	for _, path := range testdb.FixtureFiles(t, "v1.0/faults/*.json") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var golden struct {
				TheEngine struct {
					Says   []string
					Became []struct{ Batch, Status, Failure string }
				}
			}
			if err := json.Unmarshal(text, &golden); err != nil || len(golden.TheEngine.Became) == 0 {
				t.Fatal(err)
			}
			verdicts := judged(t, testdb.Copy(t, strings.TrimSuffix(path, ".json")+".db"), options())
			for i, b := range golden.TheEngine.Became {
				v := verdicts[b.Batch]
				switch {
				case i > 0: // The host looks at it when the newest is published: then it has become stale.
					if v.Outcome != pending.Ignores || v.State != pending.Ignored {
						t.Errorf("%s: %+v", b.Batch, v)
					}
				case b.Status == lcm.BatchPublished:
					if v.Outcome != pending.Publishes || v.Reason != "" || v.State != pending.Prepared {
						t.Errorf("%s: %+v", b.Batch, v)
					}
				case b.Status == lcm.BatchStale:
					if v.Outcome != pending.GivesUp || v.Reason != b.Failure {
						t.Errorf("%s: %+v", b.Batch, v)
					}
				default: // Every attempt threw.
					if v.Outcome != pending.Fails || "threw: "+v.Reason != golden.TheEngine.Says[0] || v.State != pending.Stuck {
						t.Errorf("%s: %+v", b.Batch, v)
					}
				}
			}
		})
	}
}

// TestVerdicts of what hosts left in their own files: see the steps beside them.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	type verdict struct {
		outcome pending.Outcome
		state   pending.State
		reason  string // Its beginning.
		claim   string // Its end.
	}
	verdicts := judged(t, testdb.Fixture(t, "v1.0/rich.db"), options())
	for batch, want := range map[string]verdict{
		"pcb_596f9a6f4151171d_e67b1f0a51ae7b98": {pending.Publishes, pending.Prepared, "", ""},
		"pcb_a4ab05d65d2922d4_2b16e1f9b3553bd6": {pending.Ignores, pending.Ignored, "the conversation is archived", ""},
		"pcb_6dd12faf6fe21276_cd266d19bb1d98c7": {pending.Publishes, pending.Prepared, "", ""},
		"pcb_2799fc304cae2a1c_6a133768981ea0be": {pending.Publishes, pending.Prepared, "", ""},
		"pcb_b9cc93066c6ea4b3_142900f71652a10e": {pending.Waits, pending.Preparing, "the node of ordinal 36 failed 2 of 3 times; the host tries again at its next pass: empty pending summary source", "-leaf-36-36"},
		"pcb_c488cfa54b418afb_15b5635fb2e7cf0b": {pending.Waits, pending.Preparing, "the node of ordinal 9 failed 1 of 3 times", "-leaf-9-9"},
		"pcb_6993be9c7a70ec0d_1495193962222ed0": {pending.Waits, pending.Preparing, "the node of ordinals 10 to 17: the lease ran out at 2026-10-02T16:59:48.085Z", "-leaf-10-17"},
		"pcb_944e445ec0ca988f_67023efeab457a5c": {pending.Waits, pending.Preparing, "the node of ordinals 21 to 28 is planned", "-leaf-21-28"},
		"pcb_dc792b71b5fd78c6_ef6707b7913364d6": {pending.Finished, pending.NoState, "it is published", ""},
		"pcb_93c97074c786c6eb_8234b3dafa41c3f7": {pending.Finished, pending.NoState, "it was given up", ""},
	} {
		v, ok := verdicts[batch]
		if !ok || v.Outcome != want.outcome || v.State != want.state || !strings.HasPrefix(v.Reason, want.reason) || !strings.HasSuffix(v.NextClaim, want.claim) {
			t.Errorf("%s: %+v, not %+v", batch, v, want)
		}
	}
}

// TestLimitsOfTheFreshTail: a batch whose range reaches into the fresh tail is given up. Where
// nobody set the limits, the host's own note of the tail counts.
func TestLimitsOfTheFreshTail(t *testing.T) {
	t.Parallel()
	path := testdb.Fixture(t, "v1.0/small.db")
	few := int64(1)
	for name, c := range map[string]struct {
		tail    assemble.Tail
		assumed bool
		want    pending.Outcome
	}{
		"as the host's":            {assemble.Tail{Count: 6}, false, pending.Publishes},
		"none":                     {assemble.Tail{}, false, pending.Publishes},
		"longer than the range":    {assemble.Tail{Count: 64}, false, pending.GivesUp},
		"assumed":                  {assemble.Tail{Count: 64}, true, pending.Publishes},
		"longer, but of few words": {assemble.Tail{Count: 64, MaxTokens: &few}, false, pending.Publishes},
	} {
		v := judged(t, path, pending.Options{Now: at, TailStart: c.tail.Start, TailAssumed: c.assumed})["pcb_63dc19ef6f1455d4_6c2746efa9a4c37e"]
		if v.Outcome != c.want || c.want == pending.GivesUp && v.Reason != pending.ReasonRange {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// TestReasons: each of the host's reasons to give up a batch, and ours why one isn't published.
func TestReasons(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const (
		batch = "pcb_63dc19ef6f1455d4_6c2746efa9a4c37e"
		leaf  = "node_id = 'psn_1f2081cf87caaf61-leaf-28-32'"
		later = "2026-11-01T12:00:00.001Z"
	)
	set := func(values string) string { return "UPDATE pending_summary_nodes SET " + values + " WHERE " + leaf }
	const open = "content = NULL, token_count = NULL, ready_at = NULL, "
	for name, c := range map[string]struct {
		sql     string
		outcome pending.Outcome
		state   pending.State
		reason  string
	}{
		"the context was cut":        {"DELETE FROM context_items WHERE conversation_id = 1 AND ordinal > 20", pending.GivesUp, pending.Prepared, pending.ReasonRange},
		"the context is empty":       {"DELETE FROM context_items WHERE conversation_id = 1", pending.GivesUp, pending.Prepared, pending.ReasonRange},
		"a place was taken out":      {"DELETE FROM context_items WHERE conversation_id = 1 AND ordinal = 30", pending.GivesUp, pending.Prepared, pending.ReasonFingerprint},
		"a message was edited":       {"UPDATE messages SET token_count = token_count + 1 WHERE message_id = (SELECT message_id FROM context_items WHERE conversation_id = 1 AND ordinal = 30)", pending.GivesUp, pending.Prepared, pending.ReasonFingerprint},
		"a summary was edited":       {"UPDATE summaries SET content = 'x' WHERE summary_id = (SELECT summary_id FROM context_items WHERE conversation_id = 1 AND ordinal = 1)", pending.GivesUp, pending.Prepared, pending.ReasonFingerprint},
		"the fresh tail was edited":  {"UPDATE messages SET content = 'x' WHERE message_id = (SELECT message_id FROM context_items WHERE conversation_id = 1 AND ordinal = 40)", pending.Publishes, pending.Prepared, ""},
		"parts were edited":          {"UPDATE message_parts SET text_content = 'x'; UPDATE messages SET identity_hash = 'x'", pending.Publishes, pending.Prepared, ""},
		"a leaf's hash differs":      {set("source_context_hash = 'x'"), pending.GivesUp, pending.Prepared, pending.ReasonSource},
		"a leaf names no messages":   {"DELETE FROM pending_summary_node_messages WHERE " + leaf, pending.GivesUp, pending.Prepared, pending.ReasonSourceRange},
		"a leaf names another one":   {"UPDATE pending_summary_node_messages SET message_id = 1 WHERE ordinal = (SELECT min(ordinal) FROM pending_summary_node_messages WHERE " + leaf + ") AND " + leaf, pending.GivesUp, pending.Prepared, pending.ReasonSource},
		"a parent has no children":   {"DELETE FROM pending_summary_node_children WHERE node_id = 'psn_fb82e8dd7aa8096b-condensed-d1-4-21'", pending.GivesUp, pending.Prepared, pending.ReasonSourceRange},
		"a child is of nowhere":      {"PRAGMA foreign_keys = 0; UPDATE pending_summary_node_children SET child_summary_id = 'sum_x' WHERE child_summary_id IS NOT NULL AND node_id LIKE 'psn_63dc%'", pending.GivesUp, pending.Prepared, pending.ReasonSource},
		"it is archived":             {"UPDATE conversations SET active = 0", pending.Ignores, pending.Ignored, "the conversation is archived"},
		"the conversation is gone":   {"PRAGMA foreign_keys = 0; DELETE FROM conversations", pending.Ignores, pending.Ignored, "the conversation is archived"},
		"a leaf is planned":          {set(open + "status = 'planned'"), pending.Waits, pending.Preparing, "the node of ordinals 28 to 32 is planned"},
		"a lease runs":               {set(open + "status = 'running', lease_owner = 'engine:a', lease_expires_at = '" + later + "'"), pending.Waits, pending.Preparing, "the node of ordinals 28 to 32 is being summarized; the lease runs until " + later},
		"a lease has run out":        {set(open + "status = 'running', lease_owner = 'engine:a', lease_expires_at = '2026-11-01T12:00:00.000Z'"), pending.Waits, pending.Preparing, "the node of ordinals 28 to 32: the lease ran out"},
		"there is no lease":          {set(open + "status = 'running'"), pending.Never, pending.Stuck, "the node of ordinals 28 to 32 is marked as running without a lease"},
		"a failure waits":            {set(open + "status = 'failed', retry_count = 2, failure_summary = 'timeout', next_attempt_after = '" + later + "'"), pending.Waits, pending.Waiting, "the node of ordinals 28 to 32 failed 2 of 3 times; the host tries again after " + later + ": timeout"},
		"retries are used up":        {set(open + "status = 'failed', retry_count = 3"), pending.Never, pending.Stuck, "the node of ordinals 28 to 32 failed 3 times, and the host doesn't try again"},
		"no text":                    {set("content = ' \n'"), pending.Fails, pending.Stuck, "node psn_1f2081cf87caaf61-leaf-28-32 is ready, but it has no text"},
		"no count":                   {set("token_count = NULL"), pending.Fails, pending.Stuck, "node psn_1f2081cf87caaf61-leaf-28-32 is ready, but it has no text or no token count"},
		"no node":                    {"DELETE FROM pending_summary_nodes WHERE " + leaf, pending.Never, pending.Stuck, "no node covers ordinal 28"},
		"no nodes":                   {"DELETE FROM pending_summary_nodes", pending.Never, pending.Stuck, "no node covers ordinal 4"},
		"a leaf is stale":            {set("status = 'stale'"), pending.Never, pending.Stuck, "the node of ordinals 28 to 32 is stale"},
		"a status of other type":     {"PRAGMA ignore_check_constraints = 1; " + set("status = 7"), pending.Never, pending.Stuck, "the node of ordinals 28 to 32 is 7"},
		"the range is of other type": {"UPDATE pending_compaction_batches SET compactable_end_ordinal = 'far'", pending.GivesUp, pending.Prepared, pending.ReasonFingerprint},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Fixture(t, "v1.0/small.db")
			if err := faults.Alter(path, c.sql); err != nil {
				t.Fatal(err)
			}
			db := testdb.Open(t, path)
			db.Now = func() time.Time { return at }
			batches, err := pending.Read(t.Context(), db, 1, 0)
			if err != nil {
				t.Fatal(err)
			}
			var v pending.Verdict
			for _, b := range batches {
				if b.ID == batch {
					v = b.Judge(options())
				}
			}
			if v.Outcome != c.outcome || v.State != c.state || !strings.HasPrefix(v.Reason, c.reason) || c.reason == "" && v.Reason != "" {
				t.Errorf("%+v", v)
			}
		})
	}
}

// TestANodeWhoseFirstPlaceIsGone still covers the places behind it: that its source changed is
// another matter.
func TestANodeWhoseFirstPlaceIsGone(t *testing.T) {
	t.Parallel()
	path := testdb.Fixture(t, "v1.0/small.db")
	if err := faults.Alter(path, "DELETE FROM context_items WHERE conversation_id = 1 AND ordinal = 28"); err != nil {
		t.Fatal(err)
	}
	batches, err := pending.Read(t.Context(), testdb.Open(t, path), 1, 0)
	if err != nil || !batches[0].Active() {
		t.Fatal(err)
	}
	if at, found := batches[0].Uncovered(); found {
		t.Errorf("no node covers ordinal %d", at)
	}
	for _, s := range batches[0].Stretches(36) {
		if s.First >= 28 && s.Last <= 32 && s.State != pending.StretchPrepared {
			t.Errorf("ordinals %d to %d are %s", s.First, s.Last, s.State)
		}
	}
}
