package views

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	engine "lcm-tui/engine/compact"
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
	c := engine.Defaults()
	c.FreshTailCount = 8
	d.env.Maker = func(context.Context) (Maker, error) { return Maker{Model: m, Config: c}, nil }
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
