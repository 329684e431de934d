package fleet

import (
	"errors"
	"fmt"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
)

// TestWhatPassesDoesNotEndAWatch: a server without connections, in a failover or restarting, and a lock of another program pass; what
// somebody has to repair doesn't.
func TestWhatPassesDoesNotEndAWatch(t *testing.T) {
	t.Parallel()
	for kind, want := range map[error]bool{
		postgres.ErrUnreachable: true, postgres.ErrFull: true, postgres.ErrStandby: true, postgres.ErrStopped: true, postgres.ErrConflict: true,
		data.ErrLocked: true, data.ErrMissing: true,
		postgres.ErrLogin: false, postgres.ErrRights: false, postgres.ErrNoSchema: false, postgres.ErrNewerSchema: false, data.ErrDamaged: false,
	} {
		if got := passes(fmt.Errorf("sync: %w", &postgres.Error{Kind: kind})); got != want {
			t.Errorf("%v: %v, want %v", kind, got, want)
		}
	}
	if passes(nil) || passes(errors.New("another")) {
		t.Error("no error and an unknown one don't pass")
	}
}
