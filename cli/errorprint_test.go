package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"lcm-tui/data/change"
	"lcm-tui/internal/outcome"
	"lcm-tui/internal/parallel"
)

// TestAPartialWriteIsReported: a cancel in the middle of a large write isn't one that
// wrote nothing.
func TestAPartialWriteIsReported(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	printError(&out, "", fmt.Errorf("apply: %w", &change.UnfinishedError{Record: 7, Err: context.Canceled}))
	if got := out.String(); !strings.Contains(got, "record 7 is not finished") || !strings.Contains(got, "lcm-tui undo 7") || strings.Contains(got, "nothing was written") {
		t.Error(got)
	}
}

// TestJoinedErrorsArePrintedApart, each of them once.
func TestJoinedErrorsArePrintedApart(t *testing.T) {
	t.Parallel()
	full := errors.New("write a.db: the disk is full")
	var out bytes.Buffer
	printError(&out, "", errors.Join(full, errors.Join(full, errors.New("write b.db: the disk is full"))))
	if want := "lcm-tui: write a.db: the disk is full; write b.db: the disk is full\n"; out.String() != want {
		t.Errorf("%q, want %q", &out, want)
	}
}

// TestAPanicInALaterPartIsReported: what was written before it stays, and isn't called nothing.
func TestAPanicInALaterPartIsReported(t *testing.T) {
	t.Parallel()
	_, changed := outcome.With(t.Context())
	changed.Begin()
	err := changed.Explain(&change.UnfinishedError{Record: 7, Err: parallel.Call(func() error { panic("out of range") })})
	if got := err.Error(); !strings.Contains(got, "record 7 is not finished") || strings.Contains(got, "nothing was written") {
		t.Error(got)
	}
}
