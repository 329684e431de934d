package hosts

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/cli"
	"lcm-tui/views"
)

// editor returns the user's own: $VISUAL, else $EDITOR, else vi, with whatever arguments
// stand behind its name.
func editor(s cli.System) []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(s.Env(name)); len(words) > 0 {
			return words
		}
	}
	return []string{"vi"}
}

// editText hands a text to the user's editor in a file that only they can read, and
// that is gone afterwards.
func editText(a *cli.App) views.Editor {
	return func(text string, done func(string, error) tea.Msg) tea.Cmd {
		path, err := writeDraft(text)
		if err != nil {
			return func() tea.Msg { return done("", err) }
		}
		words := append(editor(a.Sys), path)
		command := &screenCommand{exec.Command(words[0], words[1:]...)} //nolint:gosec,noctx // Which program it is and when it ends are for the user to say.
		return tea.Exec(command, func(err error) tea.Msg {
			defer func() { _ = os.Remove(path) }()
			if err != nil {
				return done("", fmt.Errorf("the editor %s: %w; $VISUAL and $EDITOR say which one it is", words[0], err))
			}
			return done(readDraft(path, text))
		})
	}
}

// screenCommand is a program that has the terminal until it ends.
type screenCommand struct{ *exec.Cmd }

// rendererStop is how long Bubble Tea's renderer gets to stop its ticker.
const rendererStop = 50 * time.Millisecond

// Run starts the program and waits for its end. Bubble Tea doesn't wait until its old
// renderer has stopped the ticker that the next renderer starts again: after a program
// that ends at once the screen would stay blank.
func (c *screenCommand) Run() error {
	time.Sleep(rendererStop)
	return c.Cmd.Run()
}

// SetStdin gives the program the terminal's input.
func (c *screenCommand) SetStdin(r io.Reader) { c.Stdin = r }

// SetStdout gives the program the terminal's output: the terminal itself where the screens write to
// something in front of it, since a program that finds a pipe in its place warns, or ends.
func (c *screenCommand) SetStdout(w io.Writer) {
	c.Stdout = w
	if front, ok := w.(interface{ Terminal() *os.File }); ok {
		c.Stdout = front.Terminal()
	}
}

// SetStderr gives the program the error output.
func (c *screenCommand) SetStderr(w io.Writer) { c.Stderr = w }

// writeDraft writes text to a new private file.
func writeDraft(text string) (path string, err error) {
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

// readDraft reads what became of a draft. The line end that editors put behind a text
// isn't a change.
func readDraft(path, was string) (string, error) {
	text, err := cli.ReadText(nil, path)
	if err == nil && text == strings.TrimRight(was, "\n") {
		return was, nil
	}
	return text, err
}
