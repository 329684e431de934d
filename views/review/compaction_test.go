package review

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/openclaw"
	engine "lcm-tui/engine/compact"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/settings"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/compact"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// driveWithDefaults opens the demonstration with a model at hand and the host's default
// settings.
func driveWithDefaults(t *testing.T, m summarize.Model) *viewtest.Driver {
	t.Helper()
	d := viewtest.DriveDemo(t)
	d.WithModels(map[string]string{"OPENAI_API_KEY": "k", "LCM_TUI_SUMMARY_PROVIDER": "openai"})
	d.Env.Summarizer = func(context.Context, choose.Choice) (views.Summarizer, error) {
		return views.Summarizer{Model: m, Settings: settings.Load(func(string) string { return "" }, openclaw.Config{}, nil)}, nil
	}
	return d
}

// dialog returns the compaction dialog, which must be shown.
func dialog(d *viewtest.Driver) *Compaction {
	d.T.Helper()
	c, ok := d.App.Top().(*Compaction)
	if !ok {
		d.T.Fatalf("%T is shown", d.App.Top())
	}
	return c
}

// onField puts the cursor on the field of a label.
func onField(d *viewtest.Driver, label string) {
	d.T.Helper()
	c := dialog(d)
	for range c.fields() {
		d.Press("up")
	}
	for _, f := range c.fields() {
		if f.label == label {
			return
		}
		d.Press("down")
	}
	d.T.Fatalf("there is no field %q", label)
}

// TestCompactionSaysWhatWouldHappen: the dialog names the context, the model and what a
// run would take, and says that it is forced below the threshold.
func TestCompactionSaysWhatWouldHappen(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := driveWithDefaults(t, viewtest.Brief{})
	was := d.Dump()
	d.Press("C")
	d.Sees("now 5,9", "5% of the budget", "What would happen", "call of test/brief", "cost: unknown",
		"forced: below the threshold of 96,000 the host would not compact yet", "openai/gpt-5-mini", "key set (environment OPENAI_API_KEY)")
	onField(d, "force")
	d.Press("right")
	d.Sees("~ nothing: the context is below the threshold of 96,000", "set force to yes")
	d.Press("enter")
	d.Sees("enter does nothing here: the context is below the threshold of 96,000")
	if _, ok := d.App.Top().(*Compaction); !ok {
		t.Fatalf("with nothing to do enter showed %T", d.App.Top())
	}
	d.Press("=")
	d.Press("enter")
	if _, ok := d.App.Top().(*Review); !ok {
		t.Fatalf("enter showed %T", d.App.Top())
	}
	d.Sees("compact Tidewater #2: an estimate", "openai/gpt-5-mini · key set (environment OPENAI_API_KEY)")
	if d.Dump() != was {
		t.Error("something was written")
	}
}

// TestCompactionOfAFreshTailHasAWayOut: a context that is 87 % full, all of it fresh tail,
// says so and offers a shorter tail.
func TestCompactionOfAFreshTailHasAWayOut(t *testing.T) {
	t.Parallel()
	d := driveWithDefaults(t, viewtest.Brief{})
	d.Press("down", "down", "C")
	d.Sees("87% of the budget", "every message of the context is in the fresh tail", "takes a fresh tail of 29 messages")
	d.Goldens()
	d.Press("f")
	d.Sees("29 messages", "111,566 → ", "review it")
	d.Press("enter")
	d.Sees("an estimate")
	r := d.App.Top().(*Review).proposal.op.(*compact.Op)
	if r.Request.Config.FreshTailCount != 29 || r.Request.Force {
		t.Errorf("tail %d, force %t", r.Request.Config.FreshTailCount, r.Request.Force)
	}
}

// TestCompactionTakesTheWhatIf: budget and fresh tail of the context's what-if fill the
// dialog.
func TestCompactionTakesTheWhatIf(t *testing.T) {
	t.Parallel()
	d := driveWithDefaults(t, viewtest.Brief{})
	d.Open(8, views.TabContext)
	d.Press("{", "<", "C")
	c := dialog(d)
	if c.request.budget != 96_000 || c.request.tail != 56 {
		t.Errorf("budget %d, tail %d", c.request.budget, c.request.tail)
	}
}

// TestCompactionTakesTypedNumbers: digits open the field under the cursor, esc leaves it as
// it was, and what isn't a number is refused.
func TestCompactionTakesTypedNumbers(t *testing.T) {
	t.Parallel()
	d := driveWithDefaults(t, viewtest.Brief{})
	d.Press("C")
	onField(d, "budget")
	d.Press("1", "M", "enter")
	d.Sees("1,000,000t")
	d.Press("9", "esc")
	d.Sees("1,000,000t")
	d.Press("9", "x", "enter")
	d.Sees(`"9x" is not a number such as 200000, 200k or 1M`)
	d.Press("esc") // The text stays until then.
	onField(d, "fresh tail")
	d.Press("1", "2", "enter")
	onField(d, "fresh tail at most")
	d.Press("3", "0", "0", "0", "enter")
	onField(d, "how much")
	d.Press("right", "right")
	onField(d, "until")
	d.Press("4", "k", "enter")
	r := dialog(d).estimate.op.Request
	if r.Budget != 1_000_000 || r.Config.FreshTailCount != 12 || *r.Config.FreshTailMaxTokens != 3000 || r.Target != 4000 || r.Mode != "until" {
		t.Errorf("%+v, at most %d", r, *r.Config.FreshTailMaxTokens)
	}
	d.Clean(80, 24)
	d.Clean(20, 5)
}

// TestCompactionWithoutAModel: the estimate is there, and the review is refused with the
// reason.
func TestCompactionWithoutAModel(t *testing.T) {
	t.Parallel()
	d := driveWithDefaults(t, viewtest.Brief{})
	d.Env.Summarizer = func(context.Context, choose.Choice) (views.Summarizer, error) {
		s := views.Summarizer{Settings: settings.Load(func(string) string { return "" }, openclaw.Config{}, nil)}
		return s, errors.New("no key for openai")
	}
	d.Press("C")
	d.Sees("1 call of no model", "! no summaries can be made: no key for openai", "M chooses another model")
	d.Press("enter")
	if _, ok := d.App.Top().(*Compaction); !ok {
		t.Fatalf("without a model enter showed %T", d.App.Top())
	}
}

// TestAnEstimateFromBefore: what was estimated before the model or the context changed is not
// reviewed; the next estimate is.
func TestAnEstimateFromBefore(t *testing.T) {
	t.Parallel()
	for name, msg := range map[string]tea.Msg{"another model": ui.ShownMsg{}, "another context": ui.ChangedMsg{External: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := driveWithDefaults(t, viewtest.Brief{})
			d.Press("C")
			if why := dialog(d).unready(); why != "" {
				t.Fatalf("the estimate can't be reviewed: %s", why)
			}
			next := dialog(d).Update(msg)
			if why := dialog(d).unready(); why != "the estimate isn't there yet" {
				t.Errorf("the estimate from before can be reviewed: %q", why)
			}
			d.Run(next)
			if why := dialog(d).unready(); why != "" {
				t.Errorf("the next estimate can't be reviewed: %s", why)
			}
		})
	}
}

// TestCompactionScreens: the dialog of a conversation with something to compact.
func TestCompactionScreens(t *testing.T) {
	t.Parallel()
	d := driveWithDefaults(t, viewtest.Brief{})
	d.Press("C")
	d.Goldens()
}

// TestParseAmount: numbers as people write them.
func TestParseAmount(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"0": 0, "128000": 128_000, "128,000": 128_000, "200k": 200_000, "1.5M": 1_500_000, " 64 ": 64, "12_000t": 12_000} {
		if n, err := views.ParseAmount(text); n != want || err != nil {
			t.Errorf("%q: %d (%v)", text, n, err)
		}
	}
	for _, text := range []string{"", "-1", "k", "1x", "NaN", "1e9", "0x10", "9999999999999999M", "inf"} {
		if n, err := views.ParseAmount(text); err == nil || !strings.Contains(err.Error(), "is not a number") {
			t.Errorf("%q: %d (%v)", text, n, err)
		}
	}
}

// TestACompactionThatWasNotRead doesn't say that it is being read, and ctrl+r reads it.
func TestACompactionThatWasNotRead(t *testing.T) {
	t.Parallel()
	d := driveWithDefaults(t, viewtest.Brief{})
	d.Press("C")
	c := dialog(d)
	c.loaded = false
	c.Update(ui.FailedMsg{Name: "load", Err: context.Canceled})
	d.Sees("not read: the reading was cancelled; ctrl+r reads again")
	d.Press("ctrl+r")
	d.Sees("What would happen")
}

// TestSteps: up and down go through the same sizes, and beyond them.
func TestSteps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n    int64
		down bool
		want int64
	}{
		{128_000, false, 160_000},
		{128_000, true, 96_000},
		{130_000, true, 128_000},
		{2_000_000, false, 4_000_000},
		{4_200_000, true, 2_100_000},
		{1_000, true, 1_000},
		{1, false, 1_000},
	} {
		if got := views.Stepped(views.TokenSteps, c.n, c.down); got != c.want {
			t.Errorf("from %d (down %t): %d, want %d", c.n, c.down, got, c.want)
		}
	}
}

// TestFieldsOfTheCompactionCanBeClicked: a click goes to a field, and changes the one under the cursor.
func TestFieldsOfTheCompactionCanBeClicked(t *testing.T) {
	t.Parallel()
	d := driveWithDefaults(t, viewtest.Brief{})
	d.Press("C")
	c := dialog(d)
	click := func(text string) {
		for y, l := range strings.Split(d.Screen(80, 24), "\n") {
			if strings.Contains(l, text) {
				d.Send(tea.MouseClickMsg{X: 5, Y: y, Button: tea.MouseLeft})
				return
			}
		}
		t.Fatalf("nothing says %q:\n%s", text, d.Screen(80, 24))
	}
	click(" how much")
	if at := c.fields()[c.field].label; at != "how much" || c.request.mode != engine.Sweep {
		t.Fatalf("the click leads to %s, and the mode is %s", at, c.request.mode)
	}
	click("▌how much")
	if c.request.mode != engine.Leaf {
		t.Errorf("the second click leads to the mode %s", c.request.mode)
	}
	click("What would happen")
	click(" budget  ")
	click("▌budget")
	d.Write("64k")
	click(" how much") // The number that is typed stays one of the budget.
	d.Send(tea.MouseWheelMsg{Button: tea.MouseWheelDown}, tea.MouseWheelMsg{Button: tea.MouseWheelDown}, tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	d.Press("enter")
	if c.request.budget != 64_000 {
		t.Errorf("the budget is %d", c.request.budget)
	}
}

// TestTheCompactionExplainsItselfAt80: in a small window every field says what it means in full.
func TestTheCompactionExplainsItselfAt80(t *testing.T) {
	t.Parallel()
	d := driveWithDefaults(t, viewtest.Brief{})
	d.Press("C")
	for _, f := range dialog(d).fields() {
		last := f.about[strings.LastIndex(f.about, " ")+1:]
		if screen := d.Screen(80, 24); !strings.Contains(screen, last) {
			t.Errorf("what %s means doesn't end with %q:\n%s", f.label, last, screen)
		}
	}
	if screen := d.Screen(80, 24); strings.Contains(screen, "…") {
		t.Errorf("something is cut:\n%s", screen)
	}
}
