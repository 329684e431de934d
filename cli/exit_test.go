package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/engine/model"
	"lcm-tui/ops"
)

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("anything"), 1},
		{&data.NotFoundError{What: "summary", ID: "x", Path: "y"}, 1},
		{UsageErrorf("no such thing"), 2},
		{fmt.Errorf("dissolve: %w", ops.ErrNothing), 3},
		{change.ErrNoRecord, 3},
		{fmt.Errorf("record 1: %w", change.ErrUndone), 3},
		{fmt.Errorf("write: %w", &data.StaleError{What: "context_items 1/0", Why: "it changed"}), 4},
		{fmt.Errorf("count messages: %w", context.Canceled), 130},
	} {
		if got := exitCode(c.err); got != c.want {
			t.Errorf("exitCode(%v) = %d, want %d", c.err, got, c.want)
		}
	}
}

// unread is output that nobody reads.
type unread struct{}

func (unread) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// TestBrokenPipe: only where nobody reads the output the program ends without a word. A connection to a server that
// breaks in the same way is an error as every other.
func TestBrokenPipe(t *testing.T) {
	t.Parallel()
	broken := fmt.Errorf("send to the server: %w", syscall.EPIPE)
	room := Room{Commands: func(a *App) []*cobra.Command {
		return []*cobra.Command{a.Command(GroupOther, "send", "Send something", func(_ context.Context, c *Invocation) (Result, error) {
			_, err := io.WriteString(c.Sys.Out, "it begins\n")
			return nil, cmp.Or(err, broken)
		})}
	}}
	for _, c := range []struct {
		out  io.Writer
		exit int
		says string
	}{
		{io.Discard, ExitFailed, "send to the server: broken pipe"},
		{unread{}, exitPipe, ""},
	} {
		var errs strings.Builder
		exit := Main(t.Context(), []string{"send"}, System{In: strings.NewReader(""), Out: c.out, Err: &errs, Env: func(string) string { return "" }}, room)
		if exit != c.exit || !strings.Contains(errs.String(), c.says) || c.says == "" && errs.String() != "" {
			t.Errorf("exit %d, and it says %q", exit, &errs)
		}
	}
}

// TestRetryLater: only what passes by itself is worth another try, and only if nothing else failed.
func TestRetryLater(t *testing.T) {
	t.Parallel()
	asked := func(kind model.Kind) error { return &model.Error{Kind: kind, RetryAfter: 7 * time.Second} }
	for _, c := range []struct {
		err   error
		after time.Duration
		ok    bool
	}{
		{nil, 0, false},
		{errors.New("anything"), 0, false},
		{&data.Error{Kind: data.ErrLocked, Err: errors.New("SQLITE_BUSY")}, lockPause, true},
		{fmt.Errorf("open: %w", data.ErrLocked), lockPause, true},
		{&data.Error{Kind: data.ErrFull}, 0, false},
		{&data.Error{Kind: data.ErrPermission}, 0, false},
		{&data.Error{Kind: data.ErrDamaged}, 0, false},
		{fmt.Errorf("compact: %w", &ops.BusyError{Conversation: 7}), lockPause, true},
		{asked(model.KindRate), 7 * time.Second, true},
		{asked(model.KindOverloaded), 7 * time.Second, true},
		{asked(model.KindTimeout), 7 * time.Second, true},
		{asked(model.KindAuth), 0, false},
		{asked(model.KindQuota), 0, false},
		{asked(model.KindNetwork), 0, false},
		{errors.Join(asked(model.KindRate), asked(model.KindTimeout)), 7 * time.Second, true},
		{errors.Join(asked(model.KindRate), asked(model.KindAuth)), 0, false},
	} {
		after, ok := retryLater(c.err)
		if ok != c.ok || ok && after != c.after {
			t.Errorf("%v: after %s, %v; want %s, %v", c.err, after, ok, c.after, c.ok)
		}
	}
}

func TestErrorsArePrintedInOneLine(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	printError(&b, "", fmt.Errorf("write:\n\x1b[2J%w", &data.StaleError{What: "context_items 1/0", Why: "it changed"}))
	lines := strings.Split(b.String(), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "lcm-tui: write: ") || !strings.HasPrefix(lines[1], "  hint: ") {
		t.Errorf("printed %q", b.String())
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Error("an escape of the error reaches the terminal")
	}
}
