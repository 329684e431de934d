package data_test

import (
	"strings"
	"testing"

	"lcm-tui/data"
)

// TestEveryKindOfErrorHasAWayOn, in words for commands and in words for screens, which name
// no flag and no command line.
func TestEveryKindOfErrorHasAWayOn(t *testing.T) {
	t.Parallel()
	for _, kind := range []error{
		data.ErrMissing, data.ErrDirectory, data.ErrEmpty, data.ErrPermission, data.ErrNotSQLite, data.ErrNotLCM, data.ErrDamaged, data.ErrUnfinished,
		data.ErrLocked, data.ErrReadOnly, data.ErrFull, data.ErrIO, data.ErrConstraint, data.ErrVanished, data.ErrReplaced, data.ErrEmptied, data.ErrCutOff,
	} {
		e := &data.Error{Path: "lcm.db", Verb: "read", Kind: kind}
		if e.Hint() == "" || e.ScreenHint() == "" {
			t.Errorf("%v: %q, and on a screen %q", kind, e.Hint(), e.ScreenHint())
		}
		if s := e.ScreenHint(); strings.Contains(s, "--") || strings.Contains(s, "lcm-tui ") && !strings.Contains(s, "run lcm-tui as") && !strings.Contains(s, "lcm-tui reads") {
			t.Errorf("%v: on a screen %q", kind, s)
		}
		if !strings.Contains(e.Error(), kind.Error()) || !strings.Contains(e.Error(), "lcm.db") {
			t.Errorf("%v: %s", kind, e.Error())
		}
	}
}
