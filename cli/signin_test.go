package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data/openclaw"
	"lcm-tui/data/sessiondb"
	"lcm-tui/internal/testdb"
)

// TestSignInsOfBothStores: what the transcript database has comes first, auth-profiles.json adds
// what is missing there, and a database that can't be read hides neither the file nor other
// agents.
func TestSignInsOfBothStores(t *testing.T) {
	t.Parallel()
	database := testdb.AgentFile(t, 24)
	testdb.ExecAgent(t, database, func(exec func(string, ...any)) {
		exec(`INSERT INTO auth_profile_store VALUES ('primary', '{"profiles":{"openai:default":{"type":"api_key","provider":"openai","key":"key-of-database"}}}', 0)`)
	})
	main := filepath.Dir(database)
	state := filepath.Dir(filepath.Dir(filepath.Dir(main)))
	ops := filepath.Join(state, "agents", "ops", "agent")
	for path, text := range map[string]string{
		filepath.Join(main, "auth-profiles.json"): `{"profiles":{"openai:default":{"type":"api_key","provider":"openai","key":"key-of-file"},
			"groq:default":{"type":"api_key","provider":"groq","key":"key-of-file"}}}`,
		filepath.Join(ops, "auth-profiles.json"): `{"profiles":{"xai:default":{"type":"api_key","provider":"xai","key":"key-of-ops"}}}`,
		filepath.Join(ops, sessiondb.FileName):   strings.Repeat("not a database ", 100),
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l, err := openclaw.Locate("", state, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	ofMain, errs := agentSignIns(l.Host, l.Agents()[0])
	for _, s := range ofMain {
		got = append(got, s.Profile+" "+s.Key())
	}
	if strings.Join(got, ", ") != "openai:default key-of-database, groq:default key-of-file" {
		t.Errorf("main has %v (%v)", got, errs)
	}
	all := signIns(l)()
	if len(all.All) != 3 || all.All[2].Source != "auth profile xai:default of agent ops" {
		t.Errorf("all have %v", all.All)
	}
	warned := ""
	for _, err := range all.Errs {
		if err != nil {
			warned += err.Error() + "\n"
		}
	}
	if !strings.Contains(warned, filepath.Join(ops, sessiondb.FileName)) || !strings.Contains(warned, "version 24") || strings.Contains(warned, "key-of-") {
		t.Errorf("of the newer and of the damaged database it says %q", warned)
	}
}
