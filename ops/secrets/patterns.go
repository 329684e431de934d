package secrets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/engine/redact"
	"lcm-tui/internal/atomicfile"
)

// Patterns are regular expressions of the user for what is masked before a model or a context gets a text, beside the
// rules: those of all projects, and those of one.
type Patterns struct {
	Global  []string `json:"global"`
	Project []string `json:"project"`
}

// PatternFile returns the file of the patterns of a project, one a line; without a project that of all of them. It is
// empty where there is no folder for it.
func (c Config) PatternFile(project string) string {
	if c.Rules == "" {
		return ""
	}
	const name = "sensitive-patterns.txt"
	if project == "" {
		return filepath.Join(filepath.Dir(c.Rules), name)
	}
	return filepath.Join(filepath.Dir(c.Rules), "projects", project, name)
}

// Patterns returns the patterns of all projects and of one.
func (c Config) Patterns(project string) (p Patterns, err error) {
	if p.Global, err = readPatterns(c.PatternFile("")); err != nil {
		return p, err
	}
	p.Project = []string{}
	if project != "" {
		p.Project, err = readPatterns(c.PatternFile(project))
	}
	return p, err
}

// readPatterns returns the patterns in a file; one that isn't there has none.
func readPatterns(path string) (patterns []string, err error) {
	lines, err := readLines(path)
	patterns = []string{}
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			patterns = append(patterns, line)
		}
	}
	return patterns, err
}

// readLines returns the lines of a file; one that isn't there has none.
func readLines(path string) ([]string, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(text) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read patterns: %w", err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), nil
}

// Masked returns the scanner of what is masked in a project: the rules, the shapes of other programs, and the patterns.
func (c Config) Masked(project string) (*redact.Scanner, error) {
	p, err := c.Patterns(project)
	if err != nil {
		return nil, err
	}
	return c.Scanner(append(redact.Shapes(), p.rules()...)...)
}

// PatternAbout says of a rule that it is a pattern of the user.
const PatternAbout = "a pattern of the user"

// rules returns the patterns as rules.
func (p Patterns) rules() (out []redact.Rule) {
	for kind, patterns := range map[string][]string{"global": p.Global, "project": p.Project} {
		for i, pattern := range patterns {
			out = append(out, redact.Rule{ID: fmt.Sprintf("%s-%d", kind, i+1), About: PatternAbout, Class: redact.Sure, Pattern: pattern})
		}
	}
	return out
}

// AddPattern adds a pattern to those of a project, or of all; not added where it is there already. A pattern that
// can't be read, or would match nearly everything, is an error.
func (c Config) AddPattern(project, pattern string) (added bool, err error) {
	pattern = strings.TrimSpace(pattern)
	if pattern == "" || strings.HasPrefix(pattern, "#") || strings.ContainsAny(pattern, "\n\r\x00") {
		return false, errors.New("a pattern is one line, and doesn't begin with #")
	}
	if _, err := redact.NewScanner(Patterns{Global: []string{pattern}}.rules(), redact.Allow{}); err != nil {
		return false, err
	}
	return c.changePatterns(project, func(lines []string) []string {
		if slices.ContainsFunc(lines, func(l string) bool { return strings.TrimSpace(l) == pattern }) {
			return lines
		}
		return append(lines, pattern)
	})
}

// RemovePattern removes a pattern from those of a project, or of all; not removed where it isn't there.
func (c Config) RemovePattern(project, pattern string) (removed bool, err error) {
	pattern = strings.TrimSpace(pattern)
	return c.changePatterns(project, func(lines []string) []string {
		return slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.TrimSpace(l) == pattern && !strings.HasPrefix(pattern, "#") })
	})
}

// changePatterns writes the lines of a file, where they change.
func (c Config) changePatterns(project string, change func(lines []string) []string) (changed bool, err error) {
	path := c.PatternFile(project)
	if path == "" {
		return false, errors.New("there is no folder for configuration: set XDG_CONFIG_HOME")
	}
	lines, err := readLines(path)
	if err != nil {
		return false, err
	}
	next := change(lines)
	if slices.Equal(lines, next) {
		return false, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return false, fmt.Errorf("write patterns: %w", err)
	}
	text := ""
	if len(next) > 0 {
		text = strings.Join(next, "\n") + "\n"
	}
	return true, atomicfile.Write(path, []byte(text), atomicfile.Options{Replace: true, KeepOwner: true})
}
