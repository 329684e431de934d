package cli_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
	"lcm-tui/clients/install"
)

var (
	textCommand = regexp.MustCompile("lcm-tui ([a-z-]+)([^`\n|]*)`")
	textFlag    = regexp.MustCompile(`--([a-z-]+)`)
	textTool    = regexp.MustCompile(`lcm_[a-z_]+`)
)

// toolNames are the tools of lcm-tui mcp; its own tests hold the list.
var toolNames = []string{"lcm_grep", "lcm_describe", "lcm_expand", "lcm_expand_query", "lcm_recent", "lcm_status", "lcm_conversations", "lcm_stats", "lcm_doctor"}

// TestTextsOfInstall: every command, flag and tool that a skill, a slash command or a rule names exists.
func TestTextsOfInstall(t *testing.T) {
	t.Parallel()
	root := cli.New(cli.System{Env: func(string) string { return "" }}, commands.Rooms...).Root()
	n := 0
	for name, text := range install.Texts() {
		for _, m := range textCommand.FindAllStringSubmatch(text, -1) {
			cmd, _, err := root.Find([]string{m[1]})
			if err != nil || cmd == root {
				t.Errorf("%s: no command %s", name, m[1])
				continue
			}
			n++
			for _, flag := range textFlag.FindAllStringSubmatch(m[2], -1) {
				if cmd.Flags().Lookup(flag[1]) == nil {
					t.Errorf("%s: lcm-tui %s has no flag --%s", name, m[1], flag[1])
				}
			}
		}
		for _, tool := range textTool.FindAllString(text, -1) {
			if n++; !slices.Contains(toolNames, tool) {
				t.Errorf("%s: no tool %s", name, tool)
			}
		}
		if strings.Contains(text, "lcm-tui") && n == 0 {
			t.Errorf("%s: nothing was found", name)
		}
	}
	if n < 20 {
		t.Errorf("only %d commands and tools", n)
	}
}
