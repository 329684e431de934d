package agents

import "lcm-tui/cli"

// rules are, by command, the rules that its flags obey.
var rules = map[string][]cli.FlagRule{
	"describe": {
		{Flags: "max-bytes start-line", Needs: "expand-file", Because: "they are about the content of a file"},
		{Flags: "end-line", Needs: "start-line", Because: "give the first line as well"},
	},
	"expand": {
		{Flags: "query", Excludes: cli.FirstArgument, Because: "it finds the summaries itself"},
		{Flags: "messages", Excludes: "query", Because: "what a query finds is expanded without messages"},
	},
	"prompts": {
		{Flags: "force", Needs: "export", Because: "nothing else writes"},
		{Flags: "target-tokens depth child-count time-range previous-context source-text custom-instructions", Needs: "render", Because: "they are the variables of a template"},
		{Flags: "prompt-dir", Excludes: "export", Because: "what is exported are the templates built in"},
	},
	"install": {
		{Flags: "plugin", Excludes: "what scope force hints", Because: "a plugin has everything but rules"},
		{Flags: "conversation", Excludes: "session-key session-id agent cwd", Because: "each says alone what is shown"},
		{Flags: "session-key session-id", Excludes: "agent cwd", Because: "each says alone what is shown"},
		{Flags: "agent all", Excludes: "cwd", Because: "each says alone what is shown"},
	},
	"hook": {
		{Flags: "limit", Needs: replayAction, Because: "nothing else counts prompts"},
		{Flags: "log-file", Excludes: replayAction + " test", Because: "only what a client calls is logged"},
	},
	"archive": {
		{Flags: "days", Needs: keepAction, Because: "nothing else sets it"},
		{Flags: "project since", Needs: recoverAction, Because: "nothing else chooses sessions"},
		{Flags: "apply dry-run", Needs: keepAction + " " + recoverAction, Because: "nothing else writes"},
	},
	"memory": {
		{Flags: "file", Needs: "edit", Because: "nothing else takes a text"},
		{Flags: "apply dry-run", Needs: "edit archive unarchive import", Because: "nothing else writes"},
		{Flags: "limit", Needs: "search", Because: "all others are listed"},
		{Flags: "project tag archived", Excludes: "edit archive unarchive show", Because: "entries are named by their ids"},
		{Flags: "tag archived", Excludes: "import", Because: "all entries are taken over"},
	},
	"promote": {
		{Flags: "all", Excludes: cli.FirstArgument, Because: "all is every conversation"},
	},
	"work": {
		{Flags: "once", Excludes: "run check pause resume status", Because: "each says alone what is done"},
		{Flags: "watch", Excludes: "once run check pause resume status unit", Because: "each says alone what is done"},
		{Flags: cli.SummaryFlagNames + " set", Needs: "once watch run", Excludes: "unit", Because: "nothing else has summaries made"},
		{Flags: "max-calls-per-day max-cost-per-day", Needs: "once watch run unit", Because: "nothing else has summaries made"},
		{Flags: "every between listen", Excludes: "once", Because: "only --watch goes on"},
		{Flags: "log-file", Excludes: "once", Because: "only --watch writes a log"},
		{Flags: "every between listen", Needs: "watch unit", Because: "only --watch goes on"},
		{Flags: "token-file", Needs: "listen", Because: "nothing else asks for it"},
		{Flags: "log-file", Needs: "watch unit", Because: "only --watch writes a log"},
		{Flags: "max-active-messages", Needs: "once watch unit", Because: "nothing else looks for contexts that are too full"},
		{Flags: "integrity", Needs: "once watch check unit", Because: "nothing else checks"},
		{Flags: "integrity-every", Needs: "integrity watch", Because: "nothing else checks again"},
		{Flags: "json", Excludes: "watch", Because: "what it writes are lines of JSON already"},
	},
	"connectors": {
		{Flags: "type apply force", Needs: "install remove", Because: "nothing else writes"},
	},
	"mcp": {
		{Flags: "json", Never: true, Because: "its output is the protocol"},
		{Flags: "token-file allow-remote", Needs: "http", Because: "standard input and output need neither"},
	},
}
