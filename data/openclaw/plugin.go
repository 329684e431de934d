package openclaw

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"lcm-tui/internal/regularfile"
)

// InstalledPlugin is the plugin as the host has it on this machine. Its zero value is not found.
type InstalledPlugin struct {
	Version string
	Path    string // Its folder.
}

// packageName is the name of the plugin in the registry of packages.
const packageName = "@martian-engineering/lossless-claw"

// Plugin finds the installed plugin: in the folder that plugins.installs names, in those of plugins.load.paths, else below
// extensions or node_modules in the state folder. Its version stands in its package.json, else in its manifest.
func (l Locations) Plugin() InstalledPlugin {
	folders := append([]string{}, l.Host.pluginFolders...)
	for _, below := range []string{
		filepath.Join("extensions", pluginName), filepath.Join("extensions", packageName), filepath.Join("extensions", "node_modules", packageName),
		filepath.Join("npm", "node_modules", packageName), filepath.Join("node_modules", packageName),
	} {
		folders = append(folders, filepath.Join(l.StateDir, below))
	}
	for _, folder := range folders {
		for _, name := range []string{"package.json", "openclaw.plugin.json"} {
			if v := pluginVersion(filepath.Join(folder, name)); v != "" {
				return InstalledPlugin{v, folder}
			}
		}
	}
	return InstalledPlugin{}
}

// pluginVersion returns the version that a file of the plugin has, or empty where it is of something else.
func pluginVersion(path string) string {
	const most = 1 << 20
	b, err := regularfile.Read(path, most)
	if err != nil {
		return ""
	}
	var is struct{ Name, ID, Version string }
	if json.Unmarshal(b, &is) != nil || is.Name != packageName && is.Name != pluginName && is.ID != pluginName {
		return ""
	}
	return strings.TrimSpace(is.Version)
}

// pluginFolders returns the folders in which the configuration says that the plugin is.
func pluginFolders(doc document, env Getenv) (folders []string) {
	add := func(v any, below string) {
		if s, _ := substitute(v, env).(string); strings.TrimSpace(s) != "" {
			folders = append(folders, filepath.Join(ExpandHome(s, env), below))
		}
	}
	installs, _ := doc.Plugins.Installs.(map[string]any)
	if of, ok := installs[pluginName].(map[string]any); ok {
		add(of["installPath"], "")
		add(of["sourcePath"], "")
	}
	load, _ := doc.Plugins.Load.(map[string]any)
	paths, _ := load["paths"].([]any)
	for _, p := range paths {
		add(p, "")
		add(p, pluginName)
	}
	return folders
}
