package prune_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/trash"
)

// TestTwoProcessesForgetTextsOnce: where another process forgets the same texts before this one writes, nothing is left for it: it
// says so, and adds no record and no file of the trash, which could have nothing but stubs.
func TestTwoProcessesForgetTextsOnce(t *testing.T) {
	t.Parallel()
	for _, verb := range []prune.Verb{prune.Text, prune.Copies} {
		path := testdb.Sample(t, fakehost.Head)
		slow, fast := open(t, path), open(t, path)
		slow.Now, fast.Now = time.Now, time.Now // The trash takes unfinished files of a day ago for abandoned.
		o := prune.Op{Verb: verb, Selector: everything()}
		p, other := plan(t, slow, o), plan(t, fast, o)
		var once sync.Once
		var errFast error
		_, errSlow := ops.ApplyPlan(t.Context(), slow, p, func(int, int, string) {
			once.Do(func() { _, errFast = ops.ApplyPlan(t.Context(), fast, other) })
		})
		var stale *data.StaleError
		if (errSlow == nil) == (errFast == nil) || !errors.As(errors.Join(errSlow, errFast), &stale) {
			t.Errorf("%s: %v, and %v", verb, errSlow, errFast)
		}
		records, err := change.History(t.Context(), slow)
		testdb.Must(t, err)
		files, err := trash.List(t.Context(), slow)
		testdb.Must(t, err)
		if len(records) != 1 || len(files) > 1 {
			t.Errorf("%s: %d records, %d files of the trash", verb, len(records), len(files))
		}
	}
}
