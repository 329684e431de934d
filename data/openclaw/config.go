package openclaw

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Config is what the host's configuration says beside where the database is.
// Keys are behind functions, so that no way of printing the value shows them.
type Config struct {
	// Path is openclaw.json, EnvPath the .env beside it; Found and EnvFound say
	// whether they are there.
	Path, EnvPath   string
	Found, EnvFound bool
	// Plugin is plugins.entries.lossless-claw.config, as it stands, but with
	// variables replaced.
	Plugin map[string]any
	// IsDisabled says that plugins.entries.lossless-claw.enabled is false. Slot is plugins.slots.contextEngine, which
	// names the plugin in use; empty stands for lossless-claw.
	IsDisabled bool
	Slot       string
	// Entry is plugins.entries.lossless-claw without its config, and Misplaced is plugins.config or what
	// it has of the plugin: places from which no host takes settings. Nil is not there.
	Entry     map[string]any
	Misplaced map[string]any
	// Allow are the plugins that the host may load, from plugins.allow; nil is all of them.
	Allow []string
	// CompactionModel and Model are those of agents.defaults, as provider/model.
	CompactionModel, Model string
	// Providers are models.providers by name.
	Providers map[string]Provider

	variable      func(name string) (value, where string)
	variableNames []string
	pluginFolders []string
	// lookup reads a variable of the environment, else of the host.
	lookup Getenv
	// agents are those whose folder is configured; signInOrder is auth.order.
	agents       []Agent
	defaultAgent string
	signInOrder  map[string][]string
}

// Provider is one of models.providers.
type Provider struct {
	BaseURL, API string
	// Windows are the context windows of its models in tokens, where they are given.
	Windows map[string]int64
	key     func() string
}

// Key returns the endpoint's key, or empty.
func (e Provider) Key() string {
	if e.key == nil {
		return ""
	}
	return e.key()
}

// Variable reads a variable that the host sets for itself: from .env in its state
// folder, or from env.vars in its configuration. It says which.
func (h Config) Variable(name string) (value, where string) {
	if h.variable == nil {
		return "", ""
	}
	return h.variable(name)
}

// ConfigError says that the host's configuration can't be understood.
type ConfigError struct {
	Path string
	Err  error
}

func (e *ConfigError) Error() string {
	return fmt.Sprintf("read configuration %s: %v", e.Path, e.Err)
}

// Unwrap gives the cause.
func (e *ConfigError) Unwrap() error { return e.Err }

// ScreenHint says what to do about it.
func (*ConfigError) ScreenHint() string { return "repair the file and start lcm-tui again" }

// Hint says how to go on without it.
func (*ConfigError) Hint() string {
	return "repair the file, or name the database with --db FILE or LCM_DATABASE_PATH"
}

// ReadConfig reads openclaw.json, where OPENCLAW_CONFIG_PATH or else the state folder
// has it, and .env in the state folder. A missing file
// is none; with the error of a broken one the rest is good nevertheless.
func ReadConfig(stateDir string, env Getenv) (Config, error) {
	return readConfig(stateDir, configPath(stateDir, env), env)
}

// readConfig works as ReadConfig with the configuration at path.
func readConfig(stateDir, path string, env Getenv) (Config, error) {
	h := Config{Path: path, EnvPath: filepath.Join(stateDir, ".env")}
	dot, dotErr := readDotEnv(h.EnvPath)
	h.EnvFound = dot != nil
	doc, found, err := readDocument(h.Path)
	h.Found = found
	vars := hostVariables(doc.Env)
	h.variable = func(name string) (string, string) {
		if v := dot[name]; v != "" {
			return v, h.EnvPath
		}
		if v := vars[name]; v != "" {
			return v, h.Path
		}
		return "", ""
	}
	h.variableNames = slices.Sorted(maps.Keys(both(dot, vars)))
	h.lookup = func(name string) string {
		if v := env(name); v != "" {
			return v
		}
		v, _ := h.variable(name)
		return v
	}
	h.fill(doc, h.lookup)
	return h, errors.Join(err, dotErr)
}

// both returns the variables of two places.
func both(a, b map[string]string) map[string]string {
	out := map[string]string{}
	maps.Copy(out, a)
	maps.Copy(out, b)
	return out
}

func (h *Config) fill(doc document, env Getenv) {
	h.fillPlugin(doc, env)
	h.pluginFolders = pluginFolders(doc, env)
	h.Slot, _ = doc.Plugins.Slots["contextEngine"].(string)
	h.CompactionModel, h.Model = modelName(doc.Agents.Defaults.Compaction.Model), modelName(doc.Agents.Defaults.Model)
	h.agents, h.defaultAgent = configuredAgents(doc, env)
	h.signInOrder = configuredOrder(doc)
	h.Providers = map[string]Provider{}
	for name, p := range doc.Models.Providers {
		key := keyOf(p.APIKey, env)
		base, _ := substitute(p.BaseURL, env).(string)
		windows := map[string]int64{}
		for _, m := range p.Models {
			windows[m.ID] = int64(m.Window)
		}
		h.Providers[strings.ToLower(name)] = Provider{BaseURL: base, API: p.API, Windows: windows, key: func() string { return key }}
	}
}

// pluginName is the name of the plugin in the host's configuration.
const pluginName = "lossless-claw"

// fillPlugin reads what is said of the plugin, also where the host doesn't look.
func (h *Config) fillPlugin(doc document, env Getenv) {
	entry := maps.Clone(doc.Plugins.Entries[pluginName])
	h.Plugin, _ = substitute(entry["config"], env).(map[string]any)
	h.IsDisabled = entry["enabled"] == false
	delete(entry, "config")
	h.Entry = entry
	h.Misplaced, _ = substitute(doc.Plugins.Config, env).(map[string]any)
	if of, ok := h.Misplaced[pluginName]; ok {
		h.Misplaced, _ = of.(map[string]any)
	}
	if list, ok := doc.Plugins.Allow.([]any); ok {
		h.Allow = []string{}
		for _, name := range list {
			if s, ok := name.(string); ok {
				h.Allow = append(h.Allow, s)
			}
		}
	}
}

// IsSelected reports whether the slot of the context engine is that of the plugin: nothing in it stands for the plugin.
func (h Config) IsSelected() bool { return h.Slot == "" || h.Slot == pluginName }

// IsAllowed reports whether the host may load the plugin.
func (h Config) IsAllowed() bool { return h.Allow == nil || slices.Contains(h.Allow, pluginName) }

// VariableNames returns the names of the variables that the host sets for itself once each, in order.
func (h Config) VariableNames() (names []string) { return h.variableNames }

// path returns a path that the plugin's configuration gives under the first of these names.
func (h Config) path(env Getenv, names ...string) string {
	for _, n := range names {
		if s, ok := h.Plugin[n].(string); ok && strings.TrimSpace(s) != "" {
			return ExpandHome(s, env)
		}
	}
	return ""
}
