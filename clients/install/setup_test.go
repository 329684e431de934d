package install_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"lcm-tui/clients/install"
	"lcm-tui/internal/testlength"
)

// setup returns all parts of a client in a scope.
func setup(t testing.TB, client string, scope install.Scope) install.Setup {
	t.Helper()
	r := request(t, client)
	r.Scope = scope
	s := install.Setup{Request: r, Hook: install.Server{Command: ours.Command, Args: []string{"hook", client}}}
	for _, name := range install.PartNames() {
		if p := install.Part(name); r.Client.HasPart(p, scope) {
			s.Parts = append(s.Parts, p)
		}
	}
	return s
}

// withReceipts returns an environment that notes what is installed.
func withReceipts(t testing.TB) install.Environment {
	t.Helper()
	e := newEnvironment(t)
	e.Receipts = filepath.Join(t.TempDir(), "lcm-tui", "installed.json")
	return e
}

// applySteps writes all changes.
func applySteps(t testing.TB, s *install.Steps, err error) {
	t.Helper()
	if err == nil {
		_, err = s.Apply(at)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// tree returns the files and folders of a folder, without backups and folders that have only such: links by where they lead to.
func tree(t testing.TB, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || strings.HasSuffix(path, ".bak"):
			return err
		case d.IsDir():
			inside, err := os.ReadDir(path)
			if len(inside) == 0 || slices.ContainsFunc(inside, func(e fs.DirEntry) bool { return !strings.HasSuffix(e.Name(), ".bak") }) {
				files[path] = "folder"
			}
			return err
		case d.Type() == fs.ModeSymlink:
			files[path], err = os.Readlink(path)
			return err
		}
		b, err := os.ReadFile(path)
		files[path] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

const (
	claudeSettings = "\xef\xbb\xbf{\r\n\t\"model\": \"x\",\r\n\t\"unknown\": {\"a\": [1, 2.50]},\r\n\t\"hooks\": {\r\n\t\t\"Stop\": [\r\n\t\t\t{ \"hooks\": [ { \"type\": \"command\", \"command\": \"say done\" } ] }\r\n\t\t]\r\n\t}\r\n}"
	geminiSettings = "{\n  // mine\n  \"theme\": \"dark\", // at night\n  \"hooks\": {\n    \"SessionStart\": [\n      {\"matcher\": \"startup\", \"hooks\": [{\"type\": \"command\", \"command\": \"date\"}]}, // clock\n    ],\n  },\n}\n"
	codexConfig    = "# mine\r\nmodel = \"x\"\r\n"
)

// prepared writes the configurations of a user who has some of everything. Claude Code's settings are a link.
func prepared(t testing.TB, e install.Environment) {
	t.Helper()
	write(t, filepath.Join(e.Home, "dotfiles", "claude.json"), claudeSettings)
	write(t, filepath.Join(e.Home, ".claude", "CLAUDE.md"), "# Mine\n\nNo line break at the end")
	write(t, filepath.Join(e.Home, ".claude", "skills", "other", "SKILL.md"), "mine")
	write(t, filepath.Join(e.Home, ".codex", "config.toml"), codexConfig)
	write(t, filepath.Join(e.Home, ".codex", "AGENTS.md"), "one\r\ntwo\r\n")
	write(t, filepath.Join(e.Home, ".gemini", "settings.json"), geminiSettings)
	if err := os.Symlink(filepath.Join(e.Home, "dotfiles", "claude.json"), filepath.Join(e.Home, ".claude", "settings.json")); err != nil {
		t.Skip(err)
	}
}

// TestSetupIsReversed: after an installation and its removal every file is as it was, byte for byte, also if it
// was installed twice, with other flags, and if the notes of it are lost. With notes no folder is left either.
func TestSetupIsReversed(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, client := range []string{"claude-code", "codex", "gemini", "cursor", "vscode"} {
		for _, scope := range []install.Scope{install.ScopeUser, install.ScopeProject} {
			for _, way := range []string{"empty", "prepared", "twice", "without notes"} {
				t.Run(client+" "+string(scope)+" "+way, func(t *testing.T) {
					t.Parallel()
					e := withReceipts(t)
					if way != "empty" {
						prepared(t, e)
					}
					before := tree(t, filepath.Dir(e.Home))
					s := setup(t, client, scope)
					steps, err := s.Install(e)
					applySteps(t, steps, err)
					if maps.Equal(before, tree(t, filepath.Dir(e.Home))) {
						t.Fatal("nothing was installed")
					}
					if way == "twice" {
						if _, err := s.Install(e); !errors.Is(err, install.ErrNothing) {
							t.Errorf("the second installation: %v", err)
						}
						s.Hook.Args = append(s.Hook.Args, "--db", "/x y/lcm.db")
						if len(steps.Changes) > 0 && s.Client.HasPart(install.PartHooks, scope) {
							steps, err = s.Install(e)
							applySteps(t, steps, err)
						}
					}
					if way == "without notes" {
						e.Receipts = ""
					}
					steps, err = s.Uninstall(e)
					applySteps(t, steps, err)
					checkTree(t, before, tree(t, filepath.Dir(e.Home)), way)
				})
			}
		}
	}
}

// checkTree compares files. Without notes nobody knows whether the last line of rules had an end.
func checkTree(t *testing.T, before, after map[string]string, way string) {
	t.Helper()
	for _, path := range slices.Sorted(maps.Keys(before)) {
		if way == "without notes" && strings.HasSuffix(path, ".md") {
			before[path], after[path] = strings.TrimRight(before[path], "\r\n"), strings.TrimRight(after[path], "\r\n")
		}
		if before[path] != after[path] {
			t.Errorf("%s was\n%q\nand is\n%q", path, before[path], after[path])
		}
		delete(after, path)
	}
	for path, text := range after {
		if way != "without notes" || strings.Join(strings.Fields(text), "") != "{}" && text != "" && text != "folder" {
			t.Errorf("%s was left: %q", path, text)
		}
	}
}

// TestHooksAsClientsWantThem: seconds and a program without a shell for Claude Code, a line for a shell and
// seconds for Codex, milliseconds for Gemini CLI; never an empty matcher, and no hook at prompts unless asked for.
func TestHooksAsClientsWantThem(t *testing.T) {
	t.Parallel()
	for client, want := range map[string][]string{
		"claude-code": {`"matcher":"startup|resume|clear|compact|fork","hooks":[{"type":"command","command":"/opt/lcm/lcm-tui","args":["hook","claude-code"],"timeout":2}]`, `"Stop":[{"hooks":[{"type":"command","command":"/opt/lcm/lcm-tui","args":["hook","claude-code"],"timeout":10,"async":true}]}]`, `"PreCompact":[{"hooks":[{`, `"SubagentStop"`, `"PostCompact"`, `"SessionEnd"`},
		"codex":       {`"matcher":"startup|resume|clear|compact","hooks":[{"type":"command","command":"/opt/lcm/lcm-tui hook codex","timeout":2}]`, `"Stop":[{"hooks":[{"type":"command","command":"/opt/lcm/lcm-tui hook codex","timeout":10}]}]`},
		"gemini":      {`"SessionStart":[{"hooks":[{"name":"lcm","type":"command","command":"/opt/lcm/lcm-tui hook gemini","timeout":2000}]`},
	} {
		e := withReceipts(t)
		s := setup(t, client, install.ScopeUser)
		s.Parts = []install.Part{install.PartHooks}
		steps, err := s.Install(e)
		applySteps(t, steps, err)
		text := strings.NewReplacer("\n", "", "  ", "", ": ", ":").Replace(read(t, steps.Changes[0].Path))
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: no %s in\n%s", client, w, text)
			}
		}
		for _, bad := range []string{`"matcher":""`, "null", "UserPromptSubmit", "BeforeAgent"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: %s in\n%s", client, bad, text)
			}
		}
	}
}

// TestHooksOfOthersStay: null gets a value, handlers of others stay beside ours, and a change in between is kept.
func TestHooksOfOthersStay(t *testing.T) {
	t.Parallel()
	for _, before := range []string{`{"hooks": null, "a": 1}`, `{"hooks": {"Stop": null}}`, `{"hooks": {}}`, `{"hooks": {"Stop": []}}`} {
		e := withReceipts(t)
		s := setup(t, "claude-code", install.ScopeUser)
		s.Parts = []install.Part{install.PartHooks}
		path := filepath.Join(e.Home, ".claude", "settings.json")
		write(t, path, before)
		steps, err := s.Install(e)
		applySteps(t, steps, err)
		if strings.Contains(read(t, path), "null") {
			t.Errorf("null stays in %s", read(t, path))
		}
		steps, err = s.Uninstall(e)
		applySteps(t, steps, err)
		if read(t, path) != before {
			t.Errorf("%s became %s", before, read(t, path))
		}
	}
	e := withReceipts(t)
	s := setup(t, "claude-code", install.ScopeUser)
	s.Parts = []install.Part{install.PartHooks}
	path := filepath.Join(e.Home, ".claude", "settings.json")
	write(t, path, "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}\n    ]\n  }\n}\n")
	before := read(t, path)
	steps, err := s.Install(e)
	applySteps(t, steps, err)
	write(t, path, strings.Replace(read(t, path), "{\n", "{\n  \"model\": \"x\",\n", 1))
	steps, err = s.Uninstall(e)
	applySteps(t, steps, err)
	if got, want := read(t, path), strings.Replace(before, "{\n", "{\n  \"model\": \"x\",\n", 1); got != want {
		t.Errorf("after a change in between:\n%s", got)
	}
}

// TestBrokenFilesStay: one file that can't be parsed stops the installation with the place, before anything is written.
func TestBrokenFilesStay(t *testing.T) {
	t.Parallel()
	for broken, want := range map[string]string{
		"{\n  \"hooks\": {,}\n}":   "line 2, column 13",
		`{"hooks": []}`:            "hooks is a list, not an object",
		`{"hooks": {"Stop": "x"}}`: "hooks.Stop is a text, not a list",
		"[]":                       "the file holds a list, not an object",
	} {
		e := withReceipts(t)
		write(t, filepath.Join(e.Home, ".claude", "settings.json"), broken)
		before := tree(t, e.Home)
		_, err := setup(t, "claude-code", install.ScopeUser).Install(e)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", broken, err)
		}
		if !maps.Equal(before, tree(t, e.Home)) {
			t.Error("something was written")
		}
	}
}

// TestPluginExcludesHooks: where a plugin of ours is enabled, nothing of it is installed a second time.
func TestPluginExcludesHooks(t *testing.T) {
	t.Parallel()
	e := withReceipts(t)
	path := filepath.Join(e.Home, ".claude", "settings.json")
	write(t, path, `{"enabledPlugins": {"lcm@market": true}}`)
	s := setup(t, "claude-code", install.ScopeUser)
	if _, err := s.Install(e); err == nil || !strings.Contains(err.Error(), "lcm@market") {
		t.Errorf("with the plugin: %v", err)
	}
	write(t, path, `{"enabledPlugins": {"lcm@market": false}}`)
	if _, err := s.Install(e); err != nil {
		t.Errorf("with the plugin turned off: %v", err)
	}
}

// TestFilesOfOthersAreNotTaken: a skill of our name that another wrote needs force, and is kept beside.
func TestFilesOfOthersAreNotTaken(t *testing.T) {
	t.Parallel()
	e := withReceipts(t)
	path := filepath.Join(e.Home, ".claude", "skills", "lcm-recall", "SKILL.md")
	write(t, path, "mine")
	s := setup(t, "claude-code", install.ScopeUser)
	if _, err := s.Install(e); err == nil || !strings.Contains(err.Error(), "not of this program") {
		t.Errorf("%v", err)
	}
	s.Force = true
	steps, err := s.Install(e)
	applySteps(t, steps, err)
	kept, _ := filepath.Glob(path + ".lcm-tui-*.bak")
	if len(kept) != 1 || read(t, kept[0]) != "mine" {
		t.Errorf("kept: %q", kept)
	}
}

// TestSkillLimits: a skill has at most 120 lines and a description of 400 characters.
func TestSkillLimits(t *testing.T) {
	t.Parallel()
	for _, name := range install.SkillNames {
		text := install.SkillText(name)
		_, rest, _ := strings.Cut(text, "description: ")
		description, _, _ := strings.Cut(rest, "\n")
		if n := strings.Count(text, "\n"); n > 120 {
			t.Errorf("%s has %d lines", name, n)
		}
		if n := len(description); n == 0 || n > 400 || !strings.HasPrefix(description, "Use when") {
			t.Errorf("%s: a description of %d characters: %s", name, n, description)
		}
		if !strings.HasPrefix(text, "---\nname: "+name+"\n") {
			t.Errorf("%s begins with %q", name, text[:30])
		}
	}
}

// TestASharedFileIsReversed: hooks and servers of Gemini CLI stand in one file. In whatever order they came, were changed
// and go, the file is again as it was.
func TestASharedFileIsReversed(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	hooks, server := []install.Part{install.PartHooks}, []install.Part{install.PartMCP}
	both := slices.Concat(server, hooks)
	for _, content := range []string{
		"", `{"hooks":{}}`, "{\"hooks\": {},\r\n \"mcpServers\": {} }\r\n", "{\n  // mine\n  \"a\": [1]\n}\n",
		`{"hooks":{"AfterAgent":[{"hooks":[{"type":"command","command":"x"}]}]},"mcpServers":{"other":{"command":"x"}}}`,
	} {
		t.Run(content, func(t *testing.T) {
			t.Parallel()
			for _, installed := range [][][]install.Part{{server, hooks}, {server, hooks, both}, {hooks, server, both}, {both, hooks}} {
				for _, removed := range [][][]install.Part{{both}, {hooks, server}, {server, hooks}} {
					reverseShared(t, content, installed, removed)
				}
			}
		})
	}
}

// reverseShared installs parts one after the other, each time with other arguments, removes them, and compares.
func reverseShared(t *testing.T, content string, installed, removed [][]install.Part) {
	t.Helper()
	e := withReceipts(t)
	s := setup(t, "gemini", install.ScopeUser)
	if content != "" {
		write(t, filepath.Join(e.Home, ".gemini", "settings.json"), content)
	}
	before := tree(t, e.Home)
	for i, parts := range installed {
		s.Parts = parts
		s.Hook.Args = []string{"hook", "gemini", "--db", strings.Repeat("x", i+1)}
		s.Server.Args = []string{"mcp", "--db", strings.Repeat("x", i+1)}
		steps, err := s.Install(e)
		applySteps(t, steps, err)
	}
	for _, parts := range removed {
		s.Parts = parts
		steps, err := s.Uninstall(e)
		applySteps(t, steps, err)
	}
	if after := tree(t, e.Home); !maps.Equal(before, after) {
		t.Errorf("%q, installed %v, removed %v: %q", content, installed, removed, after)
	}
}

// TestAShellLineIsSplitAsAShellDoes: whatever stands in a path, a shell gets it as it is, and so does who reads the line.
func TestAShellLineIsSplitAsAShellDoes(t *testing.T) {
	t.Parallel()
	words := []string{"/opt/lcm-tui", "a b", "a$b", "a$(exit 9)b", `a"b`, "a'b", `a\b`, `a\$b`, `a\"b`, "a`b", "é 漢", "a\nb", "a;b", "a%b", "", `\`, "~a", "*", "#"}
	line := install.ShellLine(words)
	if got := install.SplitShellLine(line); !slices.Equal(got, words) {
		t.Errorf("%s is split into %q", line, got)
	}
	for line, want := range map[string][]string{`lcm-tui  hook\ x 'a\b' "a\b" "a\"b"c`: {"lcm-tui", "hook x", `a\b`, `a\b`, `a"bc`}, `a\`: {`a\`}} {
		if got := install.SplitShellLine(line); runtime.GOOS != "windows" && !slices.Equal(got, want) {
			t.Errorf("%s is split into %q", line, got)
		}
	}
	if runtime.GOOS == "windows" {
		t.Skip("there is no shell")
	}
	out, err := exec.CommandContext(t.Context(), "/bin/sh", "-c", `printf '%s\0' `+line).Output()
	if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); err != nil || !slices.Equal(got, words) {
		t.Errorf("a shell splits %s into %q, %v", line, got, err)
	}
}
