package programs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"lcm-tui/engine/model"
	"lcm-tui/internal/lazyregexp"
)

// agentRun is one run of an agent's program.
type agentRun struct {
	provider, program string
	in                string   // On its standard input.
	keep              []string // Variables that it needs, though they may be keys.
	env               []string // Further variables, as NAME=value.
	// files are written beside the folder in which it runs, by their names.
	files map[string]string
	// args are its arguments. folder is where the files lie; the program may leave its answer there
	// as answerFile.
	args func(folder string) []string
}

// answerFile is the file in which a program may leave its answer.
const answerFile = "answer.txt"

// runAgent runs an agent's program for one answer: in an empty folder, where it can
// read and damage nothing, and without the keys of the environment, so that it uses its own
// login.
func runAgent(ctx context.Context, run agentRun) (out, beside string, err error) {
	dir, err := os.MkdirTemp("", "lcm-tui-")
	if err != nil {
		return "", "", fmt.Errorf("make a folder for %s: %w", run.provider, err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // A program may still write there; the system cleans up the rest.
	empty, answers := filepath.Join(dir, "empty"), filepath.Join(dir, answerFile)
	err = os.Mkdir(empty, 0o700)
	for name, text := range run.files {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	if err != nil {
		return "", "", fmt.Errorf("make a folder for %s: %w", run.provider, err)
	}
	cmd := exec.CommandContext(ctx, run.program, run.args(dir)...)
	cmd.Dir, cmd.Env = empty, append(append(withoutKeys(os.Environ(), run.keep), noHooks), run.env...)
	out, err = runProgram(ctx, run.provider, run.in, cmd)
	if err != nil {
		return "", "", asLoginError(err)
	}
	beside, err = readAnswer(answers)
	if errors.Is(err, errFull) {
		return "", "", tooMuch(run.provider)
	}
	if err != nil {
		return "", "", fmt.Errorf("read the answer of %s: %w", run.provider, err)
	}
	return out, beside, nil
}

// serverName is the name of our server in the program's configuration.
const serverName = "lcm"

// noHooks switches our hooks off in a program: they would put the memory into its prompt, and keep what it was
// asked as a session.
const noHooks = "LCM_TUI_HOOKS=off"

// toolEnvironment is what a program with our server gets beside the environment: Claude Code would show names of
// tools only.
var toolEnvironment = []string{"ENABLE_TOOL_SEARCH=false"}

// runWithTools runs an agent's program with our server.
func runWithTools(ctx context.Context, run agentRun) (out, beside string, err error) {
	start := time.Now()
	run.env = toolEnvironment
	out, beside, err = runAgent(ctx, run)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("run %s for %s: %w", run.provider, time.Since(start).Round(time.Second), err)
	}
	return out, beside, err
}

// readAnswer reads the file in which a program may leave its answer. It needn't exist; one that is
// longer than an answer may be is errFull.
func readAnswer(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular() || info.Size() > model.MostAnswer:
		return "", errFull
	}
	b, err := os.ReadFile(path)
	return string(b), err
}

var secretName = lazyregexp.New(`(?i)^(ANTHROPIC|OPENAI)_|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL`)

// withoutKeys returns the variables of an environment without those that may be keys, except the
// names to keep: a program's own login.
func withoutKeys(env, keep []string) (out []string) {
	kept := "\n" + strings.Join(keep, "\n") + "\n"
	for _, e := range env {
		name, _, _ := strings.Cut(e, "=")
		if !secretName.MatchString(name) || strings.Contains(kept, "\n"+name+"\n") {
			out = append(out, e)
		}
	}
	return out
}

var loginMissing = lazyregexp.New(`(?i)not logged in|please (?:run )?/?log ?in|/login\b|invalid api key|unauthorized|authentication`)

// asLoginError gives a program's error, as one of its login where that is missing.
func asLoginError(err error) error {
	var e *model.Error
	if errors.As(err, &e) && e.Kind == model.KindCommand && loginMissing.MatchString(e.Message) {
		e.Kind, e.Message = model.KindAuth, "it is not logged in: "+e.Message
		e.Next = "run " + e.Provider + " once and log in"
	}
	return err
}
