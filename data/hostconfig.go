package data

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/titanous/json5"
)

// HostConfig is what the host's configuration says beside where the database is.
// Keys are behind functions, so that no way of printing the value shows them.
type HostConfig struct {
	// Path is openclaw.json, EnvPath the .env beside it; Found and EnvFound say
	// whether they are there.
	Path, EnvPath   string
	Found, EnvFound bool
	// Plugin is plugins.entries.lossless-claw.config, as it stands, but with
	// variables replaced.
	Plugin map[string]any
	// CompactionModel and Model are those of agents.defaults, as provider/model.
	CompactionModel, Model string
	// Endpoints are models.providers by name.
	Endpoints map[string]HostEndpoint

	variable func(name string) (value, where string)
}

// HostEndpoint is one of models.providers.
type HostEndpoint struct {
	BaseURL, API string
	// Windows are the context windows of its models in tokens, where they are given.
	Windows map[string]int64
	key     func() string
}

// Key is the endpoint's key, or empty.
func (e HostEndpoint) Key() string {
	if e.key == nil {
		return ""
	}
	return e.key()
}

// Variable reads a variable that the host sets for itself: from .env in its state
// folder, or from env.vars in its configuration. It says which.
func (h HostConfig) Variable(name string) (value, where string) {
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

// Hint says how to go on without it.
func (e *ConfigError) Hint() string {
	return "repair the file, or name the database with --db FILE or LCM_DATABASE_PATH"
}

// hostDocument is openclaw.json, as far as it matters here. What may be a word or
// an object is read later.
type hostDocument struct {
	Env    map[string]any `json:"env"`
	Agents struct {
		Defaults struct {
			Model      any `json:"model"`
			Compaction struct {
				Model any `json:"model"`
			} `json:"compaction"`
		} `json:"defaults"`
	} `json:"agents"`
	Models struct {
		Providers map[string]struct {
			BaseURL string `json:"baseUrl"`
			API     string `json:"api"`
			APIKey  any    `json:"apiKey"`
			Models  []struct {
				ID     string  `json:"id"`
				Window float64 `json:"contextWindow"`
			} `json:"models"`
		} `json:"providers"`
	} `json:"models"`
	Plugins struct {
		Entries map[string]struct {
			Config map[string]any `json:"config"`
		} `json:"entries"`
	} `json:"plugins"`
}

// ReadHostConfig reads openclaw.json, where OPENCLAW_CONFIG_PATH or else the state folder
// has it, and .env in the state folder. A missing file
// is none; with the error of a broken one the rest is good nevertheless.
func ReadHostConfig(stateDir string, env Getenv) (HostConfig, error) {
	h := HostConfig{Path: configPath(stateDir, env), EnvPath: filepath.Join(stateDir, ".env")}
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
	h.fill(doc, func(name string) string {
		if v := env(name); v != "" {
			return v
		}
		v, _ := h.variable(name)
		return v
	})
	return h, errors.Join(err, dotErr)
}

func (h *HostConfig) fill(doc hostDocument, env Getenv) {
	h.Plugin, _ = substitute(doc.Plugins.Entries["lossless-claw"].Config, env).(map[string]any)
	h.CompactionModel, h.Model = modelName(doc.Agents.Defaults.Compaction.Model), modelName(doc.Agents.Defaults.Model)
	h.Endpoints = map[string]HostEndpoint{}
	for name, p := range doc.Models.Providers {
		key := keyOf(p.APIKey, env)
		base, _ := substitute(p.BaseURL, env).(string)
		windows := map[string]int64{}
		for _, m := range p.Models {
			windows[m.ID] = int64(m.Window)
		}
		h.Endpoints[strings.ToLower(name)] = HostEndpoint{BaseURL: base, API: p.API, Windows: windows, key: func() string { return key }}
	}
}

func readDocument(path string) (doc hostDocument, found bool, err error) {
	b, err := readRegular(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return doc, false, nil
	case err != nil:
		return doc, true, &ConfigError{path, err}
	}
	if err := json5.Unmarshal(bytes.TrimPrefix(b, []byte("\ufeff")), &doc); err != nil {
		return doc, true, &ConfigError{path, err}
	}
	return doc, true, nil
}

// path is a path that the plugin's configuration gives under the first of these names.
func (h HostConfig) path(env Getenv, names ...string) string {
	for _, n := range names {
		if s, ok := h.Plugin[n].(string); ok && strings.TrimSpace(s) != "" {
			return expandHome(s, env)
		}
	}
	return ""
}

// readRegular reads a file of settings, which a pipe or device in its place must not
// keep from ending.
func readRegular(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errNotRegular
	}
	const most = 64 << 20
	return io.ReadAll(io.LimitReader(f, most))
}

// hostVariables are env.vars, and what stands in env itself.
func hostVariables(env map[string]any) map[string]string {
	vars := map[string]string{}
	inner, _ := env["vars"].(map[string]any)
	for _, from := range []map[string]any{env, inner} {
		for name, v := range from {
			if s, ok := v.(string); ok {
				vars[name] = s
			}
		}
	}
	return vars
}

// modelName is a model that is a word, or an object with a primary one.
func modelName(v any) string {
	if o, ok := v.(map[string]any); ok {
		v = o["primary"]
	}
	s, _ := v.(string)
	return strings.TrimSpace(s)
}

// keyOf is a key that stands there, in a variable, or is named by one.
func keyOf(v any, env Getenv) string {
	if o, ok := v.(map[string]any); ok {
		source, _ := o["source"].(string)
		id, _ := o["id"].(string)
		if source != "env" {
			return "" // A file or a program of the host's, which is not run for it.
		}
		return env(id)
	}
	s, _ := substitute(v, env).(string)
	if variable.MatchString(s) { // It isn't set.
		return ""
	}
	return s
}

var variable = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

// substitute replaces ${NAME} in every text of a value. What isn't set is left as
// it is, so that it shows.
func substitute(v any, env Getenv) any {
	switch v := v.(type) {
	case string:
		return variable.ReplaceAllStringFunc(v, func(m string) string {
			if value := env(m[2 : len(m)-1]); value != "" {
				return value
			}
			return m
		})
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = substitute(e, env)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = substitute(e, env)
		}
		return out
	}
	return v
}

// readDotEnv reads NAME=value lines, as a shell would set them.
func readDotEnv(path string) (map[string]string, error) {
	b, err := readRegular(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read variables: %w", err)
	}
	vars := map[string]string{}
	for line := range strings.Lines(string(b)) { // However long it is.
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		name, value, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		vars[strings.TrimSpace(name)] = unquote(strings.TrimSpace(value))
	}
	return vars, nil
}

func unquote(s string) string {
	for _, q := range []string{`"`, `'`} {
		if len(s) >= 2 && strings.HasPrefix(s, q) && strings.HasSuffix(s, q) {
			return s[1 : len(s)-1]
		}
	}
	return s
}
