package prompts

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"lcm-tui/internal/hint"
)

//go:embed *.tmpl
var builtin embed.FS

// suffix is the extension of a template's file.
const suffix = ".tmpl"

// maxTemplate is the greatest size of a template in bytes.
const maxTemplate = 1 << 20

// Set is the templates of one run. The zero Set is the built-in templates. It may be used
// from several goroutines.
type Set struct {
	folders []string
}

// Folders returns the folders that are searched for the user's templates, in order.
func (s *Set) Folders() []string { return slices.Clone(s.folders) }

// Template is one template in force: the user's, or the built-in one.
type Template struct {
	Name    string `json:"name"`
	About   string `json:"about"`
	Path    string `json:"path"` // The user's file, or empty.
	Text    string `json:"text"`
	Builtin string `json:"-"` // The built-in text.
}

// Custom reports whether the template is the user's.
func (t Template) Custom() bool { return t.Path != "" }

// List returns all templates in force.
func (s *Set) List() ([]Template, error) {
	out := make([]Template, 0, len(names))
	for _, n := range names {
		t, err := s.Show(n)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// Names returns the names of all templates.
func Names() []string { return slices.Clone(names) }

// Show returns one template in force. The name may end in .tmpl.
func (s *Set) Show(name string) (Template, error) {
	name = strings.TrimSuffix(name, suffix)
	if !slices.Contains(names, name) {
		return Template{}, hint.New("there is no template "+name, "the templates are "+strings.Join(names, ", "))
	}
	text, err := builtin.ReadFile(name + suffix)
	if err != nil {
		return Template{}, fmt.Errorf("read built-in template %s: %w", name, err)
	}
	t := Template{Name: name, About: about[name], Text: string(text), Builtin: string(text)}
	for _, folder := range s.folders {
		path := filepath.Join(folder, name+suffix)
		text, err := read(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		t.Path, t.Text = path, text
		return t, err
	}
	return t, nil
}

// read reads a user's template.
func read(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("read template: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxTemplate {
		return "", templateError(path, errNoFile.Error(), errNoFile)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read template: %w", err)
	}
	if !utf8.Valid(text) {
		return "", templateError(path, errNoText.Error(), errNoText)
	}
	return string(text), nil
}

// Render fills in a template. The texts in vars can't close the tags around them.
func (s *Set) Render(name string, vars Vars) (string, error) {
	t, err := s.Show(name)
	if err != nil {
		return "", err
	}
	text, err := fill(t.Name+suffix, t.Text, vars.escaped())
	if err != nil {
		return "", explainedError(t, err)
	}
	return strings.TrimSpace(text), nil
}

// Render fills in a built-in template.
func Render(name string, vars Vars) (string, error) { return new(Set).Render(name, vars) }
