package cli

import (
	"bytes"
	"context"
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
