package install_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/clients/install"
	"lcm-tui/internal/testdb"
)

// claudeHome returns an environment with a home folder and a project, and the file of the user's settings.
func claudeHome(t *testing.T) (e install.Environment, settings string) {
	t.Helper()
	e = install.Environment{Variable: func(string) string { return "" }, Home: t.TempDir(), WorkDir: t.TempDir(), OS: "linux"}
	settings = filepath.Join(e.Home, ".claude", "settings.json")
	testdb.Must(t, errors.Join(os.MkdirAll(filepath.Dir(settings), 0o700), os.MkdirAll(filepath.Join(e.WorkDir, ".claude"), 0o700)))
	return e, settings
}

// TestRetention: the client's default, the user's settings, and those of the project, which count more. A file that
// isn't valid says that nothing is deleted.
func TestRetention(t *testing.T) {
	t.Parallel()
	e, settings := claudeHome(t)
	is := func(days int, source string, problem bool) {
		t.Helper()
		if r := e.RetentionOf("claude-code"); r.Days != days || r.Source != source || (r.Problem != "") != problem {
			t.Errorf("%+v, want %d days from %q", r, days, source)
		}
	}
	is(30, "", false)
	testdb.WriteText(t, settings, `{"model": "x", "cleanupPeriodDays": 90}`)
	is(90, settings, false)
	project := filepath.Join(e.WorkDir, ".claude", "settings.local.json")
	testdb.WriteText(t, project, `{"cleanupPeriodDays": 7}`)
	is(7, project, false)
	testdb.WriteText(t, project, `{"cleanupPeriodDays": 0}`)
	is(30, project, true)
	testdb.WriteText(t, project, `{"cleanupPeriodDays": "365"}`)
	is(30, project, true)
	testdb.WriteText(t, project, `{"hooks": `)
	is(30, project, true)
	if r := e.RetentionOf("codex"); r.Days != 0 || r.DiesWithin(7, time.Time{}, time.Now()) {
		t.Errorf("%+v", r)
	}
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for days, dies := range map[int]bool{22: false, 23: false, 24: true, 31: true} {
		if got := (install.Retention{Days: 30}).DiesWithin(7, now.AddDate(0, 0, -days), now); got != dies {
			t.Errorf("written %d days ago: %v", days, got)
		}
	}
}

// TestRetentionNamesSettingsThatCannotBeRead: they may say otherwise than the default, or than settings that count less. A link to
// nothing says nothing.
func TestRetentionNamesSettingsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for client, folder := range map[string]string{"claude-code": ".claude", "gemini": ".gemini"} {
		e, _ := claudeHome(t)
		own, project := filepath.Join(e.Home, folder, "settings.json"), filepath.Join(e.WorkDir, folder, "settings.json")
		testdb.Must(t, errors.Join(os.MkdirAll(filepath.Dir(own), 0o700), os.MkdirAll(filepath.Dir(project), 0o700)))
		testdb.Must(t, os.Symlink(filepath.Join(e.Home, "nothing"), own))
		if r := e.RetentionOf(client); r.Unread != "" || r.Days != 30 {
			t.Errorf("%s: %+v", client, r)
		}
		testdb.Must(t, os.Mkdir(project, 0o700)) // In place of a file.
		if r := e.RetentionOf(client); r.Unread != project || r.Days != 30 || r.Source != "" || r.Problem != "" {
			t.Errorf("%s: %+v", client, r)
		}
	}
}

// TestSessionsThatDieAreFound: where the client is used and keeps its files for less than a year; an error where some
// die within two days.
func TestSessionsThatDieAreFound(t *testing.T) {
	t.Parallel()
	e, settings := claudeHome(t)
	found := func(use install.Use) string {
		t.Helper()
		i := &install.Inspection{Environment: e, Uses: map[string]install.Use{"claude-code": use}, Now: time.Now()}
		for _, f := range i.Run(t.Context(), "") {
			if f.ID == "I14" {
				return f.Severity + ": " + f.Text
			}
		}
		return ""
	}
	now := time.Now()
	for _, c := range []struct {
		use  install.Use
		want string
	}{
		{install.Use{}, ""},
		{install.Use{Session: now}, "warn: session files are deleted 30 days after the last write"},
		{install.Use{Session: now, Dying: 3}, "warn: session files are deleted 30 days after the last write; 3 of them die within seven days and aren't imported"},
		{install.Use{Session: now, Dying: 3, Soon: 1}, "error: session files are deleted 30 days after the last write; 3 of them die within seven days and aren't imported"},
	} {
		if got := found(c.use); got != c.want {
			t.Errorf("%+v: %q, want %q", c.use, got, c.want)
		}
	}
	testdb.WriteText(t, settings, `{"cleanupPeriodDays": 365}`)
	if got := found(install.Use{Session: now}); got != "" {
		t.Errorf("a year: %q", got)
	}
}

// TestKeepSessions: only the setting changes, in the style of the file; a file that isn't valid is refused.
func TestKeepSessions(t *testing.T) {
	t.Parallel()
	for before, after := range map[string]string{
		"":                   "{\n  \"cleanupPeriodDays\": 365\n}\n",
		"{\"model\": \"x\"}": "{\"cleanupPeriodDays\": 365, \"model\": \"x\"}",
		"{\r\n\t\"cleanupPeriodDays\":  30,\r\n\t\"a\": [1]\r\n}\r\n": "{\r\n\t\"cleanupPeriodDays\":  365,\r\n\t\"a\": [1]\r\n}\r\n",
	} {
		e, settings := claudeHome(t)
		if before != "" {
			testdb.WriteText(t, settings, before)
		}
		change, err := e.KeepSessions(365)
		if err != nil || string(change.After) != after || !strings.Contains(change.Diff(), "365") {
			t.Errorf("%q: %v, %q", before, err, change.After)
			continue
		}
		backup, err := change.Apply(time.Now())
		if text, read := os.ReadFile(settings); err != nil || read != nil || string(text) != after || (backup == "") != (before == "") {
			t.Errorf("%q: %q, backup %q, %v", before, text, backup, err)
		}
		if _, err := e.KeepSessions(365); !errors.Is(err, install.ErrNothing) {
			t.Errorf("%q: a second time: %v", before, err)
		}
	}
	e, settings := claudeHome(t)
	testdb.WriteText(t, settings, "{\"a\": }")
	if _, err := e.KeepSessions(365); err == nil {
		t.Error("a file that isn't valid is edited")
	}
}
