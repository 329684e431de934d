package openclaw

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/titanous/json5"

	"lcm-tui/internal/regularfile"
)

// document is openclaw.json, as far as it matters here. What may be a word or
// an object is read later.
type document struct {
	Env    map[string]any `json:"env"`
	Agents struct {
		Defaults struct {
			Model      any `json:"model"`
			Compaction struct {
				Model any `json:"model"`
			} `json:"compaction"`
		} `json:"defaults"`
		List any `json:"list"`
	} `json:"agents"`
	Auth   any `json:"auth"`
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
		// Entries have enabled and config, beside what concerns the host alone.
		Entries map[string]map[string]any `json:"entries"`
		Slots   map[string]any            `json:"slots"`
		Allow   any                       `json:"allow"`
		// Installs and Load say where plugins are.
		Installs any `json:"installs"`
		Load     any `json:"load"`
		// Config is a place in which the host never looked for settings of plugins.
		Config any `json:"config"`
	} `json:"plugins"`
}

func readDocument(path string) (doc document, found bool, err error) {
	b, err := regularfile.Read(path, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return doc, false, nil
	case err != nil:
		return doc, true, &ConfigError{path, err}
	}
	err = json5.Unmarshal(bytes.TrimPrefix(b, []byte("\ufeff")), &doc)
	if wrong := (*json5.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		err = wrongValue(wrong.Value, wrong.Offset)
	}
	if err != nil {
		return doc, true, &ConfigError{path, err}
	}
	return doc, true, nil
}

// wrongValue returns the error of a value of another type than its place has. The kind may have the value behind it.
func wrongValue(kind string, offset int64) error {
	kind, _, _ = strings.Cut(kind, " ")
	return fmt.Errorf("there is a value of the type %s where it doesn't belong, before byte %d", kind, offset)
}

// modelName returns a model that is a word, or an object with a primary one.
func modelName(v any) string {
	if o, ok := v.(map[string]any); ok {
		v = o["primary"]
	}
	s, _ := v.(string)
	return strings.TrimSpace(s)
}

// keyOf returns a key that stands there, in a variable, or is named by one.
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
