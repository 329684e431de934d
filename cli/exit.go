package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"lcm-tui/clients/install"
	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/engine/model"
	"lcm-tui/internal/hint"
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
	ExitBusy      = 75
	exitCancelled = 130
)

// exitCode returns the exit code that tells of err.
func exitCode(err error) int {
	var usage *UsageError
	var stale *data.StaleError
	var busy *busyError
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &busy):
		return ExitBusy
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

// busyError is a failure before anything was written, of what may succeed when it is tried again later.
type busyError struct {
	err   error
	after time.Duration // 0 is not known.
}

func (e *busyError) Error() string { return e.err.Error() }

// Unwrap gives the failure.
func (e *busyError) Unwrap() error { return e.err }

// lockPause is after which time it is worth trying again where another program has a lock.
const lockPause = time.Second

// retryLater reports whether nothing but something that passes is in the way: a lock, another process at the same
// conversation, or a model that has too much to do. after is when to try again; 0 is not known.
func retryLater(err error) (after time.Duration, ok bool) {
	var later interface{ RetryAfter() time.Duration }
	var failed *model.Error
	switch {
	case err == nil:
		return 0, false
	case asIs(err, &failed):
		passes := failed.IsRetryable() && failed.Kind != model.KindNetwork || failed.Kind == model.KindTimeout
		return failed.RetryAfter, passes
	case asIs(err, &later):
		return later.RetryAfter(), true
	case err == data.ErrLocked, err == ops.ErrBusy: //nolint:errorlint // The tree is walked here.
		return lockPause, true
	}
	var children []error
	switch err := err.(type) { //nolint:errorlint // The tree is walked here.
	case interface{ Unwrap() error }:
		children = []error{err.Unwrap()}
	case interface{ Unwrap() []error }:
		children = err.Unwrap()
	}
	for _, child := range children {
		wait, passes := retryLater(child)
		if asIs(child, &failed) && !passes {
			return 0, false // Another call failed for good.
		}
		after, ok = max(after, wait), ok || passes
	}
	return after, ok
}

// asIs sets target to err itself, if it is of its type.
func asIs[T any](err error, target *T) (is bool) {
	*target, is = err.(T) // Not what it wraps.
	return is
}

// busyJSON is what --json says of an error after which a command may be tried again.
type busyJSON struct {
	Code       string      `json:"code"`
	Retryable  bool        `json:"retryable"`
	RetryAfter float64     `json:"retry_after_s,omitempty"`
	Holder     *busyHolder `json:"holder,omitempty"`
	Text       string      `json:"text"`
	Hint       string      `json:"hint,omitempty"`
}

// busyHolder is the process that has a lock.
type busyHolder struct {
	PID     int    `json:"pid"`
	Program string `json:"program"`
}

// printBusy prints an error that passes as one line of JSON.
func printBusy(w io.Writer, err error) {
	var busy *busyError
	if !errors.As(err, &busy) {
		return
	}
	out := busyJSON{Code: "busy", Retryable: true, RetryAfter: math.Ceil(busy.after.Seconds()), Text: err.Error(), Hint: hint.Of(err)}
	var held *ops.BusyError
	if errors.As(err, &held) && held.PID != 0 {
		out.Holder = &busyHolder{held.PID, held.Program}
	}
	line, failed := json.Marshal(map[string]busyJSON{"error": out})
	if failed == nil {
		fmt.Fprintf(ControlEscaper{To: w}, "%s\n", line)
	}
}
