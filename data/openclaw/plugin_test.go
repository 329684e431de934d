package openclaw_test

import (
	"os"
	"path/filepath"
	"testing"

	"lcm-tui/data/openclaw"
)

// TestPlugin: the version stands in the folder that the configuration names, else where hosts install; what is of another
// program or can't be read is not it.
func TestPlugin(t *testing.T) {
	t.Parallel()
	const ours = `{"name": "@martian-engineering/lossless-claw", "version": "0.15.3"}`
	for name, c := range map[string]struct {
		files         map[string]string
		config        string
		want, wantDir string
	}{
		"nowhere":        {},
		"extensions":     {files: map[string]string{"extensions/lossless-claw/package.json": ours}, want: "0.15.3", wantDir: "extensions/lossless-claw"},
		"a manifest":     {files: map[string]string{"extensions/lossless-claw/openclaw.plugin.json": `{"id": "lossless-claw", "version": "1.0.0-beta.4"}`}, want: "1.0.0-beta.4", wantDir: "extensions/lossless-claw"},
		"npm":            {files: map[string]string{"npm/node_modules/@martian-engineering/lossless-claw/package.json": ours}, want: "0.15.3", wantDir: "npm/node_modules/@martian-engineering/lossless-claw"},
		"another plugin": {files: map[string]string{"extensions/lossless-claw/package.json": `{"name": "other", "version": "9"}`}},
		"not JSON":       {files: map[string]string{"extensions/lossless-claw/package.json": `{`}},
		"installed": {
			files:  map[string]string{"here/package.json": ours, "extensions/lossless-claw/package.json": `{"name": "lossless-claw", "version": "0.1.0"}`},
			config: `{plugins: {installs: {"lossless-claw": {installPath: "${STATE}/here"}}}}`, want: "0.15.3", wantDir: "here",
		},
		"a path to load": {files: map[string]string{"dev/lossless-claw/package.json": ours}, config: `{plugins: {load: {paths: ["${STATE}/dev"]}}}`, want: "0.15.3", wantDir: "dev/lossless-claw"},
	} {
		state := t.TempDir()
		if c.config != "" {
			c.files["openclaw.json"] = c.config
		}
		for file, text := range c.files {
			path := filepath.Join(state, filepath.FromSlash(file))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		l, err := openclaw.Locate("", state, getenv(map[string]string{"STATE": state, "HOME": state}))
		if err != nil {
			t.Fatal(err)
		}
		got := l.Plugin()
		wantDir := ""
		if c.wantDir != "" {
			wantDir = filepath.Join(state, filepath.FromSlash(c.wantDir))
		}
		if got.Version != c.want || got.Path != wantDir {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
