package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// commandActions are, by command, the words that may stand before its arguments, with the
// arguments that they take: other programs of the host name their commands so.
var commandActions = map[string]map[string]string{
	"conversations": {"list": "", "show": "CONV"},
	"messages":      {"list": "CONV", "tail": "CONV"},
	"summaries":     {"list": "CONV", "show": "SUMMARY"},
	"trash":         {"list": "", "show": "TRASH", "restore": "TRASH", "empty": ""},
	"secrets":       {"test": "[FILE]", "rules": "", "ignore": "FINDING...", "unignore": "FINDING..."},
	"plan":          {"show": "PLAN", "check": "PLAN"},
	"config":        {"show": "", "path": "", "get": "SETTING"},
	"key":           {"rename": "CONV [KEY]", "move": "CONV", "archive": "[CONV...]", "unarchive": "CONV", "detach": "CONV"},
}

// actionOf takes an action off the arguments of a command line, and says which arguments
// are left to expect.
func actionOf(cmd *cobra.Command, args []string) (action string, rest, expect []string) {
	expect = strings.Fields(cmd.Use)[1:]
	if len(args) == 0 {
		return "", args, expect
	}
	names, ok := commandActions[cmd.Name()][args[0]]
	if !ok {
		return "", args, expect
	}
	return args[0], args[1:], strings.Fields(names)
}
