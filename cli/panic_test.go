package cli_test

import (
	"bytes"
	"strings"
	"testing"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
)

// TestMainSurvivesAPanic wherever it comes from.
func TestMainSurvivesAPanic(t *testing.T) {
	t.Parallel()
	var errs bytes.Buffer
	env := func(name string) string {
		if name == "LCM_DATABASE_PATH" {
			panic("index out of range")
		}
		return ""
	}
	exit := cli.Main(t.Context(), []string{"conversations"}, cli.System{In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &errs, Env: env}, commands.Rooms...)
	if exit != cli.ExitFailed || !strings.Contains(errs.String(), "internal error: index out of range; nothing was written") || strings.Contains(errs.String(), "goroutine") {
		t.Errorf("exit %d: %s", exit, errs.String())
	}
}
