package install

import (
	"cmp"
	"path/filepath"
	"strings"

	"lcm-tui/internal/lazyregexp"
)

// capital matches the capital letters within the name of an event.
var capital = lazyregexp.New(`\B[A-Z]`)

// snakeCase returns the name of an event as Codex writes it: session_start.
func snakeCase(event string) string {
	return strings.ToLower(capital.ReplaceAllString(event, "_$0"))
}

// codexHash returns the hash by which Codex knows a handler that its user has trusted.
func codexHash(h inspectedHook) string {
	handler := map[string]any{"async": false, "command": h.members["command"], "timeout": max(h.timeout, 0), "type": "command"}
	if h.timeout < 0 {
		handler["timeout"] = 600
	}
	if message, has := h.members["statusMessage"]; has {
		handler["statusMessage"] = message
	}
	group := map[string]any{"event_name": snakeCase(h.event), "hooks": []any{handler}}
	if h.matcher != "" {
		group["matcher"] = h.matcher
	}
	return "sha256:" + hashOf(encodeJSON(group))
}

// checkCodexTrust notes hooks that Codex skips: without the user's trust it says nothing.
func (p *place) checkCodexTrust(ours []inspectedHook) {
	f, err := readFile(codexFile(p.Environment))
	if err != nil {
		return
	}
	t, err := readTOML(f.content)
	if err != nil {
		return // I05 says so.
	}
	hooks, _ := t.decoded["hooks"].(map[string]any)
	states, _ := hooks["state"].(map[string]any)
	for _, h := range ours {
		state, _ := states[p.codexKey(h)].(map[string]any)
		trusted, _ := state["trusted_hash"].(string)
		problem := ""
		switch {
		case trusted == "":
			problem = "is not trusted"
		case trusted != codexHash(h):
			problem = "has changed since it was trusted"
		case state["enabled"] == false:
			problem = "is turned off"
		default:
			continue
		}
		p.add("I08", SeverityError, p.hookPath, h.pointer(), "the hook of "+h.event+" "+problem+"; Codex skips it without a word", "start codex and type /hooks, or --fix --trust")
	}
}

// checkTrust notes a project that the user has not trusted, in which no hook runs.
func (p *place) checkTrust() {
	e := p.Environment
	var trusted map[string]bool
	path := ""
	switch p.client.Name {
	case "claude-code":
		var known struct {
			Projects map[string]struct {
				Accepted bool `json:"hasTrustDialogAccepted"`
			} `json:"projects"`
		}
		path = claudeFile(e)
		readInto(path, &known)
		trusted = map[string]bool{}
		for folder, state := range known.Projects {
			trusted[folder] = state.Accepted
		}
	case "gemini":
		path = filepath.Join(p.client.configFolder(e, ScopeUser), "trustedFolders.json")
		var known map[string]string
		readInto(path, &known)
		if !p.usesFolderTrust() {
			return
		}
		trusted = map[string]bool{}
		for folder, state := range known {
			trusted[folder] = strings.HasPrefix(state, "TRUST_")
		}
	default:
		return
	}
	for folder := e.WorkDir; ; folder = filepath.Dir(folder) {
		if trusted[folder] {
			return
		}
		if folder == filepath.Dir(folder) {
			break
		}
	}
	p.add("I09", SeverityWarn, path, "", p.client.Title+" does not trust "+e.WorkDir+"; no hook runs there", "start "+p.client.Title+" in the folder and answer its question")
}

// usesFolderTrust reports whether Gemini CLI asks for trust at all.
func (p *place) usesFolderTrust() bool {
	top, _ := p.hooks.decoded.(map[string]any)
	security, _ := top["security"].(map[string]any)
	trust, _ := security["folderTrust"].(map[string]any)
	return trust["enabled"] == true
}

// checkPlugins notes a plugin of ours that is turned on but can't work.
func (p *place) checkPlugins() {
	for _, plugin := range p.client.plugins(p.Environment) {
		if !plugin.enabled || p.client.Name == "codex" { // Codex keeps the place of its copy to itself.
			continue
		}
		manifest := filepath.Join(plugin.path, ".claude-plugin", "plugin.json")
		if p.client.Name == "gemini" {
			manifest = filepath.Join(plugin.path, "gemini-extension.json")
		}
		if plugin.path == "" || !exists(manifest) || exists(filepath.Join(plugin.path, ".orphaned_at")) {
			p.add("I13", SeverityError, cmp.Or(plugin.path, plugin.settings), "", "the plugin "+plugin.name+" is turned on, but its files are not there", "install the plugin again in "+p.client.Title)
		}
	}
}

// checkTexts notes skills that aren't those of this program.
func (p *place) checkTexts() {
	for _, path := range p.client.OldSkills(p.Environment, p.scope) {
		p.add("I18", SeverityWarn, path, "", "the skill is not that of this program's version", "--fix rewrites it")
	}
}
