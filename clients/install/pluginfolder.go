package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/internal/atomicfile"
	"lcm-tui/internal/lazyregexp"
	"lcm-tui/internal/regularfile"
)

// marketName is the name of the list of plugins in a folder that this program makes.
const marketName = "lcm-tui"

const pluginAbout = "Memory of earlier sessions: hooks that keep them, tools and skills that recall them"

// PluginFile is a file of a plugin, and its path below the folder.
type PluginFile struct {
	Path string `json:"path"`
	Text string `json:"-"`
}

// release matches the version of a release.
var release = lazyregexp.New(`^v?(\d+\.\d+\.\d+)`)

// PluginClients are those that a plugin folder is made for.
var PluginClients = []string{"claude-code", "codex", "gemini"}

// Plugin returns the files of a folder with a plugin for each client, and the lists by which Claude Code and Codex
// find theirs. The hooks of the clients differ, so that each has a folder of its own.
func Plugin(server Server, hook func(client string) Server, version string) (files []PluginFile) {
	number := "0.0.0"
	if m := release.FindStringSubmatch(version); m != nil {
		number = m[1]
	}
	add := func(text string, names ...string) {
		files = append(files, PluginFile{filepath.Join(names...), text})
	}
	type object = map[string]any
	servers := object{EntryName: object{"command": server.Command, "args": server.Args}}
	manifest := object{"name": EntryName, "version": number, "description": pluginAbout}
	add(indented(object{
		"name": marketName, "owner": object{"name": marketName}, "description": pluginAbout,
		"plugins": []any{object{"name": EntryName, "source": "./claude-code/lcm", "description": pluginAbout}},
	}), ".claude-plugin", "marketplace.json")
	add(indented(object{
		"name": marketName, "interface": object{"displayName": marketName},
		"plugins": []any{object{
			"name": EntryName, "source": object{"source": "local", "path": "./codex/lcm"},
			"policy": object{"installation": "AVAILABLE", "authentication": "ON_INSTALL"}, "category": "Productivity",
		}},
	}), ".agents", "plugins", "marketplace.json")
	for _, name := range PluginClients {
		c, _ := ClientNamed(name)
		m := object{}
		for k, v := range manifest {
			m[k] = v
		}
		switch name {
		case "claude-code":
			m["author"] = object{"name": marketName}
			add(indented(m), name, EntryName, ".claude-plugin", "plugin.json")
		case "codex":
			m["skills"], m["mcpServers"] = "./skills/", "./.mcp.json"
			add(indented(m), name, EntryName, ".codex-plugin", "plugin.json")
		default:
			m["mcpServers"] = servers
			add(indented(m), name, EntryName, "gemini-extension.json")
		}
		if name != "gemini" {
			add(indented(object{"mcpServers": servers}), name, EntryName, ".mcp.json")
		}
		groups := object{}
		for _, event := range hookTables[name] {
			groups[event.name] = []any{c.newHookGroup(event, hook(name))}
		}
		add(indented(object{"hooks": groups}), name, EntryName, "hooks", "hooks.json")
		for _, skill := range SkillNames {
			add(SkillText(skill), name, EntryName, "skills", skill, "SKILL.md")
		}
		for _, command := range slashCommands {
			switch name {
			case "claude-code":
				add(command.markdown(), name, EntryName, "commands", command.name+".md")
			case "gemini":
				add(command.toml(), name, EntryName, "commands", command.name+".toml")
			}
		}
	}
	return files
}

// indented returns the JSON of a value in lines.
func indented(value any) string {
	var out bytes.Buffer
	_ = json.Indent(&out, encodeJSON(value), "", "  ") // It was encoded a moment ago.
	return out.String() + "\n"
}

// PluginSteps returns what the user types into the clients to get the plugins of a folder.
func PluginSteps(folder string) []string {
	return []string{
		"claude plugin marketplace add " + folder + " && claude plugin install " + EntryName + "@" + marketName,
		"codex plugin marketplace add " + folder + " && codex plugin add " + EntryName + "@" + marketName,
		"gemini extensions link " + filepath.Join(folder, "gemini", EntryName),
	}
}

// CheckPluginFolder refuses a folder that holds something else than a plugin of this program.
func CheckPluginFolder(folder string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("write the plugin: %w", err)
	}
	var market struct {
		Name string `json:"name"`
	}
	readInto(filepath.Join(folder, ".claude-plugin", "marketplace.json"), &market)
	if len(entries) == 1 && isBegun(folder, entries[0].Name()) {
		return nil
	}
	known := []string{".claude-plugin", ".agents", "claude-code", "codex", "gemini"}
	for _, e := range entries {
		if market.Name != marketName || !slices.Contains(known, e.Name()) {
			return refuse(folder, fmt.Errorf("the folder has %s, which is of no plugin of this program", e.Name()), "name a new folder")
		}
	}
	return nil
}

// isBegun reports whether a folder has only what a run left that was ended before the first file of a plugin had its name.
func isBegun(folder, only string) bool {
	entries, err := os.ReadDir(filepath.Join(folder, only))
	return err == nil && only == ".claude-plugin" && !slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return !strings.HasPrefix(e.Name(), ".marketplace.json.")
	})
}

// WritePlugin writes the files of a plugin; those that are the same already stay.
func WritePlugin(folder string, files []PluginFile) error {
	if err := CheckPluginFolder(folder); err != nil {
		return err
	}
	for _, f := range files {
		path := filepath.Join(folder, f.Path)
		if have, err := regularfile.Read(path, maxSize); err == nil && string(have) == f.Text {
			continue
		}
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = atomicfile.Write(path, []byte(f.Text), atomicfile.Options{Mode: 0o644, Replace: true})
		}
		if err != nil {
			return fmt.Errorf("write the plugin: %w", err)
		}
	}
	return nil
}
