package hosts_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// machine makes a home folder with a database of a host and its configuration.
func machine(t *testing.T, level fakehost.Level, config string) map[string]string {
	t.Helper()
	home := t.TempDir()
	state := filepath.Join(home, ".openclaw")
	testdb.Must(t, os.MkdirAll(state, 0o700))
	var cache samples.Cache
	testdb.Must(t, cache.Sample(filepath.Join(state, "lcm.db"), level))
	testdb.Must(t, os.WriteFile(filepath.Join(state, "openclaw.json"), []byte(config), 0o600))
	return map[string]string{"HOME": home}
}

// TestWhatKeepsThePluginFromWorkingIsReported by info, config, doctor and the check of the installation, and nothing is found in a
// configuration that is right.
func TestWhatKeepsThePluginFromWorkingIsReported(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, c := range map[string]struct{ config, want string }{
		"disabled":  {`{plugins: {entries: {"lossless-claw": {enabled: false}}}}`, "enabled is false"},
		"legacy":    {`{plugins: {slots: {contextEngine: "legacy"}}}`, `contextEngine is "legacy"`},
		"allow":     {`{plugins: {allow: ["other"]}}`, "plugins.allow"},
		"misplaced": {`{plugins: {config: {"lossless-claw": {freshTailCount: 3}}}}`, "freshTailCount stands in openclaw.json plugins.config"},
		"seed 001":  {`{plugins: {config: {freshTailCount: 3}}}`, "freshTailCount stands in openclaw.json plugins.config"},
		"typo":      {`{plugins: {entries: {"lossless-claw": {config: {freshTailCuont: 3}}}}}`, "did you mean freshTailCount?"},
		"gone":      {`{plugins: {entries: {"lossless-claw": {config: {transcriptGcEnabled: true}}}}}`, "gone since lossless-claw 1.0.0"},
		"host only": {`{plugins: {entries: {"lossless-claw": {config: {newSessionRetainDepth: -2}}}}}`, "expected a whole number from -1, not -2"},
		"right":     {`{plugins: {entries: {"lossless-claw": {enabled: true, config: {freshTailCount: 3}}}, slots: {contextEngine: "lossless-claw"}, allow: ["lossless-claw"]}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := machine(t, fakehost.Beta, c.config)
			for _, args := range [][]string{{"info"}, {"config"}, {"doctor"}, {"doctor", "--installation"}} {
				_, out, errs := testcli.RunIn(t, env, args...)
				switch output := out + errs; {
				case c.want == "" && (strings.Contains(output, "warning") || strings.Contains(output, "I17")):
					t.Errorf("%v: %s", args, output)
				case !strings.Contains(output, c.want):
					t.Errorf("%v doesn't say %q: %s", args, c.want, output)
				case len(args) == 2 && c.want != "" && !strings.Contains(out, "I17 error"):
					t.Errorf("no finding: %s", out)
				}
			}
		})
	}
}

// TestConfigProblems: each has its place, name, value, kind, suggestion and what is in force.
func TestConfigProblems(t *testing.T) {
	t.Parallel()
	env := machine(t, "0.9.2", `{plugins: {entries: {"lossless-claw": {config: {freshTailCuont: 3, leafMinFanout: 1, dbPath: "~/a.db", databasePath: "~/b.db"}}}}}`)
	env["LCM_FRESH_TAIL_CONT"] = "5"
	env["LCM_DATABASE_PATH"] = filepath.Join(env["HOME"], ".openclaw", "lcm.db")
	_, out, errs := testcli.RunIn(t, env, "config", "--json")
	var got struct {
		Problems []map[string]any `json:"problems"`
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v: %s", err, errs)
	}
	type row struct{ name, kind, suggestion any }
	have := map[row]map[string]any{}
	for _, p := range got.Problems {
		for _, field := range []string{"place", "name", "value", "kind", "suggestion", "in_force"} {
			if _, ok := p[field]; !ok {
				t.Errorf("no %s in %v", field, p)
			}
		}
		have[row{p["name"], p["kind"], p["suggestion"]}] = p
	}
	for _, want := range []row{
		{"freshTailCuont", "unknown", "freshTailCount"},
		{"leafMinFanout", "range", nil},
		{"databasePath", "shadowed", nil},
		{"LCM_FRESH_TAIL_CONT", "unknown", "LCM_FRESH_TAIL_COUNT"},
	} {
		if have[want] == nil {
			t.Errorf("no %v in %v", want, got.Problems)
		}
	}
	if p := have[row{"leafMinFanout", "range", nil}]; p["in_force"] != 8.0 || p["value"] != 1.0 || p["place"] != "openclaw.json plugins.entries.lossless-claw.config" {
		t.Errorf("%v", p)
	}
}

// TestConfigAll lists what only the host goes by, the defaults of the host of the file, and the settings of lossless-claude.
func TestConfigAll(t *testing.T) {
	t.Parallel()
	env := machine(t, "0.1.0", "{}")
	testdb.Must(t, os.MkdirAll(filepath.Join(env["HOME"], ".lossless-claude"), 0o700))
	testdb.Must(t, os.WriteFile(filepath.Join(env["HOME"], ".lossless-claude", "config.json"), []byte(`{"daemon": {"port": 4000}, "new": {"thing": 7}}`), 0o600))
	_, out, errs := testcli.RunIn(t, env, "config", "--all")
	for _, want := range []string{"freshTailCount +32 ", "newSessionRetainDepth +2 ", "plugins.slots.contextEngine", "daemon.port +4000 ", "new.thing +7 ", "daemon.logLevel +info +default"} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	if strings.Contains(errs, "new.thing") {
		t.Errorf("an unknown key of lossless-claude is no mistake: %s", errs)
	}
	if _, out, _ = testcli.RunIn(t, env, "config"); strings.Contains(out, "replayFloodThresholdExternal") {
		t.Error("what only the host goes by is listed without --all")
	}
	if _, out, _ = testcli.RunIn(t, env, "config", "get", "newSessionRetainDepth"); strings.TrimSpace(out) != "2" {
		t.Errorf("config get: %q", out)
	}
}
