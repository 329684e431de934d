package cli

import (
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"lcm-tui/engine/model"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// parsed is the program after it read the flags of a command line without a command.
func parsed(t *testing.T, env map[string]string, args ...string) *app {
	t.Helper()
	a := &app{sys: System{Env: func(name string) string { return env[name] }}}
	if err := a.root().ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	return a
}

// TestFlagsChooseTheModelOfTheUI: what the flags say is in force until another model is
// chosen on a screen; a screen may ask for one without its key being there.
func TestFlagsChooseTheModelOfTheUI(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	env := map[string]string{"XDG_CACHE_HOME": t.TempDir(), "PATH": "/usr/bin:/bin"}
	a := parsed(t, env, "--exec", "cat -u")
	for _, test := range []struct {
		chosen model.Choice
		want   string
	}{
		{a.opts.model.chosen(), "exec/cat"},
		{model.Choice{Provider: model.Extractive}, "extractive/textrank"},
	} {
		m, err := a.summarizer(db, test.chosen)
		if err != nil {
			t.Fatal(err)
		}
		if m.Model.Name() != test.want {
			t.Errorf("%+v: %s, want %s", test.chosen, m.Model.Name(), test.want)
		}
	}
	r, err := a.resolveModel(model.Choice{Provider: "anthropic", Model: "claude-haiku-4-5"})
	if err != nil || r.Name() != "anthropic/claude-haiku-4-5" || r.Ready() == nil {
		t.Errorf("without a key: %s, %v, ready: %v", r.Name(), err, r.Ready())
	}
}

// TestModelsOfTheUI: the screens know which model is in force under a choice, why it
// can't be asked, and its settings as config lists them.
func TestModelsOfTheUI(t *testing.T) {
	t.Parallel()
	a := parsed(t, map[string]string{"PATH": "/usr/bin:/bin", "OPENAI_API_KEY": "k"}, "--provider", "anthropic")
	for name, test := range map[string]struct {
		chosen     model.Choice
		model, err string
	}{
		"the flags":               {a.opts.model.chosen(), "anthropic/claude-haiku-4-5", "no key for anthropic"},
		"another":                 {model.Choice{Provider: "openai"}, "openai/gpt-5-mini", ""},
		"a name without a vendor": {model.Choice{Model: "big"}, "extractive/textrank", "name it as provider/model"},
	} {
		m := a.models(test.chosen)
		if m.InForce.Name() != test.model || test.err == "" && m.Err != nil || test.err != "" && (m.Err == nil || !strings.Contains(m.Err.Error(), test.err)) {
			t.Errorf("%s: %s (%v), want %s (%s)", name, m.InForce.Name(), m.Err, test.model, test.err)
		}
		if len(m.Settings) == 0 || m.Settings[0].Name != "summaryProvider" || len(m.Candidates) < 5 {
			t.Errorf("%s: settings %v, %d candidates", name, m.Settings, len(m.Candidates))
		}
	}
}

// TestTheUIRefusesModelFlagsThatContradict: before the screens open, as commands do.
func TestTheUIRefusesModelFlagsThatContradict(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"--provider extractive --model x", "--provider claude --exec cat", "--provider anthropic --base-url ::"} {
		a := parsed(t, nil, strings.Fields(args)...)
		var misuse *usageError
		if err := a.bare(&cobra.Command{}, nil); !errors.As(err, &misuse) || strings.Contains(err.Error(), "terminal") {
			t.Errorf("%s: %v, want a usage error about the flags", args, err)
		}
	}
}
