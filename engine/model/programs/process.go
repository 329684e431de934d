package programs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"lcm-tui/engine/model"
)

// runProgram runs a program with a text on its standard input and gives what it writes.
// When ctx is done, it is killed with all that it started.
func runProgram(ctx context.Context, provider, in string, cmd *exec.Cmd) (string, error) {
	var out limitedBuffer
	errorOutput := lastBytes{most: 4096}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(in), &out, &errorOutput
	cmd.WaitDelay = 2 * time.Second
	startProcessGroup(cmd)
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case out.full:
		return "", tooMuch(provider)
	case errors.Is(err, exec.ErrWaitDelay): // What it wrote may not be all.
		return "", &model.Error{
			Kind: model.KindCommand, Provider: provider, Cause: err, Message: "it ended, but a program that it started still has its standard output open",
			Next: "let it wait for what it starts, or give that another output",
		}
	case err != nil:
		return "", failedCommand(provider, err, errorOutput.String()+" "+out.end(), cmd.Env)
	}
	return out.String(), nil
}

// limitedBuffer keeps what is written to it, up to model.MostAnswer bytes. What is more is refused,
// which ends the program. The buffer isn't embedded: its ReadFrom would take in all that
// a program writes, past Write.
type limitedBuffer struct {
	kept bytes.Buffer
	full bool
}

func (b *limitedBuffer) String() string { return b.kept.String() }

var errFull = errors.New("too much")

// tooMuch returns the error of a program whose answer is too long.
func tooMuch(provider string) error {
	return &model.Error{Kind: model.KindMalformed, Provider: provider, Message: fmt.Sprintf("it wrote more than %d MB", model.MostAnswer>>20), Next: "see what it writes to its standard output: the answer alone belongs there"}
}

// Write implements io.Writer.
func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.full = b.full || b.kept.Len()+len(p) > model.MostAnswer; b.full {
		return 0, errFull
	}
	return b.kept.Write(p)
}

// end returns its last 300 bytes: some programs write errors to standard output.
func (b *limitedBuffer) end() string {
	const enough = 300
	s := strings.TrimSpace(b.String())
	return strings.ToValidUTF8(s[max(0, len(s)-enough):], "")
}

// failedCommand tells how a program ended and what it said of it, without the keys that
// stand in its environment; nil is ours.
func failedCommand(provider string, err error, stderr string, env []string) *model.Error {
	e := &model.Error{Kind: model.KindCommand, Provider: provider, Cause: err, Message: err.Error()}
	if env == nil {
		env = os.Environ()
	}
	for _, v := range env {
		if name, value, _ := strings.Cut(v, "="); secretName.MatchString(name) {
			stderr = model.NewSecret(value).Scrub(stderr)
		}
	}
	var exit *exec.ExitError
	if stderr = model.Shorten(stderr); errors.As(err, &exit) && stderr != "" {
		e.Message += ": " + stderr
	}
	return e
}

// lastBytes keeps the end of what is written to it, in a buffer that isn't embedded for the
// same reason as that of limitedBuffer.
type lastBytes struct {
	kept bytes.Buffer
	most int
}

func (t *lastBytes) String() string { return t.kept.String() }

// Write never fails, so that the program isn't stopped by it.
func (t *lastBytes) Write(b []byte) (int, error) {
	n := len(b)
	if n > t.most {
		b = b[n-t.most:]
	}
	if over := t.kept.Len() + len(b) - t.most; over > 0 {
		t.kept.Next(over)
	}
	_, _ = t.kept.Write(b)
	return n, nil
}
