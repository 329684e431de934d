package views

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/settings"
	"lcm-tui/engine/summarize"
	"lcm-tui/ops/compact"
	"lcm-tui/ui"
)

// driveWithDefaults opens the demonstration with a model at hand and the host's default
// settings.
func driveWithDefaults(t *testing.T, m summarize.Model) *driver {
	t.Helper()
	d := driveDemo(t)
	d.withModels(map[string]string{"OPENAI_API_KEY": "k", "LCM_TUI_SUMMARY_PROVIDER": "openai"})
	d.env.Summarizer = func(context.Context, choose.Choice) (Summarizer, error) {
		return Summarizer{Model: m, Settings: settings.Load(func(string) string { return "" }, openclaw.Config{}, nil)}, nil
	}
	return d
}

// dialog returns the compaction dialog, which must be shown.
func (d *driver) dialog() *Compaction {
	d.t.Helper()
	c, ok := d.app.Top().(*Compaction)
	if !ok {
		d.t.Fatalf("%T is shown", d.app.Top())
	}
	return c
}

// onField puts the cursor on the field of a label.
func (d *driver) onField(label string) {
	d.t.Helper()
	c := d.dialog()
	for range c.fields() {
		d.press("up")
	}
	for _, f := range c.fields() {
		if f.label == label {
			return
		}
		d.press("down")
	}
	d.t.Fatalf("there is no field %q", label)
}

// TestCompactionSaysWhatWouldHappen: the dialog names the context, the model and what a
// run would take, and says that it is forced below the threshold.
func TestCompactionSaysWhatWouldHappen(t *testing.T) {
	t.Parallel()
	d := driveWithDefaults(t, brief{})
	was := d.dump()
	d.press("C")
	d.sees("now 5,9", "5% of the budget", "What would happen", "call of test/brief", "cost: unknown",
		"forced: below the threshold of 96,000 the host would not compact yet", "openai/gpt-5-mini", "key set (environment OPENAI_API_KEY)")
	d.onField("force")
	d.press("right")
	d.sees("~ nothing: the context is below the threshold of 96,000", "set force to yes")
	d.press("enter")
	if _, ok := d.app.Top().(*Compaction); !ok {
		t.Fatalf("with nothing to do enter showed %T", d.app.Top())
	}
	d.press("=")
	d.press("enter")
	if _, ok := d.app.Top().(*Review); !ok {
		t.Fatalf("enter showed %T", d.app.Top())
	}
	d.sees("compact conversation 2: an estimate", "openai/gpt-5-mini · key set (environment OPENAI_API_KEY)")
	if d.dump() != was {
		t.Error("something was written")
	}
}

// TestCompactionOfAFreshTailHasAWayOut: a context that is 87 % full, all of it fresh tail,
// says so and offers a shorter tail.
func TestCompactionOfAFreshTailHasAWayOut(t *testing.T) {
	t.Parallel()
	d := driveWithDefaults(t, brief{})
	d.press("down", "down", "C")
	d.sees("87% of the budget", "every message of the context is in the fresh tail", "takes a fresh tail of 29 messages")
	d.goldens()
	d.press("f")
	d.sees("29 messages", "111,566 → ", "review it")
	d.press("enter")
	d.sees("an estimate")
	r := d.app.Top().(*Review).op.(*compact.Op)
	if r.Request.Config.FreshTailCount != 29 || r.Request.Force {
		t.Errorf("tail %d, force %t", r.Request.Config.FreshTailCount, r.Request.Force)
	}
}

// TestCompactionTakesTheWhatIf: budget and fresh tail of the context's what-if fill the
// dialog.
func TestCompactionTakesTheWhatIf(t *testing.T) {
	t.Parallel()
	d := driveWithDefaults(t, brief{})
	d.open(8, tabContext)
	d.press("{", "<", "C")
	c := d.dialog()
	if c.request.budget != 96_000 || c.request.tail != 56 {
		t.Errorf("budget %d, tail %d", c.request.budget, c.request.tail)
	}
}

// TestCompactionTakesTypedNumbers: digits open the field under the cursor, esc leaves it as
// it was, and what isn't a number is refused.
func TestCompactionTakesTypedNumbers(t *testing.T) {
	t.Parallel()
	d := driveWithDefaults(t, brief{})
	d.press("C")
	d.onField("budget")
	d.press("1", "M", "enter")
	d.sees("1,000,000t")
	d.press("9", "esc")
	d.sees("1,000,000t")
	d.press("9", "x", "enter")
	d.sees(`"9x" is not a number such as 200000, 200k or 1M`)
	d.onField("fresh tail")
	d.press("1", "2", "enter")
	d.onField("fresh tail at most")
	d.press("3", "0", "0", "0", "enter")
	d.onField("how much")
	d.press("right", "right")
	d.onField("until")
	d.press("4", "k", "enter")
	r := d.dialog().estimate.op.Request
	if r.Budget != 1_000_000 || r.Config.FreshTailCount != 12 || *r.Config.FreshTailMaxTokens != 3000 || r.Target != 4000 || r.Mode != "until" {
		t.Errorf("%+v, at most %d", r, *r.Config.FreshTailMaxTokens)
	}
	d.clean(80, 24)
	d.clean(20, 5)
}

// TestCompactionWithoutAModel: the estimate is there, and the review is refused with the
// reason.
func TestCompactionWithoutAModel(t *testing.T) {
	t.Parallel()
	d := driveWithDefaults(t, brief{})
	d.env.Summarizer = func(context.Context, choose.Choice) (Summarizer, error) {
		s := Summarizer{Settings: settings.Load(func(string) string { return "" }, openclaw.Config{}, nil)}
		return s, errors.New("no key for openai")
	}
	d.press("C")
	d.sees("1 call of no model", "! no summaries can be made: no key for openai", "M chooses another model")
	d.press("enter")
	if _, ok := d.app.Top().(*Compaction); !ok {
		t.Fatalf("without a model enter showed %T", d.app.Top())
	}
}

// TestAnEstimateFromBefore: what was estimated before the model or the context changed is not
// reviewed; the next estimate is.
func TestAnEstimateFromBefore(t *testing.T) {
	t.Parallel()
	for name, msg := range map[string]tea.Msg{"another model": ui.ShownMsg{}, "another context": ui.ChangedMsg{External: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := driveWithDefaults(t, brief{})
			d.press("C")
			if why := d.dialog().unready(); why != "" {
				t.Fatalf("the estimate can't be reviewed: %s", why)
			}
			next := d.dialog().Update(msg)
			if why := d.dialog().unready(); why != "the estimate isn't there yet" {
				t.Errorf("the estimate from before can be reviewed: %q", why)
			}
			d.run(next)
			if why := d.dialog().unready(); why != "" {
				t.Errorf("the next estimate can't be reviewed: %s", why)
			}
		})
	}
}

// TestCompactionScreens: the dialog of a conversation with something to compact.
func TestCompactionScreens(t *testing.T) {
	t.Parallel()
	d := driveWithDefaults(t, brief{})
	d.press("C")
	d.goldens()
}

// TestParseAmount: numbers as people write them.
func TestParseAmount(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"0": 0, "128000": 128_000, "128,000": 128_000, "200k": 200_000, "1.5M": 1_500_000, " 64 ": 64, "12_000t": 12_000} {
		if n, err := parseAmount(text); n != want || err != nil {
			t.Errorf("%q: %d (%v)", text, n, err)
		}
	}
	for _, text := range []string{"", "-1", "k", "1x", "NaN", "1e9", "0x10", "9999999999999999M", "inf"} {
		if n, err := parseAmount(text); err == nil || !strings.Contains(err.Error(), "is not a number") {
			t.Errorf("%q: %d (%v)", text, n, err)
		}
	}
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
		if got := stepped(tokenSteps, c.n, c.down); got != c.want {
			t.Errorf("from %d (down %t): %d, want %d", c.n, c.down, got, c.want)
		}
	}
}
