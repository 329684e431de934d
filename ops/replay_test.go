package ops_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"lcm-tui/data/change"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
)

// TestUndoOfAnImportKeepsTheHistory: a host that hands its history over again after a
// restart stores all of it if one message is missing; so once the conversation went on,
// the import is undone only by force.
func TestUndoOfAnImportKeepsTheHistory(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, c := range map[string]struct {
		goesOn, force bool
		refused       bool
		replayed      int
	}{
		"at once":                  {replayed: 1},
		"after a turn":             {goesOn: true, refused: true},
		"after a turn, by force":   {goesOn: true, force: true, replayed: 20},
		"at once, though by force": {force: true, replayed: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, rand.New(rand.NewPCG(3, 11))) //nolint:gosec // The same every time.
			p, err := w.transcript().Plan(t.Context(), w.db, func(int, int, string) {})
			w.check(err)
			id, err := ops.Apply(t.Context(), w.db, p)
			w.check(err)
			if c.goesOn {
				w.turn(1)
			}
			undo := ops.Undo
			if c.force {
				undo = ops.ForceUndo
			}
			var replay *change.ReplayError
			if err := undo(t.Context(), w.db, id); errors.As(err, &replay) != c.refused {
				t.Fatal(err)
			}
			w.check(w.host.Restart())
			added, err := w.host.Replay(1, w.history)
			if w.check(err); added != c.replayed {
				t.Errorf("the replay brings %d messages, want %d", added, c.replayed)
			}
		})
	}
}
