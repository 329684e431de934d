package change

import (
	"testing"
	"time"
)

// TestTurnsGetShorterOnABusyMachine: whatever a turn takes for the time that its statements have, a few
// turns later it keeps the lock for less than a second, and on an idle machine turns are long again.
func TestTurnsGetShorterOnABusyMachine(t *testing.T) {
	t.Parallel()
	for _, slowness := range []float64{1, 3, 10, 40} {
		most := maxTurnTime
		var locked time.Duration
		for range 6 {
			locked = time.Duration(float64(most) * slowness)
			most = nextTurnTime(most, locked)
		}
		if locked > time.Second {
			t.Errorf("%v times slower, a turn keeps the lock for %v", slowness, locked)
		}
		for range 20 {
			most = nextTurnTime(most, most)
		}
		if most != maxTurnTime && most < maxLockTime/3 {
			t.Errorf("idle again, a turn has %v", most)
		}
	}
}
