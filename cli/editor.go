package cli

import (
	"fmt"
	"os"
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/views"
)

// editor is the user's own: $VISUAL, else $EDITOR, else vi, with whatever arguments
// stand behind its name.
func (s System) editor() []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(s.Env(name)); len(words) > 0 {
			return words
		}
	}
	return []string{"vi"}
}

// edited hands a text to the user's editor in a file that only they can read, and
// that is gone afterwards.
func (a *app) edited() views.Editor {
	return func(text string, done func(string, error) tea.Msg) tea.Cmd {
		path, err := draft(text)
		if err != nil {
			return func() tea.Msg { return done("", err) }
		}
		words := append(a.sys.editor(), path)
		return tea.ExecProcess(exec.Command(words[0], words[1:]...), func(err error) tea.Msg { //nolint:gosec,noctx // Which program it is and when it ends are for the user to say.
			defer func() { _ = os.Remove(path) }()
			if err != nil {
				return done("", fmt.Errorf("the editor %s: %w; $VISUAL and $EDITOR say which one it is", words[0], err))
			}
			return done(redraft(path, text))
		})
	}
}

// draft writes text to a new private file.
func draft(text string) (path string, err error) {
	f, err := os.CreateTemp("", "lcm-tui-*.md") // Private by itself.
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return f.Name(), err
}

// redraft reads what became of a draft. The line end that editors put behind a text
// isn't a change.
func redraft(path, was string) (string, error) {
	text, err := readText(nil, path)
	if err == nil && text == strings.TrimRight(was, "\n") {
		return was, nil
	}
	return text, err
}
