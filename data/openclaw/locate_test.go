package openclaw_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data/openclaw"
)

func whole(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// elsewhere returns an environment that names a configuration outside of the state folder.
func elsewhere(t *testing.T, dir, content string) map[string]string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "host.json"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return map[string]string{"HOME": dir, "OPENCLAW_CONFIG_PATH": "~/host.json"}
}

func TestLocate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	state := filepath.Join(dir, "state")
	config := func(content string) map[string]string {
		if err := os.MkdirAll(state, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(state, "openclaw.json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return map[string]string{"OPENCLAW_STATE_DIR": state, "HOME": dir, "WHERE": "there"}
	}
	json5 := "\ufeff" + `{
		// A comment, a trailing comma, single quotes, bare keys: JSON5.
		plugins: { entries: { 'lossless-claw': { config: { dbPath: '~/${WHERE}/a.db', databasePath: "b.db", largeFilesDir: "~/files", }, }, }, },
	}`
	for _, c := range []struct {
		name       string
		flag, dir  string
		env        map[string]string
		want, file string
	}{
		{name: "the flag is first", flag: "x.db", env: map[string]string{"LCM_DATABASE_PATH": "y.db"}, want: "x.db"},
		{name: "then the environment", env: map[string]string{"LCM_DATABASE_PATH": "~/y.db", "HOME": dir}, want: filepath.Join(dir, "y.db")},
		{name: "then the configuration", env: config(json5), want: filepath.Join(dir, "there", "a.db"), file: filepath.Join(dir, "files")},
		{name: "which may be elsewhere", env: elsewhere(t, dir, `{plugins: {entries: {"lossless-claw": {config: {dbPath: "/srv/c.db"}}}}}`), want: "/srv/c.db"},
		{
			name: "with variables of its own", env: elsewhere(t, filepath.Join(dir, "vars"), `{env: {vars: {DIR: "~/store", SUB: "deep"}, TOP: "top"},
				plugins: {entries: {"lossless-claw": {config: {dbPath: "${DIR}/${SUB}/${TOP}.db", largeFilesDir: "${DIR}/files"}}}}}`),
			want: filepath.Join(dir, "vars", "store", "deep", "top.db"), file: filepath.Join(dir, "vars", "store", "files"),
		},
		{
			name: "what isn't set shows", env: elsewhere(t, filepath.Join(dir, "unset"), `{plugins: {entries: {"lossless-claw": {config: {dbPath: "/srv/${NOWHERE}/c.db"}}}}}`),
			want: "/srv/${NOWHERE}/c.db",
		},
		{name: "then the state folder by flag", dir: "s", env: map[string]string{"LCM_OPENCLAW_DIR": "no"}, want: filepath.Join("s", "lcm.db")},
		{name: "LCM_OPENCLAW_DIR", env: map[string]string{"LCM_OPENCLAW_DIR": "a", "OPENCLAW_STATE_DIR": "b"}, want: filepath.Join("a", "lcm.db")},
		{name: "OPENCLAW_HOME", env: map[string]string{"OPENCLAW_HOME": dir}, want: filepath.Join(dir, ".openclaw", "lcm.db")},
		{name: "and home", env: map[string]string{"HOME": dir}, want: filepath.Join(dir, ".openclaw", "lcm.db"), file: filepath.Join(dir, ".openclaw", "lcm-files")},
	} {
		l, err := openclaw.Locate(c.flag, c.dir, func(k string) string { return c.env[k] })
		if err != nil || l.Database != whole(t, c.want) {
			t.Errorf("%s: %s, %v", c.name, l.Database, err)
		}
		if c.file != "" && l.FilesDir != whole(t, c.file) {
			t.Errorf("%s: files in %s", c.name, l.FilesDir)
		}
	}
	l, err := openclaw.Locate("", "", func(k string) string { return config("{ not json5")[k] })
	var bad *openclaw.ConfigError
	if !errors.As(err, &bad) || bad.Hint() == "" || l.Database != filepath.Join(state, "lcm.db") {
		t.Errorf("a broken configuration: %v, %s", err, l.Database)
	}
	for _, text := range []string{"[]", "5", `{"plugins": 5}`, `{"agents": "x"}`, `{"models": {"providers": [1]}}`} {
		_, err := openclaw.Locate("", "", func(k string) string { return config(text)[k] })
		if !errors.As(err, &bad) || strings.Contains(err.Error(), "Go ") || !strings.Contains(err.Error(), "where it doesn't belong") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestLocateOwn: the database of the program itself is opened where no host has one, and what an agent
// without a host uses is never a host's that nobody named.
func TestLocateOwn(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	env := func(name string) string { return map[string]string{"HOME": home}[name] }
	own, host := filepath.Join(home, ".local", "share", "lcm-tui", "lcm.db"), filepath.Join(home, ".openclaw", "lcm.db")
	write := func(path string) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	want := func(when, path string) {
		if l, err := openclaw.Locate("", "", env); err != nil || l.Database != path {
			t.Errorf("%s: %s, %v", when, l.Database, err)
		}
		if l, err := openclaw.LocateOwn("", "", env); err != nil || l.Database != own || l.FilesDir != filepath.Join(filepath.Dir(own), "lcm-files") {
			t.Errorf("%s: its own is %s, files in %s, %v", when, l.Database, l.FilesDir, err)
		}
	}
	want("with neither", host)
	write(own)
	want("with its own", own)
	write(host)
	want("with both", host)
	for _, named := range []string{"", "x.db"} {
		if l, err := openclaw.LocateOwn(named, filepath.Join(home, "state"), env); err != nil || l.StateDir != filepath.Join(home, "state") {
			t.Errorf("the host's folder for the database %q is %s, %v", named, l.StateDir, err)
		}
	}
	if l, err := openclaw.LocateOwn("x.db", "", env); err != nil || l.Database != whole(t, "x.db") {
		t.Errorf("%s, %v", l.Database, err)
	}
}
