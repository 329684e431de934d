package fleet

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"lcm-tui/internal/hint"
	"lcm-tui/internal/regularfile"
)

// applyScript puts the plan that it is given into a private file, which lcm-tui there applies. $@ are its arguments. It says readyLine
// before it takes the plan: until then nothing is sent.
const applyScript = `command -v lcm-tui >/dev/null 2>&1 || exit 127
` + temporaryFile + `echo '` + readyText + `'
cat >"$t" && lcm-tui apply "$t" "$@"`

// readyText is the line that says that the other machine waits for a plan.
const (
	readyText = "lcm-tui waits for the plan"
	readyLine = readyText + "\n"
)

// mostAnswer is how much is kept of what another machine answers, in bytes.
const mostAnswer = 4 << 20

// MaxPlan is the size in bytes of the largest plan file that is sent.
const MaxPlan = 256 << 20

// ErrUnheard says that a machine began to apply a plan, and that what came of it isn't known.
var ErrUnheard = errors.New("whether the plan was written isn't known")

// Apply has the machine of a source apply a plan file, and returns what its lcm-tui printed and its exit code. The error is that
// it could not be asked, or ErrUnheard.
func Apply(ctx context.Context, src Source, plan string, dry, asJSON bool, o Options) (printed string, exit int, err error) {
	content, err := regularfile.Read(plan, MaxPlan)
	if err != nil {
		return "", 0, err
	}
	if o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Timeout)
		defer cancel()
	}
	command := "sh -c " + quoteWord(applyScript) + " sh"
	for _, given := range []struct {
		word string
		is   bool
	}{{"--dry-run", dry}, {"--json", asJSON}, {"--db " + quoteWord(src.Path), src.Path != ""}} {
		if given.is {
			command += " " + given.word
		}
	}
	cmd := newRemoteShell(ctx, o, src.Host, command)
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", 0, err
	}
	answer := &applyAnswer{tail: tail{most: mostAnswer}}
	answer.ready = func() {
		go func() {
			_, _ = in.Write(content) // A machine that doesn't take all of it refuses what it has.
			_ = in.Close()
		}()
	}
	cmd.Stdout = answer
	err = cmd.Run()
	var code *exec.ExitError
	switch broke := !errors.As(err, &code) || code.ExitCode() == exitNotConnected || code.ExitCode() < 0; {
	case ctx.Err() != nil, err != nil && broke && answer.isReady:
		return "", 0, cmd.unheard(ctx, src.Name, answer.isReady, err)
	case err == nil:
		return answer.text(), 0, nil
	case broke, code.ExitCode() == exitNotFound:
		err := cmd.failure(err)
		if errors.Is(err, errNotInstalled) {
			err = &hint.Error{Err: fmt.Errorf("%s: %w", src.Name, err), Next: "install lcm-tui there: the machine that has the database writes it"}
		}
		return "", 0, err
	}
	return answer.text() + cmd.printed.String(), code.ExitCode(), nil
}

// unheard returns the error of a command whose answer didn't come: because of the context, or because the line broke. Where the machine
// wasn't ready for the plan, nothing was sent.
func (r *remote) unheard(ctx context.Context, name string, isReady bool, err error) error {
	why := ctx.Err()
	if why == nil {
		why = errors.New(cmp.Or(strings.TrimSpace(r.printed.String()), err.Error()))
	}
	if !isReady {
		return fmt.Errorf("%s: %w; nothing was sent", name, why)
	}
	return &hint.Error{Err: fmt.Errorf("%s: %w: %w", name, why, ErrUnheard), Next: "look there: lcm-tui history; a plan that was applied is refused the second time"}
}

// applyAnswer keeps the end of what the other machine prints, without readyLine. It calls ready when that comes.
type applyAnswer struct {
	tail
	ready   func()
	isReady bool
	before  []byte // What came before, at most as long as readyLine.
}

// Write implements io.Writer.
func (a *applyAnswer) Write(p []byte) (int, error) {
	if a.isReady {
		return a.tail.Write(p)
	}
	a.before = append(a.before, p...)
	at := bytes.Index(a.before, []byte(readyLine))
	end := max(0, len(a.before)-len(readyLine))
	if at >= 0 {
		a.isReady, end = true, at
	}
	_, _ = a.tail.Write(a.before[:end]) // It never fails.
	if a.before = a.before[end:]; a.isReady {
		_, _ = a.tail.Write(a.before[len(readyLine):])
		a.before = nil
		a.ready()
	}
	return len(p), nil
}

// text returns what was printed.
func (a *applyAnswer) text() string { return a.String() + strings.ToValidUTF8(string(a.before), "") }
