package review

import (
	"context"
	"errors"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/engine/model/choose"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// TestTheModelIsChosenForThisRun: M lists the models with the state of their keys, and the
// one that is chosen is in force from then on; = goes back to the configured one.
func TestTheModelIsChosenForThisRun(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.WithModels(map[string]string{"OPENAI_API_KEY": "secret-key-of-openai"}, "openai/gpt-5-nano")
	d.Press(".", "S")
	d.Sees("model: extractive/textrank", "built in", "summaryProvider")
	d.Press("M")
	d.Sees("in force: extractive/textrank", "if it fails: openai/gpt-5-nano", "anthropic/claude-haiku-4-5", "○ no key", "● key set")
	d.Misses("secret-key-of-openai")
	d.Press("/")
	d.Write("gpt-5-mini")
	d.Press("enter", "enter")
	d.Sees("summaries are made by openai", "model: openai/gpt-5-mini", "key set (environment OPENAI_API_KEY)", "chosen for this run")
	d.Misses("flag")
	if c := d.Env.ChosenModel(); c.Provider != "openai" {
		t.Errorf("the choice is %q", c.Provider)
	}
	d.Press(".", "M", "=")
	d.Sees("model: extractive/textrank", "the configured one again")
	d.Press("M", "/")
	d.Write("gpt-5-mini")
	d.Press("enter", "enter")
	d.Press("M")
	d.Misses("nothing is set")
	d.Press("=")
	d.Sees("model: extractive/textrank", "the configured one again")
	if c := d.Env.ChosenModel(); !c.IsZero() {
		t.Errorf("%+v is chosen", c.Provider)
	}
}

// TestAModelOrACommandIsTyped: a provider that names no model asks for its name, and a
// command that summarizes is typed whole.
func TestAModelOrACommandIsTyped(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.WithModels(nil)
	d.Press(".", "S", "M", "/")
	d.Write("openrouter")
	d.Press("enter", "enter")
	d.Sees("provider/model: openrouter/")
	d.Write("acme/big")
	d.Press("enter")
	d.Sees("model: openrouter/acme/big", "! no key", "OPENROUTER_API_KEY")
	d.Press("M", "x")
	d.Write("summarize --short")
	d.Press("enter")
	d.Sees("exec/summarize", "is not found")
}

// TestATypedModelThatCannotBeAskedSaysSo: a name that leads nowhere doesn't make any summary.
func TestATypedModelThatCannotBeAskedSaysSo(t *testing.T) {
	t.Parallel()
	for key, typed := range map[string]string{"m": "openai/gpt-9", "x": "no-such-program"} {
		d := viewtest.DriveDemo(t)
		d.WithModels(nil)
		d.Press(".", "M")
		d.Sees("no model is chosen: ⏎ chooses one")
		d.Misses("M chooses")
		d.Press(key)
		d.Write(typed)
		d.Press("enter")
		d.Sees(typed + " is chosen, and can't be asked yet")
		d.Misses("summaries are made by")
	}
}

// TestAnExpiredSignInIsNoValidKey: the row differs from that of a provider without any.
func TestAnExpiredSignInIsNoValidKey(t *testing.T) {
	t.Parallel()
	signIns := func() choose.SignIns {
		return choose.SignIns{All: []choose.SignIn{{Provider: "anthropic", Login: true, Expires: viewtest.DemoNow.AddDate(-1, 0, 0), Source: "auth profile anthropic:default"}}}
	}
	d := viewtest.DriveDemo(t)
	for provider, want := range map[string]string{"anthropic": "~ no valid key", "openai": "○ no key"} {
		r, _ := choose.Resolve(choose.Choice{Provider: provider, Model: "m"}, func(string) string { return "" }, choose.HostConfig{SignIns: signIns})
		if got := ansi.Strip(views.CandidateState(d.Env.Styles, &choose.Candidate{Resolved: r})); got != want {
			t.Errorf("%s: %q, not %q", provider, got, want)
		}
	}
}

// TestModelChooserScreens: the chooser in three sizes.
func TestModelChooserScreens(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.WithModels(map[string]string{"ANTHROPIC_API_KEY": "k", "LCM_TUI_SUMMARY_PROVIDER": "anthropic"})
	d.Send(ui.PushMsg{Screen: views.NewModelChooser(d.Env)})
	d.Goldens()
}

// TestTheChoiceReachesTheSummarizer: what the screen chose is what summaries are made with.
func TestTheChoiceReachesTheSummarizer(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	var got choose.Choice
	d.Env.Model = choose.Choice{Provider: "openai"}
	d.Env.Summarizer = func(_ context.Context, chosen choose.Choice) (views.Summarizer, error) {
		got = chosen
		return views.Summarizer{}, errors.New("enough")
	}
	for _, use := range []struct {
		do   func() tea.Cmd
		want choose.Choice
	}{
		{func() tea.Cmd { return nil }, choose.Choice{Provider: "openai"}},
		{func() tea.Cmd { return d.Env.UseModel(choose.Choice{Exec: "summarize"}) }, choose.Choice{Exec: "summarize"}},
		{d.Env.UseConfiguredModel, choose.Choice{Provider: "openai"}},
	} {
		d.Run(use.do())
		if _, err := d.Env.FindSummarizer(t.Context()); err == nil || got.Exec != use.want.Exec || got.Provider != use.want.Provider {
			t.Errorf("the summarizer gets %q %q (%v), want %+v", got.Provider, got.Exec, err, use.want)
		}
	}
}
