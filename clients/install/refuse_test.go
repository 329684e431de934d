package install_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/clients/install"
	"lcm-tui/internal/hint"
)

// refusals are configurations that nothing is written to, with words of the error and its hint.
var refusals = []struct{ name, client, content, says, hint string }{
	{"text that ends", "cursor", "{\n  \"a\": [1,\n", "line 3, column 1: the text ends too early", "repair the file first"},
	{"a comment where the client takes none", "claude-code", "{\n  // no\n}", "line 2, column 3: expected a key in quotes", "repair the file first"},
	{"a comma at the end where the client takes none", "claude-code", `{"a": 1,}`, "line 1, column 8: a comma", "repair the file first"},
	{"a key twice", "gemini", "{\"a\": 1,\n \"\\u0061\": 2}", `line 2, column 2: the key "\u0061" is there twice`, "repair the file first"},
	{"a key twice far inside", "vscode", `{"x": [{"a": 1, "a": 2}]}`, `column 17: the key "a" is there twice`, "repair the file first"},
	{"two values", "cursor", "{} {}", "column 4: there is more text", "repair the file first"},
	{"a line break in a string", "cursor", "{\"é\": \"a\nb\"}", "line 1, column 9: a control character", "repair the file first"},
	{"a bad escape", "cursor", `{"a": "\q"}`, "column 7: a string has an escape", "repair the file first"},
	{"a bad number", "cursor", `{"a": 01}`, "column 7: a number", "repair the file first"},
	{"a comment without an end", "cursor", `{} /* x`, "column 4: a comment has no end", "repair the file first"},
	{"a key without quotes", "vscode", "{\n  servers: {}\n}", "line 2, column 3: expected a key in quotes", "repair the file first"},
	{"a comma that is missing", "claude-code", "{\"a\": 1\n \"b\": 2}", "line 2, column 2: expected a comma or }", "repair the file first"},
	{"a bracket that is missing", "gemini", "{\"a\": [1, 2\n}", "line 2, column 1: expected a comma or ]", "repair the file first"},
	{"a colon that is missing", "gemini", "{\"a\" 1}", "column 6: expected a colon", "repair the file first"},
	{"a text without an end", "cursor", "{\"a\": \"b}", "column 7: a string has no end", "repair the file first"},
	{"a line that only some readers end", "vscode", "{ // a\r \"servers\": {}\n}", "column 3: a comment ends with a carriage return", "repair the file first"},
	{"a separator that only some readers take for one", "vscode", "{ // a\u2028 \"servers\": {}\n}", "column 7: a comment has a separator of lines", "repair the file first"},
	{"the first of two places", "cursor", "{a: \"b\nc\"}", "column 2: expected a key in quotes", "repair the file first"},
	{"Latin-1", "cursor", "{\"a\": \"\xe9\"}", "column 8: the text is not UTF-8", "repair the file first"},
	{"UTF-16", "cursor", "\xff\xfe{\x00}\x00", "column 1: the text is not UTF-8", "repair the file first"},
	{"deep values", "cursor", strings.Repeat("[", 5000), "values lie too deep", "repair the file first"},
	{"a list", "cursor", `[]`, "the file holds a list, not an object", `"mcpServers"`},
	{"servers in a list", "cursor", `{"mcpServers": []}`, "mcpServers is a list, not an object", `"/opt/lcm/lcm-tui"`},
	{"servers that are null", "claude-code", `{"mcpServers": null}`, "mcpServers is null, not an object", `"/opt/lcm/lcm-tui"`},
	{"servers in a text", "vscode", `{"servers": "x"}`, "servers is a text, not an object", `"servers"`},
	{"an entry of another", "cursor", `{"mcpServers": {"lcm": {"command": "npx", "args": ["lossless", "mcp"]}}}`, "starts another program", "--force"},
	{"an entry of another type", "cursor", `{"mcpServers": {"lcm": "x"}}`, "starts another program", "--force"},
	{"a server elsewhere", "codex", "[mcp_servers.lcm]\nurl = 'https://x'\n", "starts another program", "--force"},
	{"TOML with a key twice", "codex", "a = 1\n[t]\nb = 1\nb = 2\n", "line 4, column 1", "repair the file first"},
	{"TOML with a table twice", "codex", "[t]\n[t]\n", "line 2, column 2", "repair the file first"},
	{"TOML that ends in a text", "codex", "a = '''x", "line 1", "repair the file first"},
	{"TOML with a bare word", "codex", "a = b", "line 1, column 5", "repair the file first"},
	{"the servers as a list of tables", "codex", "[[mcp_servers]]\n", "mcp_servers is a list, not an object", "[mcp_servers.lcm]"},
	{"the servers in one line", "codex", "mcp_servers = { a = { command = 'x' } }\n", "a table on one line", "[mcp_servers.lcm]\ncommand = \"/opt/lcm/lcm-tui\""},
	{"no servers in one line", "codex", "mcp_servers = {}\n", "a table on one line", "[mcp_servers.lcm]"},
	{"TOML that isn't UTF-8", "codex", "a = 1\n# \xe9", "line 2, column 3: the text is not UTF-8", "repair the file first"},
}

// TestRefusals: what isn't understood is never written; the error names the file, the place and
// the next step.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, x := range refusals {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			e, r := newEnvironment(t), request(t, x.client)
			path := configure(t, e, r, x.content)
			_, err := r.Install(e)
			if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), x.says) || !strings.Contains(hint.Of(err), x.hint) {
				t.Errorf("%v\nhint: %s", err, hint.Of(err))
			}
			if _, err := r.Uninstall(e); strings.Contains(hint.Of(err), "paste") {
				t.Errorf("what is removed is pasted: %v\nhint: %s", err, hint.Of(err))
			}
			if got := read(t, path); got != x.content {
				t.Errorf("written: %q", got)
			}
		})
	}
}

// TestForce: an entry of our name that starts another program is replaced and removed only on
// request, with everything that it had; its neighbours stay.
func TestForce(t *testing.T) {
	t.Parallel()
	for client, x := range map[string]struct{ before, installed, removed string }{
		"cursor": {
			before:    "{\n  \"mcpServers\": {\n    \"a\": {}, \n    \"lcm\": {\n      \"url\": \"https://x\"\n    }\n  }\n}\n",
			installed: "{\n  \"mcpServers\": {\n    \"a\": {}, \n    \"lcm\": {\n      \"command\": \"/opt/lcm/lcm-tui\",\n      \"args\": [\n        \"mcp\",\n        \"--db\",\n        \"/data/my lcm.db\"\n      ]\n    }\n  }\n}\n",
			removed:   "{\n  \"mcpServers\": {\n    \"a\": {} \n  }\n}\n",
		},
		"codex": {
			before:    "[mcp_servers.lcm] # a\nurl = \"x\"\n# b\n[mcp_servers.lcm.http_headers]\nA = \"b\"\n\n[mcp_servers.z]\ncommand = \"z\"\n",
			installed: "# b\n\n[mcp_servers.z]\ncommand = \"z\"\n\n[mcp_servers.lcm]\ncommand = \"/opt/lcm/lcm-tui\"\nargs = [\"mcp\", \"--db\", \"/data/my lcm.db\"]\n",
			removed:   "# b\n\n[mcp_servers.z]\ncommand = \"z\"\n",
		},
	} {
		e, r := newEnvironment(t), request(t, client)
		r.Force = true
		path := configure(t, e, r, x.before)
		c, err := r.Install(e)
		apply(t, c, err)
		if got := read(t, path); got != x.installed {
			t.Errorf("%s: installed\n%s", client, got)
		}
		configure(t, e, r, x.before)
		c, err = r.Uninstall(e)
		apply(t, c, err)
		if got := read(t, path); got != x.removed {
			t.Errorf("%s: removed\n%s", client, got)
		}
	}
}

// TestPlacesThatAreNoFiles: a folder, a pipe or a link to nothing is refused, and so is a file
// that is too large.
func TestPlacesThatAreNoFiles(t *testing.T) {
	t.Parallel()
	for says, make := range map[string]func(path string) error{
		"not a regular file": func(path string) error { return os.Mkdir(path, 0o700) },
		"which does not exist": func(path string) error {
			return os.Symlink(filepath.Join(filepath.Dir(path), "dotfiles"), path)
		},
		"more than 16 MB": func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 17<<20))
		},
	} {
		e, r := newEnvironment(t), request(t, "claude-code")
		path, err := r.Client.Path(e, r.Scope)
		if err := errors.Join(err, make(path)); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Install(e); err == nil || !strings.Contains(err.Error(), says) || hint.Of(err) == "" {
			t.Errorf("%s: %v", says, err)
		}
	}
}

// TestChangedMeanwhile: a file that another program wrote after it was read keeps what that
// wrote; no backup and no other file stays behind.
func TestChangedMeanwhile(t *testing.T) {
	t.Parallel()
	for _, content := range []string{"", `{"a": 1}`} {
		e, r := newEnvironment(t), request(t, "claude-code")
		path, err := r.Client.Path(e, r.Scope)
		if err != nil {
			t.Fatal(err)
		}
		if content != "" {
			write(t, path, content)
		}
		c, err := r.Install(e)
		if err != nil {
			t.Fatal(err)
		}
		write(t, path, `{"b": 2}`)
		if _, err := c.Apply(at); !errors.Is(err, install.ErrChanged) || hint.Of(err) == "" {
			t.Errorf("%q: %v", content, err)
		}
		if got := read(t, path); got != `{"b": 2}` {
			t.Errorf("%q: %s", content, got)
		}
		if all, err := os.ReadDir(e.Home); err != nil || len(all) != 1 {
			t.Errorf("%q: %v, %v", content, all, err)
		}
	}
}

// TestAPluginThatWasBegunIsWritten: a folder in which a run was ended at its first file is no folder of others.
func TestAPluginThatWasBegunIsWritten(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	begun := filepath.Join(folder, ".claude-plugin")
	for name, want := range map[string]bool{".marketplace.json.lcm-tui-1.part": true, "plugin.json": false} {
		if err := errors.Join(os.RemoveAll(begun), os.Mkdir(begun, 0o755), os.WriteFile(filepath.Join(begun, name), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		if err := install.CheckPluginFolder(folder); (err == nil) != want {
			t.Errorf("beside %s: %v", name, err)
		}
	}
}
