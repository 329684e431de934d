package backfill

import (
	"testing"
	"time"
)

// A batch gets smaller where the one before kept its lock for long, and larger again where it was short; it is
// never empty and never more than full.
func TestNextShare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		before float64
		locked time.Duration
		want   float64
	}{
		{"the first", 0, time.Hour, 1},
		{"after a short lock", 1, longLock / 4, 1},
		{"after one that was twice too long", 1, 2 * longLock, 1. / 2},
		{"again", 1. / 2, 2 * longLock, 1. / 4},
		{"when the machine is idle again", 1. / 4, longLock / 10, 1. / 2},
		{"on a machine that stands still", 1, time.Hour, leastShare},
		{"without a lock", 1. / 4, 0, 1. / 2},
	} {
		if got := nextShare(c.before, c.locked); got != c.want {
			t.Errorf("%s: %v of a batch, want %v", c.name, got, c.want)
		}
	}
}
