package cli

import (
	"context"
	"errors"

	"lcm-tui/clients/install"
	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/ops"
)

// The exit codes.
const (
	ExitDone      = 0
	ExitFailed    = 1
	exitUsage     = 2
	ExitNothing   = 3
	exitStale     = 4
	ExitFindings  = 5
	exitCancelled = 130
)

// exitCode returns the exit code that tells of err.
func exitCode(err error) int {
	var usage *UsageError
	var stale *data.StaleError
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &usage):
		return exitUsage
	case errors.Is(err, context.Canceled):
		return exitCancelled
	case errors.As(err, &stale), errors.Is(err, install.ErrChanged):
		return exitStale
	case errors.Is(err, ops.ErrNothing), errors.Is(err, install.ErrNothing), errors.Is(err, change.ErrNoRecord), errors.Is(err, change.ErrNoUndone), errors.Is(err, change.ErrUndone), errors.Is(err, change.ErrNotUndone):
		return ExitNothing
	}
	return ExitFailed
}
