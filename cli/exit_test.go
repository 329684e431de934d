package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
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
