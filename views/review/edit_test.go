package review

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"lcm-tui/engine/summarize"
	"lcm-tui/internal/testlength"
	"lcm-tui/views/viewtest"
)

// TestATextByHandOutlivesItsReview: a text written by hand isn't lost when its review is
// left, which is said; e opens the stored text, E the one that was written.
func TestATextByHandOutlivesItsReview(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveWithModel(t, viewtest.Brief{})
	var given []string
	d.Env.Editor = func(text string, done func(string, error) tea.Msg) tea.Cmd {
		given = append(given, text)
		return func() tea.Msg { return done("numbat: "+text, nil) }
	}
	d.Press("s", "E")
	if len(given) != 0 {
		t.Fatal("E opens a text that nobody wrote")
	}
	d.Press("e")
	stored := given[0]
	d.Sees("2 Text 1", "numbat") // The page that tells most.
	d.Press("esc")
	d.Sees("is not applied; it is kept until you quit", "E opens it again")
	d.Press("e", "esc")
	if given[1] != stored {
		t.Errorf("e opened %q instead of the stored text", given[1])
	}
	d.Press("E", "esc")
	if given[2] != "numbat: "+stored {
		t.Errorf("E opened %q", given[2])
	}
	d.Press("esc", "esc", "q")
	d.Sees("The text that you wrote for", "quitting drops it")
	d.Press("esc", "s", "E", "a")
	d.Sees("applied as #1")
	d.Press("enter", "E")
	if len(given) != 4 || d.Env.UnsavedHandTexts() != "" {
		t.Errorf("an applied text is kept: %q", given)
	}
}

// TestCandidatesAreNew: a candidate after an edit isn't the model's old text, and where every
// answer is kept from before that is said.
func TestCandidatesAreNew(t *testing.T) {
	t.Parallel()
	kept, err := summarize.Cache(&viewtest.Counting{}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := viewtest.DriveWithModel(t, kept)
	d.Env.Editor = func(_ string, done func(string, error) tea.Msg) tea.Cmd {
		return func() tea.Msg { return done("by hand", nil) }
	}
	d.Press("s", "r", "ctrl+x", "y")
	r := d.App.Top().(*Review)
	old := r.proposal.plan.Texts[0].After
	d.Press("e")
	if got := r.proposal.plan.Texts[0].After; got != "by hand" {
		t.Fatalf("the text is %q", got)
	}
	d.Press("r", "y")
	if got := r.proposal.plan.Texts[0].After; got == old || got == "by hand" {
		t.Errorf("the candidate is %q", got)
	}
	d.Press("esc", "r", "ctrl+x")
	d.Sees("no model was called: every answer is one that was kept from before")
}

// TestATextIsWrittenByHand: from the tree, or in place of a model's while its
// review is open.
func TestATextIsWrittenByHand(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveWithModel(t, viewtest.Brief{})
	was := d.Dump()
	var given string
	var fails error
	d.Env.Editor = func(text string, done func(string, error) tea.Msg) tea.Cmd {
		given = text
		return func() tea.Msg { return done("numbat: "+text, fails) }
	}
	d.Press("s", "e", "2")
	d.Sees("numbat")
	d.Press("e")
	if want := "numbat: "; !strings.HasPrefix(given, want) {
		t.Errorf("the editor was given %q, not what was written", given)
	}
	d.Sees("numbat: numbat:")
	if d.Dump() != was {
		t.Fatal("an edit wrote before it was applied")
	}
	d.Press("a")
	d.Sees("applied as #1")
	d.Press("u", "esc", "r", "ctrl+x", "y", "2", "e")
	d.Sees("numbat: what happened, in brief")
	fails = errors.New("the editor fell over")
	d.Press("e")
	d.Sees("the editor fell over", "numbat: what happened, in brief")
	d.Press("esc")
	if got := d.Dump(); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

func TestATextThatCameBackAsItWasIsNoChange(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveWithModel(t, viewtest.Brief{})
	d.Env.Editor = func(text string, done func(string, error) tea.Msg) tea.Cmd {
		return func() tea.Msg { return done(text, nil) }
	}
	d.Press("s", "e")
	d.Sees("came back as it was", "2 Summaries")
}
