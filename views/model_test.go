package views

import (
	"context"
	"errors"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/engine/model/choose"
	"lcm-tui/ui"
)

// TestTheModelIsChosenForThisRun: M lists the models with the state of their keys, and the
// one that is chosen is in force from then on; = goes back to the configured one.
func TestTheModelIsChosenForThisRun(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.withModels(map[string]string{"OPENAI_API_KEY": "secret-key-of-openai"}, "openai/gpt-5-nano")
	d.press("S")
	d.sees("model: extractive/textrank", "built in", "summaryProvider")
	d.press("M")
	d.sees("in force: extractive/textrank", "if it fails: openai/gpt-5-nano", "anthropic/claude-haiku-4-5", "○ no key", "● key set")
	d.misses("secret-key-of-openai")
	d.press("/")
	d.write("gpt-5-mini")
	d.press("enter", "enter")
	d.sees("summaries are made by openai", "model: openai/gpt-5-mini", "key set (environment OPENAI_API_KEY)", "chosen for this run")
	d.misses("flag")
	if c := d.env.chosenModel(); c.Provider != "openai" {
		t.Errorf("the choice is %q", c.Provider)
	}
	d.press("M", "=")
	d.sees("model: extractive/textrank", "the configured one again")
	d.press("M", "/")
	d.write("gpt-5-mini")
	d.press("enter", "enter")
	d.press("M")
	d.misses("nothing is set")
	d.press("=")
	d.sees("model: extractive/textrank", "the configured one again")
	if c := d.env.chosenModel(); !c.IsZero() {
		t.Errorf("%+v is chosen", c.Provider)
	}
}

// TestAModelOrACommandIsTyped: a provider that names no model asks for its name, and a
// command that summarizes is typed whole.
func TestAModelOrACommandIsTyped(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.withModels(nil)
	d.press("S", "M", "/")
	d.write("openrouter")
	d.press("enter", "enter")
	d.sees("provider/model: openrouter/")
	d.write("acme/big")
	d.press("enter")
	d.sees("model: openrouter/acme/big", "! no key", "OPENROUTER_API_KEY")
	d.press("M", "x")
	d.write("summarize --short")
	d.press("enter")
	d.sees("exec/summarize", "is not found")
}

// TestAnExpiredSignInIsNoValidKey: the row differs from that of a provider without any.
func TestAnExpiredSignInIsNoValidKey(t *testing.T) {
	t.Parallel()
	signIns := func() choose.SignIns {
		return choose.SignIns{All: []choose.SignIn{{Provider: "anthropic", Login: true, Expires: demoNow.AddDate(-1, 0, 0), Source: "auth profile anthropic:default"}}}
	}
	d := driveDemo(t)
	for provider, want := range map[string]string{"anthropic": "~ no valid key", "openai": "○ no key"} {
		r, _ := choose.Resolve(choose.Choice{Provider: provider, Model: "m"}, func(string) string { return "" }, choose.HostConfig{SignIns: signIns})
		if got := ansi.Strip(candidateState(d.env.Styles, &choose.Candidate{Resolved: r})); got != want {
			t.Errorf("%s: %q, not %q", provider, got, want)
		}
	}
}

// TestModelChooserScreens: the chooser in three sizes.
func TestModelChooserScreens(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.withModels(map[string]string{"ANTHROPIC_API_KEY": "k", "LCM_TUI_SUMMARY_PROVIDER": "anthropic"})
	d.send(ui.PushMsg{Screen: newModelChooser(d.env)})
	d.goldens()
}

// TestTheChoiceReachesTheSummarizer: what the screen chose is what summaries are made with.
func TestTheChoiceReachesTheSummarizer(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	var got choose.Choice
	d.env.Model = choose.Choice{Provider: "openai"}
	d.env.Summarizer = func(_ context.Context, chosen choose.Choice) (Summarizer, error) {
		got = chosen
		return Summarizer{}, errors.New("enough")
	}
	for _, use := range []struct {
		do   func() tea.Cmd
		want choose.Choice
	}{
		{func() tea.Cmd { return nil }, choose.Choice{Provider: "openai"}},
		{func() tea.Cmd { return d.env.useModel(choose.Choice{Exec: "summarize"}) }, choose.Choice{Exec: "summarize"}},
		{d.env.useConfiguredModel, choose.Choice{Provider: "openai"}},
	} {
		d.run(use.do())
		if _, err := d.env.summarizer(t.Context()); err == nil || got.Exec != use.want.Exec || got.Provider != use.want.Provider {
			t.Errorf("the summarizer gets %q %q (%v), want %+v", got.Provider, got.Exec, err, use.want)
		}
	}
}
