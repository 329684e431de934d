package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// namesFlag is a flag that takes names, split by commas; it may be given again.
type namesFlag struct {
	values []string
	noun   string
}

func (*namesFlag) repeats() {}

// String implements pflag.Value.
func (n *namesFlag) String() string { return strings.Join(n.values, ",") }

// Type implements pflag.Value; help shows it.
func (n *namesFlag) Type() string { return n.noun }

// Set implements pflag.Value.
func (n *namesFlag) Set(s string) error {
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.TrimSpace(name); name == "" {
			return fmt.Errorf("expected %s, not %q", n.noun, s)
		}
		if !slices.Contains(n.values, name) {
			n.values = append(n.values, name)
		}
	}
	return nil
}

// ignoredResult is the result of secrets ignore and unignore.
type ignoredResult struct {
	Ignored []string `json:"ignored"`
	warningList
}

func (r *ignoredResult) text(p *printer) {
	p.line(plural.Count(len(r.Ignored), "finding is", "findings are") + " ignored")
	for _, id := range r.Ignored {
		p.line("  " + ui.Line(id))
	}
}

// ignoredFile is the file with the findings that the user ignores; it has places and no values. It
// is empty where there is no folder for it.
func (c *invocation) ignoredFile() string {
	if path := c.userRules(); path != "" {
		return filepath.Join(filepath.Dir(path), "secrets-ignored.json")
	}
	return ""
}

// readIgnored are the places that are ignored in a database.
func readIgnored(path, database string) ([]string, error) {
	all, err := readAllIgnored(path)
	return all[database], err
}

func readAllIgnored(path string) (map[string][]string, error) {
	all := map[string][]string{}
	if path == "" {
		return all, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return all, nil
}

// ignoreFindings takes findings off the list of a database, or puts them back.
func (c *invocation) ignoreFindings(ctx context.Context, ignore bool, ids []string) (result, error) {
	db, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	path := c.ignoredFile()
	all, err := readAllIgnored(path)
	if err != nil {
		return nil, err
	}
	if path == "" {
		return nil, errors.New("there is no folder for configuration: set XDG_CONFIG_HOME")
	}
	list := all[db.Path()]
	for _, id := range ids {
		known := slices.Contains(list, id)
		switch {
		case ignore && strings.Count(id, ":") < 2:
			return nil, usageErrorf("secrets: %q is no finding; take an id from lcm-tui secrets --json, such as messages.content:12:github-token", id)
		case ignore && !known:
			list = append(list, id)
		case !ignore && !known:
			return nil, usageErrorf("secrets: %q isn't ignored", id)
		case !ignore:
			list = slices.DeleteFunc(list, func(other string) bool { return other == id })
		}
	}
	if all[db.Path()] = list; len(list) == 0 {
		delete(all, db.Path())
	}
	return &ignoredResult{Ignored: append([]string{}, list...)}, writePrivate(path, all)
}

// writePrivate writes JSON to a file that only the user can read, beside the old one first.
func writePrivate(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(path), ".secrets-*.part")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	_, err = part.Write(append(text, '\n'))
	if err = errors.Join(err, part.Sync(), part.Close()); err != nil {
		return err
	}
	return os.Rename(part.Name(), path)
}
