package data

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/titanous/json5"
)

// openClaw is what this program needs of the host's configuration, openclaw.json,
// which is JSON5. The file is never written.
type openClaw struct{ database, files string }

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
	return "mend the file, or name the database with --db FILE or LCM_DATABASE_PATH"
}

func readOpenClaw(path string, env Getenv) (c openClaw, err error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, &ConfigError{path, err}
	}
	var doc struct {
		Plugins struct {
			Entries map[string]struct {
				Config map[string]any `json:"config"`
			} `json:"entries"`
		} `json:"plugins"`
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if err := json5.Unmarshal(b, &doc); err != nil {
		return c, &ConfigError{path, err}
	}
	conf := doc.Plugins.Entries["lossless-claw"].Config
	first := func(names ...string) string {
		for _, n := range names {
			if s, ok := conf[n].(string); ok && s != "" {
				return expandHome(os.Expand(s, expander(env)), env)
			}
		}
		return ""
	}
	return openClaw{database: first("dbPath", "databasePath"), files: first("largeFilesDir")}, nil
}

// expander leaves alone what isn't set, so that the path in an error shows it.
func expander(env Getenv) func(string) string {
	return func(name string) string {
		if v := env(name); v != "" {
			return v
		}
		return "${" + name + "}"
	}
}
