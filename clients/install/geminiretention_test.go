package install_test

import (
	"path/filepath"
	"testing"

	"lcm-tui/internal/testdb"
)

// TestGeminiRetention: Gemini CLI's default, what each file sets of it, and what it doesn't take.
func TestGeminiRetention(t *testing.T) {
	t.Parallel()
	e, _ := claudeHome(t)
	user, project := filepath.Join(e.Home, ".gemini", "settings.json"), filepath.Join(e.WorkDir, ".gemini", "settings.json")
	is := func(days int, source string, problem bool) {
		t.Helper()
		if r := e.RetentionOf("gemini"); r.Days != days || r.Source != source || (r.Problem != "") != problem {
			t.Errorf("%+v, want %d days from %q", r, days, source)
		}
	}
	write := func(path, retention string) {
		t.Helper()
		write(t, path, `{"general": {"sessionRetention": `+retention+`}}`)
	}
	is(30, "", false)
	for age, days := range map[string]int{"90d": 90, "2w": 14, "1m": 30, "36h": 2, "1h": 1} {
		write(user, `{"maxAge": "`+age+`"}`)
		is(days, user, false)
	}
	write(project, `{"maxAge": "7d"}`)
	is(7, project, false)
	write(user, `{"enabled": false}`)
	is(0, user, false)
	write(project, `{"enabled": true, "maxAge": "7d"}`)
	is(7, project, false)
	write(project, `{"maxAge": "soon"}`)
	write(user, `{}`)
	is(30, project, true)
	testdb.WriteText(t, project, `{"general": 7`)
	is(30, "", false)
}
