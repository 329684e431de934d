package cli_test

import (
	"bytes"
	"strings"
	"testing"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
)

// TestHooksOfLosslessClaude: a command that a client calls as it did before ends with 1 and one line, which doesn't
// keep its user from going on. Anything else is a command line as always.
func TestHooksOfLosslessClaude(t *testing.T) {
	t.Parallel()
	const event = `{"session_id":"s","hook_event_name":"SessionStart"}`
	for _, c := range []struct {
		args   []string
		in     string
		isHook bool
	}{
		{[]string{"restore"}, event, true},
		{[]string{"compact"}, event, true},
		{[]string{"session-end"}, event, true},
		{[]string{"user-prompt"}, event + "\n", true},
		{[]string{"restore"}, "", false},
		{[]string{"restore"}, `{"name":"x"}`, false},
		{[]string{"restore", "a.bak"}, event, false},
		{[]string{"session-end"}, "text", false},
		{[]string{"info"}, event, false},
	} {
		var out, errs bytes.Buffer
		home := t.TempDir()
		exit := cli.Main(t.Context(), c.args, cli.System{
			In: strings.NewReader(c.in), Out: &out, Err: &errs, WorkDir: home,
			Env: func(name string) string { return map[string]string{"HOME": home}[name] },
		}, commands.Rooms...)
		text := errs.String()
		is := exit == cli.ExitFailed && strings.Contains(text, "lcm-tui hook claude-code, and") && strings.Count(text, "\n") == 1 && out.Len() == 0
		if is != c.isHook {
			t.Errorf("%q with %q: exit %d: %s", c.args, c.in, exit, text)
		}
	}
}
