package fleet

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"lcm-tui/internal/hint"
	"lcm-tui/internal/regularfile"
)

// applyScript puts the plan that it is given into a private file, which lcm-tui there applies. $@ are its arguments.
const applyScript = `command -v lcm-tui >/dev/null 2>&1 || exit 127
umask 077
t=$(mktemp) || exit 1
trap 'rm -f "$t"' EXIT
cat >"$t" && lcm-tui apply "$t" "$@"`

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
	cmd.Stdin = strings.NewReader(string(content))
	answer := &tail{most: mostAnswer}
	cmd.Stdout = answer
	err = cmd.Run()
	var code *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", 0, &hint.Error{Err: fmt.Errorf("%s: %w: %w", src.Name, ctx.Err(), ErrUnheard), Next: "look there: lcm-tui history; a plan that was applied is refused the second time"}
	case err == nil:
		return answer.String(), 0, nil
	case !errors.As(err, &code) || code.ExitCode() == exitNotConnected || code.ExitCode() == exitNotFound || code.ExitCode() < 0:
		err := cmd.failure(err)
		if errors.Is(err, errNotInstalled) {
			err = &hint.Error{Err: fmt.Errorf("%s: %w", src.Name, err), Next: "install lcm-tui there: the machine that has the database writes it"}
		}
		return "", 0, err
	}
	return answer.String() + cmd.printed.String(), code.ExitCode(), nil
}
