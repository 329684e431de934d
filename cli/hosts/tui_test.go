package hosts

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/engine/model"
	"lcm-tui/engine/model/choose"
	"lcm-tui/internal/demo"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// parsed returns the program after it read the flags of a command line without a command.
func parsed(t *testing.T, env map[string]string, args ...string) *screenRun {
	t.Helper()
	a := cli.New(cli.System{Env: func(name string) string { return env[name] }}, Room)
	if err := a.Root().ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	return &screenRun{App: a}
}

// TestFlagsChooseTheModelOfTheUI: what the flags say is in force until another model is
// chosen on a screen; a screen may ask for one without its key being there.
func TestFlagsChooseTheModelOfTheUI(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	env := map[string]string{"XDG_CACHE_HOME": t.TempDir(), "PATH": "/usr/bin:/bin"}
	a := parsed(t, env, "--exec", "cat -u")
	for _, test := range []struct {
		chosen choose.Choice
		want   string
	}{
		{a.Opts.Model.Chosen(), "exec/cat"},
		{choose.Choice{Provider: model.Extractive}, "extractive/textrank"},
	} {
		m, err := a.summarizer(db, test.chosen)
		if err != nil {
			t.Fatal(err)
		}
		if m.Model.Name() != test.want {
			t.Errorf("%+v: %s, want %s", test.chosen, m.Model.Name(), test.want)
		}
	}
	r, err := a.ResolveModel(choose.Choice{Provider: "anthropic", Model: "claude-haiku-4-5"})
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
		chosen     choose.Choice
		model, err string
	}{
		"the flags":               {a.Opts.Model.Chosen(), "anthropic/claude-haiku-4-5", "no key for anthropic"},
		"another":                 {choose.Choice{Provider: "openai"}, "openai/gpt-5-mini", ""},
		"a name without a vendor": {choose.Choice{Model: "big"}, "extractive/textrank", "name it as provider/model"},
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

// TestTheUIChoosesTheDatabase: what is named is opened; the only one of the machine is, too;
// among several the user chooses.
func TestTheUIChoosesTheDatabase(t *testing.T) {
	t.Parallel()
	write := func(path, content string) string {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	empty, two, pi, gone := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	inPi := filepath.Join(".pi", "agent", "extensions", "lossless-claw", "lcm.db")
	first, piOnly := write(filepath.Join(two, ".openclaw", "lcm.db"), "x"), write(filepath.Join(pi, inPi), "x")
	write(filepath.Join(two, inPi), "x")
	write(filepath.Join(gone, inPi), "x")
	write(filepath.Join(gone, ".openclaw", "openclaw.json"), `{plugins: {entries: {"lossless-claw": {config: {dbPath: "/none/lcm.db"}}}}}`)
	for name, c := range map[string]struct {
		home, env string
		args      []string
		opens     string
		choice    int
	}{
		"none is there":               {home: empty, opens: filepath.Join(empty, ".openclaw", "lcm.db")},
		"two are there":               {home: two, opens: first, choice: 2},
		"one of them is named":        {home: two, args: []string{"--db", "/srv/x.db"}, opens: "/srv/x.db"},
		"the environment names one":   {home: two, env: "/srv/y.db", opens: "/srv/y.db"},
		"its state folder is named":   {home: two, args: []string{"--state-dir", "/srv"}, opens: "/srv/lcm.db"},
		"several are named":           {home: two, args: []string{"--db", "/srv/x.db", "--db", "/srv/z.db"}, opens: "/srv/x.db", choice: 2},
		"only one of another program": {home: pi, opens: piOnly},
		"the configured one is gone":  {home: gone, opens: "/none/lcm.db", choice: 2},
	} {
		a := parsed(t, map[string]string{"HOME": c.home, "LCM_DATABASE_PATH": c.env}, c.args...)
		a.Sys.WorkDir = c.home
		choice, shown := a.choice(t.Context()), 0
		if choice != nil {
			shown = len(choice.Databases)
		}
		if l, err := a.Locate(); err != nil || l.Database != c.opens || shown != c.choice {
			t.Errorf("%s: %s is opened, %v, of %d", name, l.Database, err, shown)
		}
	}
}

// TestAChosenDatabaseHasItsOwnHost: the state folder, the configuration and the large files are
// those of the profile whose database was chosen, whatever the environment says of another.
func TestAChosenDatabaseHasItsOwnHost(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	config := `{plugins: {entries: {"lossless-claw": {config: {freshTailCount: 7, largeFilesDir: "~/blobs"}}}}}`
	for path, content := range map[string]string{".openclaw/lcm.db": "x", ".openclaw-work/lcm.db": "x", ".openclaw-work/openclaw.json": config} {
		path = filepath.Join(home, filepath.FromSlash(path))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	a := parsed(t, map[string]string{"HOME": home, "OPENCLAW_CONFIG_PATH": filepath.Join(home, "other.json")})
	a.Sys.WorkDir = home
	for _, db := range a.choice(t.Context()).Databases {
		if !db.Default {
			a.Chosen = &db
		}
	}
	l, err := a.Locate()
	state := filepath.Join(home, ".openclaw-work")
	if err != nil || l.Database != filepath.Join(state, "lcm.db") || l.StateDir != state || l.Host.Path != filepath.Join(state, "openclaw.json") || l.FilesDir != filepath.Join(home, "blobs") {
		t.Errorf("%+v, %v", l, err)
	}
	if set := (&cli.Invocation{App: a.App}).HostSettings(nil).Assembly(); set.FreshTailCount != 7 {
		t.Errorf("the fresh tail has %d messages", set.FreshTailCount)
	}
}

// TestTheUIRefusesModelFlagsThatContradict: before the screens open, as commands do.
func TestTheUIRefusesModelFlagsThatContradict(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"--provider extractive --model x", "--provider claude --exec cat", "--provider anthropic --base-url ::"} {
		root := cli.New(cli.System{Env: func(string) string { return "" }}, Room).Root()
		if err := root.ParseFlags(strings.Fields(args)); err != nil {
			t.Fatal(err)
		}
		var misuse *cli.UsageError
		if err := root.RunE(root, nil); !errors.As(err, &misuse) || strings.Contains(err.Error(), "terminal") {
			t.Errorf("%s: %v, want a usage error about the flags", args, err)
		}
	}
}

// TestTheFileOfQueries lies in the user's folder for state, unless no history is wanted.
func TestTheFileOfQueries(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	for name, c := range map[string]struct {
		env  map[string]string
		args []string
		want string
	}{
		"a folder for state":                     {env: map[string]string{"XDG_STATE_HOME": home, "HOME": "/elsewhere"}, want: filepath.Join(home, "lcm-tui", "searches")},
		"no history":                             {env: map[string]string{"XDG_STATE_HOME": home, "HOME": home}, args: []string{"--no-history"}},
		"a relative folder and no home are none": {env: map[string]string{"XDG_STATE_HOME": "state"}},
	} {
		if got := parsed(t, c.env, c.args...).QueriesFile(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestADemoGetsItsNameOnceItIsWhole: one that is ended before leaves the name to the next.
func TestADemoGetsItsNameOnceItIsWhole(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := filepath.Join(t.TempDir(), "demo.db")
	failed := errors.New("failed")
	write := func(part string, now time.Time) error {
		if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) || filepath.Dir(part) != filepath.Dir(path) {
			t.Errorf("while it is written to %s: %v", part, err)
		}
		return errors.Join(demo.Write(part, now), failed)
	}
	if _, err := writeDemo(path, write); !errors.Is(err, failed) {
		t.Error(err)
	}
	if _, err := writeDemo(path, demo.Write); err != nil {
		t.Error(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	if _, err := writeDemo(path, demo.Write); !errors.Is(err, data.ErrExists) {
		t.Errorf("over itself: %v", err)
	}
}
