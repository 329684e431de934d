package install

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/internal/regularfile"
)

// installedPlugin is a plugin of ours that a client has.
type installedPlugin struct {
	name     string // With its marketplace.
	path     string // Its copy.
	version  string
	settings string // The file that turns it on.
	enabled  bool
}

// plugins returns the plugins of ours that a client has; a file that can't be read counts as none here.
func (c Client) plugins(e Environment) (list []installedPlugin) {
	folder := c.configFolder(e, ScopeUser)
	switch c.Name {
	case "claude-code":
		var installed struct {
			Plugins map[string][]struct{ InstallPath, Version string } `json:"plugins"`
		}
		var settings struct {
			Enabled map[string]bool `json:"enabledPlugins"`
		}
		path := c.hookFile(e, ScopeUser)
		readInto(e.join(folder, "plugins", "installed_plugins.json"), &installed)
		readInto(path, &settings)
		for _, name := range slices.Sorted(maps.Keys(settings.Enabled)) {
			if !strings.HasPrefix(name, EntryName+"@") {
				continue
			}
			p := installedPlugin{name: name, settings: path, enabled: settings.Enabled[name]}
			for _, i := range installed.Plugins[name] {
				p.path, p.version = i.InstallPath, i.Version
			}
			list = append(list, p)
		}
	case "codex":
		path := codexFile(e)
		f, err := readFile(path)
		if err != nil {
			return nil
		}
		t, err := readTOML(f.content)
		if err != nil {
			return nil
		}
		plugins, _ := t.decoded["plugins"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(plugins)) {
			if state, _ := plugins[name].(map[string]any); strings.HasPrefix(name, EntryName+"@") {
				list = append(list, installedPlugin{name: name, settings: path, enabled: state["enabled"] == true})
			}
		}
	case "gemini":
		path := e.join(folder, "extensions", EntryName)
		if exists(filepath.Join(path, "gemini-extension.json")) {
			list = append(list, installedPlugin{name: EntryName, path: path, settings: path, enabled: true})
		}
	}
	return list
}

// readInto decodes a JSON file; what can't be read stays empty.
func readInto(path string, to any) {
	if b, err := regularfile.Read(path, maxSize); err == nil {
		_ = json.Unmarshal([]byte(strings.TrimPrefix(string(b), byteOrderMark)), to)
	}
}
