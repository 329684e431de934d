package views

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"lcm-tui/engine/summarize"
)

// TestATextByHandOutlivesItsReview: a text written by hand isn't lost when its review is
// left, which is said; e opens the stored text, E the one that was written.
func TestATextByHandOutlivesItsReview(t *testing.T) {
	t.Parallel()
	d := driveWithModel(t, brief{})
	var given []string
	d.env.Editor = func(text string, done func(string, error) tea.Msg) tea.Cmd {
		given = append(given, text)
		return func() tea.Msg { return done("numbat: "+text, nil) }
	}
	d.press("s", "E")
	if len(given) != 0 {
		t.Fatal("E opens a text that nobody wrote")
	}
	d.press("e")
	stored := given[0]
	d.sees("2 Text 1", "numbat") // The page that tells most.
	d.press("esc")
	d.sees("is not applied; it is kept until you quit", "E opens it again")
	d.press("e", "esc")
	if given[1] != stored {
		t.Errorf("e opened %q instead of the stored text", given[1])
	}
	d.press("E", "esc")
	if given[2] != "numbat: "+stored {
		t.Errorf("E opened %q", given[2])
	}
	d.press("esc", "esc", "q")
	d.sees("The text that you wrote for", "quitting drops it")
	d.press("esc", "s", "E", "a")
	d.sees("applied as #1")
	d.press("enter", "E")
	if len(given) != 4 || d.env.unsavedHandTexts() != "" {
		t.Errorf("an applied text is kept: %q", given)
	}
}

// TestCandidatesAreNew: a candidate after an edit isn't the model's old text, and where every
// answer is kept from before that is said.
func TestCandidatesAreNew(t *testing.T) {
	t.Parallel()
	kept, err := summarize.Cache(&counting{}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := driveWithModel(t, kept)
	d.env.Editor = func(_ string, done func(string, error) tea.Msg) tea.Cmd {
		return func() tea.Msg { return done("by hand", nil) }
	}
	d.press("s", "r", "x", "y")
	r := d.app.Top().(*Review)
	old := r.plan.Texts[0].After
	d.press("e")
	if got := r.plan.Texts[0].After; got != "by hand" {
		t.Fatalf("the text is %q", got)
	}
	d.press("r", "y")
	if got := r.plan.Texts[0].After; got == old || got == "by hand" {
		t.Errorf("the candidate is %q", got)
	}
	d.press("esc", "r", "x")
	d.sees("no model was called: every answer is one that was kept from before")
}

// TestATextIsWrittenByHand: from the tree, or in place of a model's while its
// review is open.
func TestATextIsWrittenByHand(t *testing.T) {
	t.Parallel()
	d := driveWithModel(t, brief{})
	was := d.dump()
	var given string
	var fails error
	d.env.Editor = func(text string, done func(string, error) tea.Msg) tea.Cmd {
		given = text
		return func() tea.Msg { return done("numbat: "+text, fails) }
	}
	d.press("s", "e", "2")
	d.sees("numbat")
	d.press("e")
	if want := "numbat: "; !strings.HasPrefix(given, want) {
		t.Errorf("the editor was given %q, not what was written", given)
	}
	d.sees("numbat: numbat:")
	if d.dump() != was {
		t.Fatal("an edit wrote before it was applied")
	}
	d.press("a")
	d.sees("applied as #1")
	d.press("u", "esc", "r", "x", "y", "2", "e")
	d.sees("numbat: what happened, in brief")
	fails = errors.New("the editor fell over")
	d.press("e")
	d.sees("the editor fell over", "numbat: what happened, in brief")
	d.press("esc")
	if got := d.dump(); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

func TestATextThatCameBackAsItWasIsNoChange(t *testing.T) {
	t.Parallel()
	d := driveWithModel(t, brief{})
	d.env.Editor = func(text string, done func(string, error) tea.Msg) tea.Cmd {
		return func() tea.Msg { return done(text, nil) }
	}
	d.press("s", "e")
	d.sees("came back as it was", "2 Summaries")
}
