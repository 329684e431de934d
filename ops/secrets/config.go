package secrets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"lcm-tui/engine/redact"
	"lcm-tui/internal/atomicfile"
)

// Config is what the user decided on secrets, in two files: rules of their own, and findings that are none. Its zero
// value has no files.
type Config struct {
	Rules   string // A path.
	Ignored string // A path; the file has places of findings and no values.
}

// ConfigIn returns the files in the folder of the program's configuration; an empty one is none.
func ConfigIn(folder string) Config {
	if folder == "" {
		return Config{}
	}
	return Config{filepath.Join(folder, "secrets.toml"), filepath.Join(folder, "secrets-ignored.json")}
}

// Scanner returns the scanner of the program's rules, the user's, and more.
func (c Config) Scanner(more ...redact.Rule) (*redact.Scanner, error) {
	var rules []redact.Rule
	var allow redact.Allow
	if c.Rules != "" {
		text, err := os.ReadFile(c.Rules)
		if err == nil {
			rules, allow, err = redact.ParseRules(text)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read %s: %w", c.Rules, err)
		}
	}
	return redact.NewScanner(append(rules, more...), allow)
}

// IgnoredIn returns the places that are ignored in a database.
func (c Config) IgnoredIn(database string) ([]string, error) {
	all, err := c.readIgnored()
	return all[database], err
}

func (c Config) readIgnored() (map[string][]string, error) {
	all := map[string][]string{}
	if c.Ignored == "" {
		return all, nil
	}
	text, err := os.ReadFile(c.Ignored)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", c.Ignored, err)
	}
	return all, nil
}

// Ignore takes findings of a database off the list, or puts them back. It returns all that are ignored then.
func (c Config) Ignore(database string, ids []string, ignore bool) ([]string, error) {
	if c.Ignored == "" {
		return nil, errors.New("there is no folder for configuration: set XDG_CONFIG_HOME")
	}
	all, err := c.readIgnored()
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(all[database], func(id string) bool { return slices.Contains(ids, id) })
	for _, id := range ids {
		if ignore && !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	if all[database] = list; len(list) == 0 {
		delete(all, database)
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(c.Ignored), 0o700); err != nil {
		return nil, err
	}
	return list, atomicfile.Write(c.Ignored, append(text, '\n'), atomicfile.Options{Replace: true, KeepOwner: true})
}
