package review

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/internal/testlength"
	"lcm-tui/views/viewtest"
)

// TestNoCandidateIsLost: every answer and the text of the user stay, are shown beside the stored text, and can be
// chosen again without a call.
func TestNoCandidateIsLost(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	m := &viewtest.Counting{}
	d := viewtest.DriveWithModel(t, m)
	d.Env.Editor = func(_ string, done func(string, error) tea.Msg) tea.Cmd {
		return func() tea.Msg { return done("what I know of it", nil) }
	}
	d.Press("s", "r", "ctrl+x", "y")
	d.Misses("candidate 1 of")
	d.Press("c")
	d.Sees("there is one new text only: r asks for another, e writes one")
	d.Press("r", "y", "e")
	d.Sees("candidate 3 of 3")
	d.Press("c")
	d.Sees("› Candidates of", "stored ", "1 test/counting", "2 test/counting", "3 yours", "chosen", "answer 1", "answer 2", "what I know of it")
	d.Goldens()
	d.Screen(120, 36)
	calls := m.Calls
	d.Press("1")
	d.Sees("candidate 1 of 3", "answer 1")
	if m.Calls != calls {
		t.Errorf("choosing made %d calls", m.Calls-calls)
	}
	r := d.App.Top().(*Review)
	if got := modelsOf(&r.proposal.plan)[r.proposal.plan.Texts[0].ID]; got != "test/counting" {
		t.Errorf("the text is noted as of %q", got)
	}
	d.Press("r", "y")
	d.Sees("candidate 4 of 4", "answer 3")
	d.Press("c", "3", "a")
	d.Sees("applied as #1")
	if !strings.Contains(d.Dump(), "what I know of it") {
		t.Error("the chosen text isn't stored")
	}
}

// TestAnEqualAnswerIsNoCandidate and says so.
func TestAnEqualAnswerIsNoCandidate(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveWithModel(t, viewtest.Brief{})
	d.Press("s", "r", "ctrl+x", "y", "r", "y")
	d.Sees("is equal to candidate 1")
	d.Misses("candidate 1 of")
}

// TestTextsOfACompactionHaveCandidates as those of a rewrite: each is kept, compared with what it is made of, and chosen without a call.
func TestTextsOfACompactionHaveCandidates(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	m := &viewtest.Counting{}
	d := viewtest.DriveWithModel(t, m)
	d.Press("C", "enter", "ctrl+x", "y", "2")
	texts := len(d.App.Top().(*Review).proposal.plan.Texts)
	calls := m.Calls
	d.Press("s")
	d.Sees("a compaction makes every text")
	d.Press("r", "y")
	d.Sees("candidate 2 of 2")
	if r := d.App.Top().(*Review); len(r.proposal.plan.Texts) != texts || m.Calls == calls {
		t.Fatalf("%d texts of %d, %d calls", len(r.proposal.plan.Texts), texts, m.Calls-calls)
	}
	d.Press("c")
	d.Sees("made of ", "1 test/counting", "2 test/counting", "chosen")
	d.Clean(80, 24)
	d.Clean(120, 36)
	d.Press("1", "y")
	d.Sees("candidate 1 of 2")
	d.Env.Editor = func(_ string, done func(string, error) tea.Msg) tea.Cmd {
		return func() tea.Msg { return done("what I know of it", nil) }
	}
	d.Press("e", "y")
	d.Sees("candidate 3 of 3")
	d.Press("a")
	d.Sees("applied as #1")
	if !strings.Contains(d.Dump(), "what I know of it") {
		t.Error("the text of the user isn't stored")
	}
}
