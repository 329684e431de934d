package install_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/clients/install"
	"lcm-tui/internal/testlength"
)

// home is a home folder in which a client has everything, and the inspection of it.
type home struct {
	install.Inspection
	client string
	setup  install.Setup
	hooks  string // The file of hooks.
}

// newHome installs everything for a client, which then trusts the project.
func newHome(t *testing.T, client string) *home {
	t.Helper()
	h := &home{client: client}
	h.Environment = withReceipts(t)
	e := h.Environment
	h.Program = filepath.Join(e.Home, "bin", "lcm-tui")
	h.Database = filepath.Join(e.Home, "lcm.db")
	write(t, h.Program, "")
	write(t, h.Database, "")
	if err := os.Chmod(h.Program, 0o700); err != nil {
		t.Fatal(err)
	}
	h.Handshake = func(context.Context, install.Server) error { return nil }
	h.setup = setup(t, client, install.ScopeUser)
	h.setup.Server = install.Server{Command: h.Program, Args: []string{"mcp"}}
	h.setup.Hook.Command = h.Program
	steps, err := h.setup.Install(e)
	applySteps(t, steps, err)
	h.hooks = filepath.Join(e.Home, map[string]string{"claude-code": ".claude/settings.json", "codex": ".codex/hooks.json", "gemini": ".gemini/settings.json"}[client])
	if client == "claude-code" {
		h.edit(t, ".claude.json", "{\n", "{\n  \"projects\": {\""+e.WorkDir+"\": {\"hasTrustDialogAccepted\": true}},\n")
	}
	if client == "codex" {
		h.trust(t)
	}
	return h
}

// trust writes the hashes by which Codex knows the hooks.
func (h *home) trust(t *testing.T) {
	t.Helper()
	path := filepath.Join(h.Environment.Home, ".codex", "config.toml")
	text, _, _ := strings.Cut(read(t, path), "[hooks.state")
	for key, hash := range install.CodexTrust(t, h.hooks, read(t, h.hooks)) {
		text += "\n[hooks.state.'" + key + "']\ntrusted_hash = \"" + hash + "\"\n"
	}
	write(t, path, text)
}

// edit replaces the first of a text in a file below the home folder.
func (h *home) edit(t *testing.T, name, from, to string) {
	t.Helper()
	path := filepath.Join(h.Environment.Home, name)
	before := read(t, path)
	after := strings.Replace(before, from, to, 1)
	if before == after {
		t.Fatalf("%s has no %q:\n%s", name, from, before)
	}
	write(t, path, after)
}

// ids returns the findings, each once.
func (h *home) ids(t *testing.T) (ids []string) {
	t.Helper()
	set := map[string]bool{}
	for _, f := range h.Run(t.Context(), "") {
		if f.Path == "" || f.Text == "" || f.Repair == "" {
			t.Errorf("incomplete: %+v", f)
		}
		set[f.ID] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// fix applies what repairs the findings.
func (h *home) fix(t *testing.T) {
	t.Helper()
	fix, err := h.Fix(h.Run(t.Context(), ""), func(c install.Client) install.Setup {
		s := h.setup
		s.Client, s.Parts = c, nil
		return s
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, steps := range fix.Steps {
		applySteps(t, steps, nil)
	}
	if err := fix.MakePrivate(); err != nil {
		t.Fatal(err)
	}
}

// breakage is a home that is broken in one way.
type breakage struct {
	id, client string
	broken     func(t *testing.T, h *home)
	byHand     func(t *testing.T, h *home) // Nil where --fix repairs it.
}

var breakages = []breakage{
	{id: "I01", client: "claude-code", broken: func(t *testing.T, h *home) {
		for range 6 {
			h.edit(t, ".claude/settings.json", h.Program, "/gone/lcm-tui")
		}
		h.edit(t, ".claude.json", h.Program, "/gone/lcm-tui")
	}},
	{id: "I02", client: "codex", broken: func(t *testing.T, h *home) {
		other := filepath.Join(h.Environment.Home, "old", "lcm-tui")
		write(t, other, "")
		if err := os.Chmod(other, 0o700); err != nil {
			t.Fatal(err)
		}
		h.edit(t, ".codex/config.toml", h.Program, other)
	}},
	{id: "I03", client: "claude-code", broken: func(t *testing.T, h *home) {
		h.edit(t, ".claude/settings.json", `"Stop": [`, `"Stop": [ {"hooks": [{"type": "command", "command": "lcm session-end"}]},`)
	}},
	{id: "I04", client: "claude-code", broken: func(t *testing.T, h *home) {
		plugin := filepath.Join(h.Environment.Home, "cache")
		write(t, filepath.Join(plugin, ".claude-plugin", "plugin.json"), "{}")
		write(t, filepath.Join(h.Environment.Home, ".claude", "plugins", "installed_plugins.json"), `{"version": 2, "plugins": {"lcm@m": [{"installPath": "`+plugin+`"}]}}`)
		h.edit(t, ".claude/settings.json", "{\n", "{\n  \"enabledPlugins\": {\"lcm@m\": true},\n")
	}},
	{id: "I04", client: "claude-code", broken: func(t *testing.T, h *home) {
		h.edit(t, ".claude/settings.json", `"Stop": [`, `"Stop": [ {"hooks": [{"type": "command", "command": "`+h.Program+` hook claude-code", "timeout": 2}]},`)
	}},
	{id: "I05", client: "claude-code", broken: func(t *testing.T, h *home) {
		h.edit(t, ".claude/settings.json", "{\n", "{\n  \"cleanupPeriodDays\": 0,\n")
	}, byHand: func(t *testing.T, h *home) { h.edit(t, ".claude/settings.json", "Days\": 0", "Days\": 365") }},
	{
		id: "I05", client: "gemini", broken: func(t *testing.T, h *home) { h.edit(t, ".gemini/settings.json", "{", "{,") },
		byHand: func(t *testing.T, h *home) { h.edit(t, ".gemini/settings.json", "{,", "{") },
	},
	{id: "I06", client: "claude-code", broken: func(t *testing.T, h *home) {
		h.edit(t, ".claude/settings.json", "resume|clear|compact|fork", "resume|clear")
	}},
	{id: "I06", client: "claude-code", broken: func(t *testing.T, h *home) { write(t, h.hooks, `{"hooks": null}`) }},
	{id: "I06", client: "gemini", broken: func(t *testing.T, h *home) {
		h.edit(t, ".gemini/settings.json", `"SessionStart": [
      {`, `"SessionStart": [
      {
        "matcher": "startup|resume|clear",`)
	}},
	{id: "I06", client: "gemini", broken: func(t *testing.T, h *home) { h.edit(t, ".gemini/settings.json", "SessionStart", "AfterTool") }},
	{
		id: "I08", client: "codex", broken: func(t *testing.T, h *home) { h.edit(t, ".codex/config.toml", "sha256:", "sha256:0") },
		byHand: func(t *testing.T, h *home) { h.trust(t) },
	},
	{id: "I09", client: "claude-code", broken: func(t *testing.T, h *home) {
		h.edit(t, ".claude.json", `"hasTrustDialogAccepted": true`, `"hasTrustDialogAccepted": false`)
	}, byHand: func(t *testing.T, h *home) {
		h.edit(t, ".claude.json", `"hasTrustDialogAccepted": false`, `"hasTrustDialogAccepted": true`)
	}},
	{id: "I09", client: "gemini", broken: func(t *testing.T, h *home) {
		h.edit(t, ".gemini/settings.json", "{", `{"security": {"folderTrust": {"enabled": true}},`)
	}, byHand: func(t *testing.T, h *home) {
		write(t, filepath.Join(h.Environment.Home, ".gemini", "trustedFolders.json"), `{"`+filepath.Dir(h.Environment.WorkDir)+`": "TRUST_FOLDER"}`)
	}},
	{id: "I10", client: "gemini", broken: func(t *testing.T, h *home) { h.edit(t, ".gemini/settings.json", `"timeout": 2000`, `"timeout": 2`) }},
	{id: "I10", client: "claude-code", broken: func(t *testing.T, h *home) { h.edit(t, ".claude/settings.json", `"timeout": 2`, `"timeout": 2000`) }},
	{id: "I11", client: "claude-code", broken: func(t *testing.T, h *home) {
		h.edit(t, ".claude/settings.json", "{\n", "{\n  \"mcpServers\": {\"lcm\": {\"command\": \"lcm-tui\", \"args\": [\"mcp\"]}},\n")
	}},
	{id: "I12", client: "cursor", broken: func(_ *testing.T, h *home) {
		h.Handshake = func(context.Context, install.Server) error { return errors.New("no answer") }
	}, byHand: func(_ *testing.T, h *home) { h.Handshake = nil }},
	{id: "I16", client: "cursor", broken: func(t *testing.T, h *home) {
		if err := os.Chmod(h.Database, 0o644); err != nil {
			t.Fatal(err)
		}
	}},
	{id: "I16", client: "cursor", broken: func(t *testing.T, h *home) {
		if err := os.Remove(h.Database); err != nil {
			t.Fatal(err)
		}
	}, byHand: func(t *testing.T, h *home) { write(t, h.Database, "") }},
	{id: "I18", client: "gemini", broken: func(t *testing.T, h *home) {
		h.edit(t, ".gemini/skills/lcm-care/SKILL.md", "# Care", "# An older care")
	}},
}

// TestBrokenAndRepaired: a home is clean, each breakage has its finding and no other, and after its repair the
// home is clean again.
func TestBrokenAndRepaired(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, b := range breakages {
		t.Run(b.id+" "+b.client, func(t *testing.T) {
			t.Parallel()
			h := newHome(t, b.client)
			if ids := h.ids(t); len(ids) > 0 {
				t.Fatalf("before: %q %+v", ids, h.Run(t.Context(), ""))
			}
			b.broken(t, h)
			if ids := h.ids(t); !slices.Equal(ids, []string{b.id}) {
				t.Fatalf("broken: %q %+v", ids, h.Run(t.Context(), ""))
			}
			if b.byHand != nil {
				before := tree(t, h.Environment.Home)
				if h.fix(t); !maps.Equal(before, tree(t, h.Environment.Home)) {
					t.Error("--fix changes what only the user can repair")
				}
				b.byHand(t, h)
			} else {
				h.fix(t)
			}
			if b.client == "codex" { // What is rewritten is not trusted.
				h.trust(t)
			}
			if ids := h.ids(t); len(ids) > 0 {
				t.Errorf("repaired: %+v\n%s", h.Run(t.Context(), ""), read(t, cmpOr(h.hooks)))
			}
		})
	}
}

func cmpOr(path string) string {
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return os.DevNull
	}
	return path
}

// TestLostPlugin: a plugin that is turned on but whose files are gone.
func TestLostPlugin(t *testing.T) {
	t.Parallel()
	h := &home{}
	h.Environment = withReceipts(t)
	plugin := filepath.Join(h.Environment.Home, "cache")
	write(t, filepath.Join(h.Environment.Home, ".claude", "settings.json"), `{"enabledPlugins": {"lcm@m": true}}`)
	write(t, filepath.Join(h.Environment.Home, ".claude", "plugins", "installed_plugins.json"), `{"version": 2, "plugins": {"lcm@m": [{"installPath": "`+plugin+`"}]}}`)
	if ids := h.ids(t); !slices.Equal(ids, []string{"I13"}) {
		t.Errorf("%q", ids)
	}
	write(t, filepath.Join(plugin, ".claude-plugin", "plugin.json"), "{}")
	if ids := h.ids(t); len(ids) > 0 {
		t.Errorf("%q", ids)
	}
}

// codexHashes are what Codex 0.169.0 says of the hooks that an installation writes, by the end of their keys.
var codexHashes = map[string]string{
	":pre_compact:0:0":   "sha256:df1f581796be85909a7ae405142d53cfc4119e6ede684447a0e364371012a20b",
	":post_compact:0:0":  "sha256:8b46084cba9735baac7bfe83f471814e22d5e1753c329cb0cec31da3609979ea",
	":session_start:0:0": "sha256:4d911a57a4239e0a64fa0f9a8f187ccb31eb3b4e26ffddf7bd9a7b02861abae4",
	":session_end:0:0":   "sha256:2d4cafb8661b00936ab11f8389e0e230feae343fc0fd390bf5a6b6f642c9ca5d",
	":subagent_stop:0:0": "sha256:287e0ac0f7a461373a2cc80eafaa28713ff42fbf40f7ef47aa61a21e0cf8cf59",
	":stop:0:0":          "sha256:3c95b107b9b9106074b00a7685ffc3c26a51428e770b0bea398ab87d074fd2b9",
}

// TestCodexHashes: the hashes are those of Codex itself.
func TestCodexHashes(t *testing.T) {
	t.Parallel()
	e := withReceipts(t)
	s := setup(t, "codex", install.ScopeUser)
	s.Parts = []install.Part{install.PartHooks}
	steps, err := s.Install(e)
	applySteps(t, steps, err)
	got := install.CodexTrust(t, "", read(t, steps.Changes[0].Path))
	if !maps.Equal(got, codexHashes) {
		t.Errorf("got %q\nwant %q", got, codexHashes)
	}
}

// TestAFileThatCannotBeReadIsNotCalledInvalid: its finding says what to do about that.
func TestAFileThatCannotBeReadIsNotCalledInvalid(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]string{
		"settings.json": "see that the file can be read", // A link to itself.
		"nowhere.json":  "create that file, or remove the link",
	} {
		h := newHome(t, "claude-code")
		path := filepath.Join(h.Environment.Home, ".claude", "settings.json")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
		found := h.Run(t.Context(), "")
		if len(found) == 0 || found[0].ID != "I05" || !strings.Contains(found[0].Repair, want) {
			t.Errorf("a link to %s: %+v", target, found)
		}
	}
}
