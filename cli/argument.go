package cli

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// ArgumentKinds says what each kind of argument is.
var ArgumentKinds = map[string]string{
	"AGENT":       "the name of a coding agent; see lcm-tui connectors",
	"BACKUP":      "a backup; see lcm-tui backup",
	"CLIENT":      "claude-code, codex, gemini, cursor, vscode or openclaw",
	"CONV":        "a conversation id, a session key or the beginning of one; see lcm-tui conversations",
	"CONV...":     "conversations: ids, session keys or beginnings of keys; see lcm-tui conversations",
	"DAMAGED":     "the damaged file",
	"DATABASE...": "databases, such as those of lossless-claude",
	"DST":         "the conversation to copy into, an id, a session key or the beginning of one; see lcm-tui conversations",
	"ENTRY":       "the id of an entry or the beginning of one; see lcm-tui memory",
	"ENTRY...":    "ids of entries or beginnings of ids; see lcm-tui memory",
	"FILE_ID":     "a file id; see lcm-tui files CONV",
	"FILE":        "a file, or - for standard input",
	"HOOK":        "claude-code, codex, gemini, log, or test CLIENT",
	"KEY":         "the new session key",
	"ID":          "a record id, a whole number from 1; see lcm-tui history",
	"OTHER.db":    "the database to compare with",
	"NEW":         "the new file, which must not exist",
	"RECEIPT":     "a receipt, which prune text --receipt makes",
	"SETTING":     "the name of a setting; see lcm-tui config",
	"SUMMARY":     "the id of a summary or the beginning of one; see lcm-tui summaries CONV",
	"SHELL":       "bash, zsh, fish or powershell",
	"SRC":         "the conversation to copy from, an id, a session key or the beginning of one; see lcm-tui conversations",
	"TEXT":        "the text, or - for standard input",
	"TRASH":       "a file of the trash, by its number or name; see lcm-tui trash",
	"TRASH...":    "files of the trash, by their numbers or names; see lcm-tui trash",
	"PATTERN":     "a regular expression",
	"PLAN":        "a plan file, which --plan-out makes",
	"PROMPT":      "the question",
	"PATH...":     "session files, or folders with session files in them, or AGENT SESSION",
	"SESSION...":  "session files of Claude Code, Codex or Gemini CLI, or folders with session files in them",
	"MANAGER":     "systemd or launchd",
	"VERB":        "what to prune: copies, payloads, text, conversations, files, batches or history",

	"SUMMARY_OR_FILE":    "the id of a summary, or the beginning of one, or the id of a large file; see lcm-tui summaries CONV and lcm-tui files CONV",
	"FINDING...":         "findings, such as github-token#3; see lcm-tui secrets",
	"QUERY...":           "what to search for, such as deploy role:user; see lcm-tui search --help",
	"SUMMARY...":         "ids of summaries or beginnings of ids; see lcm-tui summaries CONV",
	"MESSAGE_OR_SUMMARY": "a message, such as msg:4711, or the id of a summary or the beginning of one, such as sum_1a2b",
}

// checkArguments holds args against the arguments that a command expects: in brackets
// those that may be left out, with dots one that may be given again.
func checkArguments(cmd *cobra.Command, names, args []string) error {
	if len(args) > 0 && foreignActions[cmd.Name()+" "+args[0]] != "" {
		return UsageErrorf("%s", foreignActions[cmd.Name()+" "+args[0]])
	}
	for i, arg := range args {
		if strings.TrimSpace(arg) == "" && i < len(names) {
			return UsageErrorf("%s: expected %s, not %q", cmd.Name(), ArgumentKinds[strings.Trim(names[i], "[]")], arg)
		}
	}
	for i, n := range names {
		if i >= len(args) && !strings.HasPrefix(n, "[") {
			return UsageErrorf("%s: expected %s", cmd.Name(), KindOfArgument(cmd.Name(), n))
		}
	}
	if len(args) <= len(names) || len(names) > 0 && strings.HasSuffix(strings.Trim(names[len(names)-1], "[]"), "...") {
		return nil
	}
	if words := slices.Sorted(maps.Keys(CommandActions[cmd.Name()])); len(names) == 0 && len(words) > 0 {
		return UsageErrorf("%s takes %s, so %q is one too many%s", cmd.Name(), strings.Join(words, ", "), args[0], DidYouMean(args[0], "", words))
	}
	if len(names) == 0 {
		return UsageErrorf("%s takes no arguments, so %q is one too many", cmd.Name(), args[0])
	}
	return UsageErrorf("%s takes %s, so %q is one too many", cmd.Name(), strings.Join(names, " "), args[len(names)])
}

// KindOfArgument says what an argument of a command is. An action is one of those that the
// command has.
func KindOfArgument(command, name string) string {
	if name != "ACTION" {
		return ArgumentKinds[name]
	}
	words := slices.Sorted(maps.Keys(CommandActions[command]))
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// ParseID returns the whole number from 1 that an argument of a kind must be.
func ParseID(kind, arg string) (int64, error) {
	id, err := strconv.ParseInt(arg, 10, 64)
	if err != nil || id < 1 || strings.HasPrefix(arg, "+") {
		return 0, UsageErrorf("expected %s (not %q)", ArgumentKinds[kind], arg)
	}
	return id, nil
}

// CommandActions are, by command, the words that may stand before its arguments, with the
// arguments that they take: other programs of the host name their commands so.
var CommandActions = map[string]map[string]string{
	"conversations": {"list": "", "show": "CONV"},
	"messages":      {"list": "CONV", "tail": "CONV"},
	"summaries":     {"list": "CONV", "show": "SUMMARY"},
	"trash":         {"list": "", "show": "TRASH", "restore": "TRASH", "empty": "[TRASH...]"},
	"prune":         {"verify": "RECEIPT", "prove": "ID"},
	"secrets":       {"test": "[FILE]", "rules": "", "ignore": "FINDING...", "unignore": "FINDING..."},
	"plan":          {"show": "PLAN", "check": "PLAN"},
	"config":        {"show": "", "path": "", "get": "SETTING", "keys": ""},
	"memory":        {"list": "", "search": "QUERY...", "show": "ENTRY", "edit": "ENTRY", "archive": "ENTRY...", "unarchive": "ENTRY...", "import": "[DATABASE...]"},
	"sensitive":     {"list": "", "add": "PATTERN", "remove": "PATTERN", "test": "TEXT"},
	"archive":       {"status": "", "keep": "", "recover": ""},
	"work":          {"status": "", "run": "CONV", "check": "[CONV]", "pause": "[CONV]", "resume": "[CONV]", "unit": "MANAGER"},
	"sync":          {"unit": "MANAGER"},
	"connectors":    {"list": "", "install": "AGENT", "remove": "AGENT", "doctor": "[AGENT]"},
	"fleet":         {"add": "NAME PLACE", "list": "", "pull": "[NAME...]", "status": "[NAME...]", "remove": "NAME", "apply": "NAME PLAN", "init": "", "sources": "", "forget": "NAME", "restore": "NAME FILE", "order": "NAME PLAN"},
	"hook":          {"test": "CLIENT", "replay": ""},
	"session":       {"new": "CONV", "reset": "CONV", "end": "CONV", "reap": "[CONV...]", "heartbeats": "[CONV...]"},
	"key":           {"rename": "CONV [KEY]", "move": "CONV", "archive": "[CONV...]", "unarchive": "CONV", "detach": "CONV"},
}

// actionOf takes an action off the arguments of a command line, and says which arguments
// are left to expect.
func actionOf(cmd *cobra.Command, args []string) (action string, rest, expect []string) {
	expect, args = strings.Fields(cmd.Use)[1:], withFormerFlags(cmd, args)
	if len(args) == 0 {
		return "", args, expect
	}
	names, ok := CommandActions[cmd.Name()][args[0]]
	if !ok {
		return "", args, expect
	}
	return args[0], args[1:], strings.Fields(names)
}
