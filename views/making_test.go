package views

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/engine/settings"
	"lcm-tui/engine/summarize"
)

// brief is a model whose summaries are a few words.
type brief struct{ err error }

func (brief) Name() string { return "test/brief" }

func (b brief) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	return summarize.Reply{Text: "what happened, in brief", Model: "test/brief"}, b.err
}

// driveMaking opens the demonstration, with a model at hand and a short fresh tail.
func driveMaking(t *testing.T, m summarize.Model) *driver {
	t.Helper()
	d := driveDemo(t)
	s := settings.Load(func(string) string { return "" }, data.HostConfig{}, map[string]string{"freshTailCount": "8"})
	d.env.Maker = func(context.Context) (Maker, error) { return Maker{Model: m, Settings: s}, nil }
	return d
}

func TestCompactFromEstimateToUndo(t *testing.T) {
	t.Parallel()
	d := driveMaking(t, brief{})
	was := d.dump()
	d.press("C")
	d.sees("an estimate", "no model was called", "x run")
	d.misses("a apply")
	d.press("a") // Nothing to apply yet.
	if got := d.dump(); got != was {
		t.Fatal("an estimate wrote")
	}
	d.press("x")
	d.sees("nothing is written yet", "a apply")
	d.press("2")
	d.sees("what happened, in brief")
	if got := d.dump(); got != was {
		t.Fatal("a run wrote")
	}
	d.press("a")
	d.sees("applied as #1")
	if got := d.dump(); got == was {
		t.Fatal("nothing was written")
	}
	d.press("u")
	d.sees("#1 is undone")
	if got := d.dump(); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

func TestRewriteOneAndABranch(t *testing.T) {
	t.Parallel()
	d := driveMaking(t, brief{})
	was := d.dump()
	d.press("s", "r")
	d.sees("rewrite 1 summary: an estimate")
	d.press("x", "2")
	d.sees("what happened, in brief")
	d.press("a")
	d.sees("applied as #1")
	d.press("u", "esc", "W")
	d.sees("an estimate", "model calls")
	d.press("esc")
	if got := d.dump(); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

// TestTextsAreJudgedOneByOne: of a branch, one text is skipped, and another asked
// for again.
func TestTextsAreJudgedOneByOne(t *testing.T) {
	t.Parallel()
	m := &counting{}
	kept, err := summarize.Remember(m, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := driveMaking(t, kept)
	d.press("s", "W", "x", "2")
	r := d.app.Top().(*Review)
	all := len(r.plan.Texts)
	second, asked := r.plan.Texts[1].ID, m.calls
	d.sees(itoa(int64(all)) + " ready")
	d.press("n")
	d.sees("▸ " + second)
	d.press("s")
	d.sees(itoa(int64(all-1))+" ready", "1 skipped")
	if len(r.plan.Texts) != all-1 || r.plan.Texts[1].ID == second {
		t.Errorf("%d texts of %d are left", len(r.plan.Texts), all)
	}
	first, before := r.plan.Texts[0].After, r.plan.Texts[1].After
	d.press("N")
	if m.calls == asked || r.plan.Texts[1].After == before || r.plan.Texts[0].After != first {
		t.Errorf("after %d calls: %q, %q", m.calls, r.plan.Texts[0].After, r.plan.Texts[1].After)
	}
	d.press("a")
	d.sees("applied as #1")
	s, err := d.env.DB.Summary(t.Context(), second)
	if err != nil || s.Model == "test/counting" {
		t.Errorf("the skipped one was written: %+v, %v", s, err)
	}
}

// counting is a model that never says the same twice.
type counting struct {
	mu    sync.Mutex
	calls int
}

func (*counting) Name() string { return "test/counting" }

func (c *counting) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls++
	return summarize.Reply{Text: "answer " + itoa(int64(c.calls)), Model: c.Name()}, nil
}

// TestABatchTellsOfEachText: what fails is named with its reason, and what a person
// wrote is there again after the review was left.
func TestABatchTellsOfEachText(t *testing.T) {
	t.Parallel()
	d := driveMaking(t, &moody{})
	d.press("s", "W", "x")
	d.sees("1 failed", "! failed: ", "ready")
	d.clean(80, 24)
}

// moody is a model that fails the first time it's asked.
type moody struct{ counting }

func (m *moody) Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	reply, err := m.counting.Summarize(ctx, r)
	if reply.Text == "answer 1" {
		err = errors.New("the vendor is moody")
	}
	return reply, err
}

// TestADraftOutlivesItsReview: a text written by hand isn't lost when its review is
// left, and is forgotten once it's applied.
func TestADraftOutlivesItsReview(t *testing.T) {
	t.Parallel()
	d := driveMaking(t, brief{})
	var given []string
	d.env.Editor = func(text string, done func(string, error) tea.Msg) tea.Cmd {
		given = append(given, text)
		return func() tea.Msg { return done("numbat: "+text, nil) }
	}
	d.press("s", "e")
	d.sees("2 Text 1", "numbat") // The page that tells most.
	d.press("esc", "e", "a", "enter", "e")
	if given[1] != "numbat: "+given[0] || given[2] != "numbat: "+given[1] {
		t.Errorf("the editor was given %q", given)
	}
	d.press("N")
	d.sees("an estimate")
}

func TestThePromptIsShownBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	d := driveMaking(t, brief{err: errors.New("quokka")})
	d.press("s", "p")
	d.sees("test/brief", "Previous context", "System prompt", "Prompt")
	d.misses("quokka")
	d.clean(80, 24)
	d.press("Y")
	if d.clip == "" {
		t.Error("nothing was copied")
	}
}

func TestAFailedRunKeepsTheEstimate(t *testing.T) {
	t.Parallel()
	d := driveMaking(t, brief{err: errors.New("the vendor is overloaded")})
	d.press("C", "x")
	d.sees("the vendor is overloaded", "an estimate")
}

func TestWithoutAModelNothingIsOffered(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.misses("C compact")
	d.press("C", "s", "r")
	if _, ok := d.app.Top().(*Review); ok {
		t.Error("r works without a model")
	}
}

func TestSettingsScreen(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.press("S")
	d.sees("8 conversations") // There are none to show.
	d.env.Settings = func() settings.Settings {
		return settings.Load(func(name string) string {
			return map[string]string{"LCM_FRESH_TAIL_COUNT": "12"}[name]
		}, data.HostConfig{}, nil)
	}
	d.press("S")
	d.sees("freshTailCount", "environment LCM_FRESH_T", "default")
	d.press("/")
	d.write("freshTailCount")
	d.press("enter")
	d.sees("12")
	d.golden()
}

// TestATextIsWrittenByHand: from the tree, or in place of a model's while its
// review is open.
func TestATextIsWrittenByHand(t *testing.T) {
	t.Parallel()
	d := driveMaking(t, brief{})
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
	d.press("u", "esc", "r", "x", "2", "e")
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
	d := driveMaking(t, brief{})
	d.env.Editor = func(text string, done func(string, error) tea.Msg) tea.Cmd {
		return func() tea.Msg { return done(text, nil) }
	}
	d.press("s", "e")
	d.sees("came back as it was", "2 Summaries")
}
