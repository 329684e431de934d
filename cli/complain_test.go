package cli

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"lcm-tui/data"
)

// TestWhatIsWrittenInPartIsTold: a cancel in the middle of a large write isn't one that
// wrote nothing.
func TestWhatIsWrittenInPartIsTold(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	complain(&out, "", fmt.Errorf("apply: %w", &data.UnfinishedError{Record: 7, Err: context.Canceled}))
	if got := out.String(); !strings.Contains(got, "record 7 is not finished") || !strings.Contains(got, "lcm-tui undo 7") || strings.Contains(got, "nothing was written") {
		t.Error(got)
	}
}
