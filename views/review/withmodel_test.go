package review

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/lcm"
	"lcm-tui/data/openclaw"
	"lcm-tui/engine/settings"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/plural"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/rewrite"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

func TestCompactFromEstimateToUndo(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveWithModel(t, viewtest.Brief{})
	was := d.Dump()
	d.Press("C", "enter")
	d.Sees("an estimate", "no model was called", "ctrl+x run")
	d.Misses("a apply")
	d.Press("a") // Nothing to apply yet.
	if got := d.Dump(); got != was {
		t.Fatal("an estimate wrote")
	}
	d.Press("ctrl+x")
	d.Sees("? make the texts?", " of test/brief · cost: unknown", "y yes, ask the model · esc no")
	d.Press("y")
	d.Sees("nothing is written yet", "a apply")
	d.Press("2")
	d.Sees("what happened, in brief")
	if got := d.Dump(); got != was {
		t.Fatal("a run wrote")
	}
	d.Press("a")
	d.Sees("applied as #1")
	if got := d.Dump(); got == was {
		t.Fatal("nothing was written")
	}
	d.Press("u")
	d.Sees("#1 is undone")
	if got := d.Dump(); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

// TestAnEstimateFitsANarrowScreen: at 80 columns all of what an estimate comes to is on its line.
func TestAnEstimateFitsANarrowScreen(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveWithModel(t, viewtest.Brief{})
	d.Press("C", "enter")
	for _, l := range strings.Split(d.Screen(80, 24), "\n") {
		if strings.Contains(l, "tokens ") && strings.Contains(l, "→") {
			if !regexp.MustCompile(`^ items \d+ → \d+  tokens .* calls 0 of \d+$`).MatchString(strings.TrimRight(l, " ")) {
				t.Errorf("%q", l)
			}
			return
		}
	}
	t.Error("no line of the impact is shown")
}

// TestAnEstimateShowsWhatComesBesideWhatGoes: no half of the page is empty.
func TestAnEstimateShowsWhatComesBesideWhatGoes(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveWithModel(t, viewtest.Brief{})
	d.Press("C", "enter")
	empty := 0
	for l := range strings.Lines(d.Screen(120, 36)) {
		if strings.Contains(l, "not written yet") && !strings.HasPrefix(l, "− ") {
			t.Errorf("nothing that goes stands beside it: %q", l)
		}
		if strings.HasPrefix(l, "− ") && strings.HasSuffix(strings.TrimSpace(l), "│") {
			empty++
		}
	}
	d.Sees("not written yet", "more that go; v shows each")
	if empty > 14 {
		t.Errorf("%d rows have no right half:\n%s", empty, d.Screen(120, 36))
	}
	d.Press("v")
	d.Misses("v shows each")
}

func TestRewriteOneAndABranch(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveWithModel(t, viewtest.Brief{})
	was := d.Dump()
	d.Press("s", "r")
	d.Sees("rewrite 1 summary: an estimate", "ctrl+x asks the model")
	d.Misses("--")
	d.Press("ctrl+x", "y", "2")
	d.Sees("what happened, in brief")
	if got := d.App.Top().(*Review).Unsaved(); got != "1 text that a model wrote is not applied: the same rewrite asks the model again." {
		t.Errorf("quitting says %q", got)
	}
	d.Press("a")
	d.Sees("applied as #1")
	d.Press("u", "esc", "W")
	d.Sees("an estimate", "model calls")
	d.Press("esc")
	if got := d.Dump(); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

// TestTextsAreJudgedOneByOne: of a branch, one text is skipped, which can be reverted,
// and another asked for again. What that costs is said first.
func TestTextsAreJudgedOneByOne(t *testing.T) {
	t.Parallel()
	m := &viewtest.Counting{}
	kept, err := summarize.Cache(m, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := viewtest.DriveWithModel(t, kept)
	d.Press("s", "W", "ctrl+x", "y", "2")
	r := d.App.Top().(*Review)
	all := len(r.proposal.plan.Texts)
	second, asked := r.proposal.plan.Texts[1].ID, m.Calls
	d.Sees(views.Itoa(int64(all))+" ready", "model calls "+views.Itoa(int64(all)))
	d.Press("n")
	d.Sees("▸ " + second)
	d.Press("s")
	d.Sees("? skip "+second, "y yes, ask the model · esc no")
	d.Press("esc")
	d.Sees("no model was called", views.Itoa(int64(all))+" ready")
	d.Press("s")
	takes := r.question.takes
	d.Press("y")
	above := m.Calls - asked
	if !strings.HasPrefix(takes, "about "+plural.Count(above, "call", "calls")+" of test/counting") || above == 0 {
		t.Errorf("%d calls were made, and it said %q", above, takes)
	}
	d.Sees(views.Itoa(int64(all-1))+" ready", "1 skipped", "▸ "+second, "it keeps its text, as you said")
	if len(r.proposal.plan.Texts) != all-1 || m.Calls != asked+above {
		t.Errorf("%d texts of %d are left", len(r.proposal.plan.Texts), all)
	}
	d.Press("s") // Its text and those above it are kept: nothing is asked.
	d.Sees(views.Itoa(int64(all))+" ready", "▸ "+second)
	if len(r.proposal.plan.Texts) != all || m.Calls != asked+above {
		t.Errorf("reverted: %d texts of %d, after %d calls", len(r.proposal.plan.Texts), all, m.Calls-asked)
	}
	d.Press("s")
	if asked = m.Calls; r.question != nil {
		t.Error("what is kept is asked about")
	}
	d.Press("home", "r")
	first := r.proposal.plan.Texts[0].After
	d.Sees("? another text for " + r.proposal.plan.Texts[0].ID)
	if m.Calls != asked {
		t.Error("it was asked before yes was said")
	}
	d.Press("y")
	if m.Calls == asked || r.proposal.plan.Texts[0].After == first {
		t.Errorf("after %d calls: %q", m.Calls, r.proposal.plan.Texts[0].After)
	}
	d.Sees("model calls " + views.Itoa(int64(m.Calls)))
	d.Press("a")
	d.Sees("applied as #1")
	s, err := lcm.ReadSummary(t.Context(), d.Env.DB, second)
	if err != nil || s.Model == "test/counting" {
		t.Errorf("the skipped one was written: %+v, %v", s, err)
	}
}

// TestTheSelectedTextIsOnTheScreen: however one moves, and it's the one that is judged.
func TestTheSelectedTextIsOnTheScreen(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	kept, err := summarize.Cache(&viewtest.Counting{}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := viewtest.DriveWithModel(t, kept)
	d.Press("s", "W", "ctrl+x", "y", "2")
	r := d.App.Top().(*Review)
	ids := make([]string, len(r.proposal.plan.Texts))
	for i, text := range r.proposal.plan.Texts {
		ids[i] = text.ID
	}
	last := len(ids) - 1
	wheel := func(x int, b tea.MouseButton) tea.Msg { return tea.MouseWheelMsg{X: x, Y: 10, Button: b} }
	click := func(line int) tea.Msg {
		return tea.MouseClickMsg{X: 5, Y: 1 + r.top + 1 + line, Button: tea.MouseLeft}
	}
	for _, c := range []struct {
		name string
		keys []string
		msgs []tea.Msg
		want int
	}{
		{"at first", nil, nil, 0},
		{"next", []string{"n"}, nil, 1},
		{"previous", []string{"n", "N"}, nil, 0},
		{"around the end", []string{"N"}, nil, last},
		{"Home", []string{"n", "n", "home"}, nil, 0},
		{"g", []string{"n", "n", "g"}, nil, 0},
		{"End", []string{"end"}, nil, last},
		{"G, and back", []string{"G", "N"}, nil, last - 1},
		{"scrolling back", []string{"n", "n", "up"}, nil, 1},
		{"scrolling back from the first", []string{"pgup"}, nil, 0},
		{"scrolling on from the last", []string{"end", "pgdown"}, nil, last},
		{"the wheel, back", []string{"n"}, []tea.Msg{wheel(80, tea.MouseWheelUp)}, 0},
		{"the wheel on the list", nil, []tea.Msg{wheel(5, tea.MouseWheelDown), wheel(5, tea.MouseWheelDown)}, 2},
		{"a click", nil, []tea.Msg{click(4)}, 4},
		{"a click below the list", []string{"n"}, []tea.Msg{click(200)}, 1},
	} {
		d.Press("2", "home")
		d.Press(c.keys...)
		d.App.View()
		d.Send(c.msgs...)
		e, _ := r.texts.current()
		screen := d.Screen(120, 36)
		if e.id != ids[c.want] || !strings.Contains(screen, "▸ "+e.id+"  "+views.Itoa(int64(c.want+1))+" of ") {
			t.Errorf("%s: %s is selected, want %s:\n%s", c.name, e.id, ids[c.want], screen)
		}
		for i, id := range ids {
			if i != c.want && strings.Contains(screen, "▸ "+id) {
				t.Errorf("%s: %s is on the screen", c.name, id)
			}
		}
	}
	for _, c := range []struct {
		key  string
		ends int
	}{{"pgdown", last}, {"pgup", 0}} {
		for range 500 {
			d.Press(c.key)
			e, _ := r.texts.current()
			if e.id == ids[c.ends] {
				break
			}
		}
		if e, _ := r.texts.current(); e.id != ids[c.ends] {
			t.Errorf("%s ends at %s", c.key, e.id)
		}
	}
	d.Press("home", "n", "n", "n", "home", "s", "y")
	if op := r.proposal.op.(*rewrite.Op); len(op.Skip) != 1 || !op.Skip[ids[0]] {
		t.Errorf("skipped %v, not %s", op.Skip, ids[0])
	}
}

// TestACancelledRunTellsWhatItTook: how many calls were made, that their answers are kept,
// and no row says that it's being asked for.
func TestACancelledRunTellsWhatItTook(t *testing.T) {
	t.Parallel()
	m := &cancelling{after: 2}
	kept, err := summarize.Cache(m, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := viewtest.DriveWithModel(t, kept)
	d.Press("s", "W", "ctrl+x", "y")
	calls := views.Itoa(int64(m.Calls))
	d.Sees("model calls "+calls, calls+" calls were made; 2 answers are cached and cost nothing again", "2 ready", "1 failed", "x goes on", "nothing is written")
	for range 33 { // calls run side by side: any two of the texts were made
		if strings.Contains(d.Screen(120, 36), "its answer is cached") {
			break
		}
		d.Press("n")
	}
	d.Sees("its answer is cached")
	d.Press("home")
	d.Misses("asking", "waiting", "no model was called", "its new text is the old one")
	d.Press("4")
	d.Misses("no model was called")
	d.Press("2")
	asked := m.Calls
	d.Sees(", 31 to be made")
	d.Press("ctrl+r")
	if d.Sees("an estimate", "31 to be made"); m.Calls != asked {
		t.Error("it asked by itself")
	}
	m.after = 1 << 30
	d.Press("ctrl+x")
	d.Sees("? make the texts?", "about 31 calls of test/counting · cost: unknown")
	d.Press("y", "ctrl+r")
	d.Sees("nothing is written yet", "a apply")
}

// cancelling is a model that has no quota any more after some answers: the next call
// fails, and those beside it are cancelled for that.
type cancelling struct {
	viewtest.Counting
	after int
}

func (c *cancelling) Summarize(ctx context.Context, _ summarize.Request) (summarize.Reply, error) {
	c.Mu.Lock()
	c.Calls++
	call := c.Calls
	c.Mu.Unlock()
	switch {
	case call <= c.after:
		return summarize.Reply{Text: "answer " + views.Itoa(int64(call)), Model: c.Name()}, nil
	case call == c.after+1:
		return summarize.Reply{}, fmt.Errorf("the quota is used up: %w", summarize.ErrPermanent)
	}
	<-ctx.Done()
	return summarize.Reply{}, ctx.Err()
}

// failingOnce is a model that fails the first time it is asked.
type failingOnce struct{ viewtest.Counting }

// failureReason is longer than any list is wide.
const failureReason = "the vendor is overloaded: the quota of the project tidewater-agents is used up until Monday at nine in the morning, and then it starts again"

func (m *failingOnce) Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	reply, err := m.Counting.Summarize(ctx, r)
	if reply.Text == "answer 1" {
		err = errors.New(failureReason)
	}
	return reply, err
}

// runFailingOnce opens the review of a rewritten branch of which one text failed, and
// selects that.
func runFailingOnce(t *testing.T) (*viewtest.Driver, *Review) {
	t.Helper()
	m := &failingOnce{}
	kept, err := summarize.Cache(m, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := viewtest.DriveWithModel(t, kept)
	d.Press("s", "W", "ctrl+x", "y")
	r := d.App.Top().(*Review)
	for range r.proposal.entries() {
		if e, _ := r.texts.current(); e.text == nil {
			return d, r
		}
		d.Press("n")
	}
	t.Fatal("no failed text can be selected")
	return nil, nil
}

// TestAFailedTextIsSelectedReadAndRetried: its reason is there in full at any width, and r
// asks for this text again.
func TestAFailedTextIsSelectedReadAndRetried(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d, r := runFailingOnce(t)
	d.Sees("1 failed", "! failed", "r try again", "x try the 1 failed again")
	for _, width := range []int{120, 80} {
		if got := strings.Join(strings.Fields(strings.ReplaceAll(d.Screen(width, 24), "│", "")), " "); !strings.Contains(got, "then it starts again") {
			t.Errorf("%d cells wide, the reason is cut:\n%s", width, d.Screen(width, 24))
		}
	}
	d.Clean(80, 24)
	d.Press("r", "y")
	d.Misses("failed")
	if n := len(r.proposal.plan.Texts); n != len(r.proposal.entries()) {
		t.Errorf("%d texts of %d are there", n, len(r.proposal.entries()))
	}
}

// TestFailedTextsAreRetriedTogether: x asks for those that failed and what is made from
// them, after a question.
func TestFailedTextsAreRetriedTogether(t *testing.T) {
	t.Parallel()
	d, r := runFailingOnce(t)
	d.Press("ctrl+x")
	d.Sees("? ask again for 1 text that failed?", "y yes, ask the model")
	d.Press("y")
	if r.proposal.failed() != 0 {
		t.Errorf("%d texts are failed still", r.proposal.failed())
	}
}

// TestAPartOfABatchIsAppliedAfterAQuestion: how many of how many are written is said first.
func TestAPartOfABatchIsAppliedAfterAQuestion(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d, r := runFailingOnce(t)
	was, ready, all := d.Dump(), len(r.proposal.plan.Texts), len(r.proposal.entries())
	d.Press("a")
	d.Sees(fmt.Sprintf("? apply %d of %d texts?", ready, all), "1 summary keeps its old text", "y yes, apply them")
	d.Press("enter")
	d.Sees("nothing was applied")
	if d.Dump() != was {
		t.Fatal("it was applied without a yes")
	}
	d.Press("a", "y")
	d.Sees("applied as #1")
}

// TestABatchWhoseTextsAllFailedShowsWhy: at 80 columns, too.
func TestABatchWhoseTextsAllFailedShowsWhy(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveWithModel(t, viewtest.Brief{Err: errors.New(failureReason)})
	d.Press("s", "W", "ctrl+x", "y", "2", "n")
	for _, width := range []int{120, 80} {
		if got := strings.Join(strings.Fields(strings.ReplaceAll(d.Screen(width, 24), "│", "")), " "); !strings.Contains(got, "then it starts again") {
			t.Errorf("%d cells wide, the reason is cut:\n%s", width, d.Screen(width, 24))
		}
	}
}

// TestTheListOfTextsShowsTextsAndReasons: beside a short id stands how a summary begins and when, or why it failed.
func TestTheListOfTextsShowsTextsAndReasons(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d, r := runFailingOnce(t)
	for _, width := range []int{100, 120, 200} {
		screen := d.Screen(width, 50)
		for _, e := range r.proposal.entries() {
			want := strings.TrimLeft(e.head.Opening, "# ")
			if e.text == nil {
				want = failureReason
			}
			row, _, _ := strings.Cut(screen[strings.Index(screen, views.ShortID(e.id, 9)+" "):], "\n")
			if !strings.Contains(row, " "+want[:12]) || e.head.At.Null {
				t.Errorf("%d columns: %q doesn't begin with %q", width, row, want[:12])
			}
		}
	}
}

// TestLeavingSaysThatTextsAreKept: texts of a model that nobody applied come back without a call.
func TestLeavingSaysThatTextsAreKept(t *testing.T) {
	t.Parallel()
	m := &viewtest.Counting{}
	kept, err := summarize.Cache(m, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := viewtest.DriveWithModel(t, kept)
	d.Press("s", "r", "ctrl+x", "y", "esc")
	d.Sees("› Summaries", "1 text that a model wrote is not applied: kept for two weeks, and the same rewrite takes them without a call")
	asked := m.Calls
	d.Press("r", "ctrl+x", "y")
	if r, ok := d.App.Top().(*Review); !ok || len(r.proposal.plan.Texts) != 1 || m.Calls != asked {
		t.Errorf("the text didn't come back: %d calls", m.Calls-asked)
	}
}

// TestARewriteShowsWhatItIsMadeFrom: the third view has the messages of a summary beside its
// new text.
func TestARewriteShowsWhatItIsMadeFrom(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveWithModel(t, viewtest.Brief{})
	d.Press("s", "W", "ctrl+x", "y")
	r := d.App.Top().(*Review)
	e, _ := r.texts.current()
	source, err := sourceOf(t.Context(), d.Env, e.id, nil)
	if err != nil || !strings.Contains(source, "UTC |") {
		t.Fatalf("%v: %q", err, source)
	}
	d.Sees("before  ", "after  ", "v view: side by side")
	d.Press("v")
	d.Sees("− before  ", "+ after  ", "v view: unified")
	d.Press("v")
	d.Sees("made from", "after  ", "v view: with its source", "what happened, in brief", strings.SplitAfter(source, "UTC |")[0])
	d.Press("v")
	d.Sees("v view: side by side")
}

func TestThePromptIsShownBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveWithModel(t, viewtest.Brief{Err: errors.New("quokka")})
	d.Press("s", "p")
	d.Sees("test/brief", "Previous context", "System prompt", "Prompt")
	d.Misses("quokka")
	d.Clean(80, 24)
	d.Press("Y")
	if d.Clip == "" {
		t.Error("nothing was copied")
	}
}

func TestAFailedRunKeepsTheEstimate(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveWithModel(t, viewtest.Brief{Err: errors.New("the vendor is overloaded")})
	d.Press("C", "enter", "ctrl+x", "y")
	d.Sees("the vendor is overloaded", "an estimate")
}

func TestWithoutAModelNothingIsOffered(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Misses("C compact")
	d.Press("C", "s", "r")
	if _, ok := d.App.Top().(*Review); ok {
		t.Error("r works without a model")
	}
}

func TestSettingsScreen(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press(".", "S")
	d.Sees("8 conversations") // There are none to show.
	d.Env.Settings = func() settings.Settings {
		return settings.Load(func(name string) string {
			return map[string]string{"LCM_FRESH_TAIL_COUNT": "12"}[name]
		}, openclaw.Config{}, nil)
	}
	d.Env.ReadDiskState()
	d.Press(".", "S")
	d.Sees("freshTailCount", "environment LCM_FRESH_T", "default")
	d.Press("/")
	d.Write("freshTailCount")
	d.Press("enter")
	d.Sees("12")
	d.Golden()
}

// TestACancelledCompactionTellsWhatItTook: that of an operation without a list of texts.
func TestACancelledCompactionTellsWhatItTook(t *testing.T) {
	t.Parallel()
	for name, open := range map[string][]string{"compact": {"C", "enter"}, "rewrite": {"s", "r"}} {
		for _, err := range []error{errors.New("the vendor is overloaded"), fmt.Errorf("no more: %w", summarize.ErrPermanent)} {
			d := viewtest.DriveWithModel(t, viewtest.Brief{Err: err})
			d.Press(open...)
			d.Press("ctrl+x", "y")
			r, ok := d.App.Top().(*Review)
			if !ok || r.proposal.plan.Estimate() != true {
				t.Fatalf("%s: %T", name, d.App.Top())
			}
			d.Sees("model calls 1", "~ stopped: 1 call was made, without an answer")
			d.Misses("no model was called and nothing is written")
		}
	}
}
