package ops_test

import (
	"strings"
	"testing"

	"lcm-tui/data/change"
	"lcm-tui/data/change/losses"
	engine "lcm-tui/engine/compact"
	models "lcm-tui/engine/model"
	"lcm-tui/engine/summarize"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
)

// TestHintsForScreensNameNoFlags: what a screen shows can be done on a screen.
func TestHintsForScreensNameNoFlags(t *testing.T) {
	t.Parallel()
	for _, err := range []interface {
		error
		Hint() string
		ScreenHint() string
	}{
		&change.ReplayError{Conversation: 1}, &change.BlockedError{Record: 1, By: 2}, &change.UnfinishedError{Record: 1},
		&losses.Loss{Record: 1, Conversation: 1}, &compact.NothingError{Why: engine.BelowThreshold}, &compact.NothingError{Why: engine.Nothing},
		&summarize.UnnamedError{},
	} {
		hint := err.ScreenHint()
		if hint == "" || strings.Contains(hint, "--") || strings.Contains(hint, "lcm-tui ") {
			t.Errorf("%T: %q", err, hint)
		}
		if !strings.Contains(err.Hint(), "--") && !strings.Contains(err.Hint(), "lcm-tui ") {
			t.Errorf("%T: the hint for commands names none: %q", err, err.Hint())
		}
	}
}

// TestModelHintsForScreensNameNoFlags: nor does a hint of any kind of failed model.
func TestModelHintsForScreensNameNoFlags(t *testing.T) {
	t.Parallel()
	for _, kind := range []models.Kind{
		models.KindSetup, models.KindAuth, models.KindQuota, models.KindRate, models.KindOverloaded, models.KindServer, models.KindContextLength,
		models.KindUnknownModel, models.KindBadRequest, models.KindNetwork, models.KindTimeout, models.KindMalformed, models.KindTruncated,
		models.KindEmpty, models.KindMarked, models.KindRefused,
	} {
		if hint := (&models.Error{Kind: kind}).ScreenHint(); hint == "" || strings.Contains(hint, "--") || strings.Contains(hint, "lcm-tui config") {
			t.Errorf("%s: %q", kind, hint)
		}
	}
}

// TestNotesForScreensNameNoFlags: a note that names a flag has other words for a screen, also
// in a plan of several conversations.
func TestNotesForScreensNameNoFlags(t *testing.T) {
	t.Parallel()
	one, all := ops.New("test", "one"), ops.New("test", "all")
	one.NoteFlag("--messages copies them", "m copies them")
	one.Note("nothing else")
	one.Refuse(&summarize.UnnamedError{})
	if err := ops.Join(&all, one, 7, "conversation 7"); err != nil {
		t.Fatal(err)
	}
	var command, screen []string
	for _, n := range all.Notes {
		command, screen = append(command, n), append(screen, all.ScreenText(n))
	}
	if got := strings.Join(command, "|"); !strings.Contains(got, "conversation 7: --messages copies them") || !strings.Contains(got, "--provider") {
		t.Errorf("the notes for commands: %s", got)
	}
	if got := strings.Join(screen, "|"); strings.Contains(got, "--") || !strings.Contains(got, "conversation 7: m copies them|conversation 7: nothing else|conversation 7: M chooses") {
		t.Errorf("the notes for screens: %s", got)
	}
}
