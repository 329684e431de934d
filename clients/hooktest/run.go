package hooktest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"lcm-tui/clients"
	"lcm-tui/clients/install"
)

// Run is one run of a hook.
type Run struct {
	Event        string `json:"event"`
	Path         string `json:"path"` // The file in which the hook stands.
	Exit         int    `json:"exit"`
	Shape        string `json:"shape"` // Of the output; a word of those below.
	Milliseconds int64  `json:"milliseconds"`
	Problem      string `json:"problem"` // Why it failed, or empty.
}

// The shapes of an output.
const (
	ShapeEmpty   = "empty"
	ShapeText    = "text"
	ShapeContext = "context" // An object with what goes into the context.
	ShapeObject  = "object"
	ShapeBroken  = "broken" // It begins as an object and isn't one.
)

// Test is what a test runs, and where.
type Test struct {
	Client      clients.Client
	Hooks       []install.InstalledHook
	Folder      string   // A temporary folder, which the caller removes.
	Database    string   // An empty database in it.
	Environment []string // Of this process.
}

// Run runs every hook once, one after another.
func (t Test) Run(ctx context.Context) ([]Run, error) {
	home := filepath.Join(t.Folder, "home")
	values := map[string]string{
		"HOME": home, "USERPROFILE": home, "XDG_STATE_HOME": filepath.Join(home, "state"), "XDG_DATA_HOME": filepath.Join(home, "data"),
		"CLAUDE_CONFIG_DIR": filepath.Join(home, ".claude"), "CODEX_HOME": filepath.Join(home, ".codex"), "LCM_DATABASE_PATH": t.Database,
		"CLAUDE_PROJECT_DIR":       home,
		"LCM_AUTOCOMPACT_DISABLED": "true", // Work in the background would outlive the test, in its folder.
	}
	environment := slices.DeleteFunc(slices.Clone(t.Environment), func(line string) bool {
		name, _, _ := strings.Cut(line, "=")
		_, is := values[name]
		return is
	})
	for name, value := range values {
		environment = append(environment, name+"="+value)
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	transcript := ""
	if sessions := t.Client.Sessions(func(name string) string { return values[name] }); sessions != "" {
		var err error
		if transcript, err = writeTranscript(string(t.Client), sessions, home); err != nil {
			return nil, err
		}
	}
	var runs []Run
	for _, h := range t.Hooks {
		runs = append(runs, t.run(ctx, h, environment, newEvent(h.Event, transcript, home), home))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return runs, nil
}

// run runs a hook, and stops it when its client would.
func (t Test) run(ctx context.Context, h install.InstalledHook, environment []string, event []byte, folder string) Run {
	r := Run{Event: h.Event, Path: h.Path}
	limited, cancel := context.WithTimeout(ctx, h.Timeout)
	defer cancel()
	words := t.words(h.Words)
	cmd := exec.CommandContext(limited, words[0], words[1:]...)
	if !h.IsExec && runtime.GOOS != "windows" {
		cmd = exec.CommandContext(limited, "/bin/sh", "-c", install.ShellLine(words))
	}
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.WaitDelay = folder, environment, time.Second
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(event), &out, &errs
	began := time.Now()
	err := cmd.Run()
	r.Milliseconds = time.Since(began).Milliseconds()
	r.Shape = shapeOf(out.Bytes(), h.Event)
	var ended *exec.ExitError
	switch {
	case limited.Err() != nil:
		r.Exit, r.Problem = -1, fmt.Sprintf("the client stops it after %v", h.Timeout)
	case errors.As(err, &ended):
		r.Exit = ended.ExitCode()
		r.Problem = fmt.Sprintf("exit code %d: %s", r.Exit, strings.TrimSpace(errs.String()))
	case err != nil:
		r.Exit, r.Problem = -1, err.Error()
	case r.Shape == ShapeBroken:
		r.Problem = "the output begins as JSON and is none"
	case t.Client == clients.Gemini && r.Shape != ShapeObject && r.Shape != ShapeContext:
		r.Problem = "the client takes nothing but one JSON object"
	}
	return r
}

// words returns what a hook starts with our database in the place of the user's. With --strict a failure is in the exit
// code, where a client would see none.
func (t Test) words(words []string) []string {
	out := slices.Clone(words)
	for i, word := range out {
		if strings.HasPrefix(word, "--db=") {
			out[i] = "--db=" + t.Database
		}
		if word == "--db" && i+1 < len(out) {
			out[i+1] = t.Database
		}
	}
	return append(out, "--strict")
}

// shapeOf returns the shape of what a hook printed at an event.
func shapeOf(out []byte, event string) string {
	out = bytes.TrimSpace(out)
	switch {
	case len(out) == 0:
		return ShapeEmpty
	case out[0] != '{':
		return ShapeText
	}
	var answer struct {
		Specific struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	d := json.NewDecoder(bytes.NewReader(out))
	if err := d.Decode(&answer); err != nil {
		return ShapeBroken
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return ShapeBroken
	}
	if answer.Specific.Event == event && answer.Specific.Context != "" {
		return ShapeContext
	}
	return ShapeObject
}
