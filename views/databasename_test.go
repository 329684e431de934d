package views

import "testing"

// TestDatabasesHaveNamesOfTheirOwn: hosts call every file lcm.db, so such a file is called by its folder.
func TestDatabasesHaveNamesOfTheirOwn(t *testing.T) {
	t.Setenv("HOME", "/home/ann")
	for path, want := range map[string]string{
		"/home/ann/.openclaw/lcm.db":                         "~/.openclaw",
		"/home/ann/.openclaw-work/lcm.db":                    "~/.openclaw-work",
		"/home/ann/.lossless-claude/projects/ab12/db.sqlite": "~/.lossless-claude/projects/ab12",
		"/srv/agents/lcm.db":                                 "/srv/agents",
		"/srv/agents/copy of monday.db":                      "copy of monday.db",
		"lcm.db":                                             "lcm.db",
	} {
		if got := DatabaseName(path); got != want {
			t.Errorf("%s is called %q, not %q", path, got, want)
		}
	}
}
