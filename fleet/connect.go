package fleet

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"lcm-tui/internal/hint"
)

// The options of ssh: it never asks for anything, and ends where the other side is silent.
var sshOptions = []string{"-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3"}

// The exit codes that ssh and a shell have for what didn't even begin.
const (
	exitNotConnected = 255
	exitNotFound     = 127
	exitBrokenPipe   = 128 + 13 // Of a shell whose program got SIGPIPE.
)

// mostMessage is how much is kept of what the other side says, in bytes.
const mostMessage = 4 << 10

// remote is a command that runs on another machine.
type remote struct {
	*exec.Cmd
	host    string
	printed tail
}

// newRemote returns a command that ssh runs on a host with these words.
func newRemote(ctx context.Context, o Options, host string, words ...string) *remote {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quoteWord(w)
	}
	return newRemoteShell(ctx, o, host, strings.Join(quoted, " "))
}

// newRemoteShell returns a command that ssh has the shell of a host run.
func newRemoteShell(ctx context.Context, o Options, host, command string) *remote {
	args := append(append([]string{}, sshOptions...), "--", host, command)
	r := &remote{Cmd: exec.CommandContext(ctx, cmp.Or(o.SSH, "ssh"), args...), host: host, printed: tail{most: mostMessage}}
	r.Stderr, r.WaitDelay = &r.printed, 2*time.Second
	return r
}

// quoteWord quotes a word for the shell of the other machine, which ssh gives a command to as one text.
func quoteWord(w string) string {
	if w != "" && !strings.ContainsFunc(w, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:,@", r))
	}) {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// failure returns why the command failed, as its error and what it printed tell.
func (r *remote) failure(err error) error {
	printed := strings.TrimSpace(r.printed.String())
	var exit *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return &hint.Error{Err: errors.New("ssh isn't installed on this machine"), Next: "install OpenSSH, or name a folder in which the other machine's database is mounted"}
	case !errors.As(err, &exit):
		return fmt.Errorf("%s: %w", r.host, err)
	case exit.ExitCode() == exitNotConnected:
		return &hint.Error{Err: fmt.Errorf("%s can't be reached: %s", r.host, cmp.Or(printed, "ssh says nothing")), Next: "ssh " + r.host + " true has to work without a question: a key in the agent, the host known"}
	case exit.ExitCode() == exitNotFound:
		return errNotInstalled
	}
	return r.reported(cmp.Or(printed, err.Error()))
}

// reported returns the error of a command that says why it failed. The hint of another lcm-tui is about its own command line there.
func (r *remote) reported(printed string) error {
	text, next, isHinted := strings.Cut(strings.TrimPrefix(printed, errorStart), hintStart)
	if !isHinted {
		return fmt.Errorf("%s: %s", r.host, text)
	}
	return &hint.Error{Err: fmt.Errorf("%s: %s", r.host, text), Next: "there: " + strings.Join(strings.Fields(next), " "), OnScreen: "look at the database there"}
}

// How lcm-tui prints an error, and the hint below it.
const (
	errorStart = "lcm-tui: "
	hintStart  = "\n  hint: "
)

// isBrokenOff reports whether a command ended only because nobody read what it printed any more: it says nothing about that.
func (r *remote) isBrokenOff(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && (exit.ExitCode() == exitBrokenPipe || exit.ExitCode() < 0) && strings.TrimSpace(r.printed.String()) == ""
}

// errNotInstalled says that the other machine has no lcm-tui.
var errNotInstalled = errors.New("lcm-tui isn't installed there, or not in the PATH that ssh gives a command")

// tail keeps the end of what is written to it.
type tail struct {
	b    bytes.Buffer
	most int
}

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.b.Write(p)
	if over := t.b.Len() - t.most; over > 0 {
		t.b.Next(over)
	}
	return len(p), nil
}

func (t *tail) String() string { return strings.ToValidUTF8(t.b.String(), "") }
