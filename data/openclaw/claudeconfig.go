package openclaw

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"

	"lcm-tui/internal/regularfile"
)

// ClaudeConfig is the configuration file of lossless-claude.
type ClaudeConfig struct {
	Path  string
	Found bool
	// Values is what it says, as it stands; nil where it can't be read: then lossless-claude takes its defaults and says nothing.
	Values map[string]any
	Err    error
}

// ReadClaudeConfig reads the configuration of lossless-claude in the user's home folder. A missing file is none.
func ReadClaudeConfig(env Getenv) ClaudeConfig {
	c := ClaudeConfig{Path: filepath.Join(HomeFolder(env), ".lossless-claude", "config.json")}
	b, err := regularfile.Read(c.Path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return c
	}
	c.Found = true
	if err == nil {
		err = json.Unmarshal(b, &c.Values)
	}
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		err = wrongValue(wrong.Value, wrong.Offset)
	}
	if err != nil {
		c.Values, c.Err = nil, &ConfigError{c.Path, err}
	}
	return c
}
