package read

import "lcm-tui/cli"

// rules are, by command, the rules that its flags obey.
var rules = map[string][]cli.FlagRule{
	"conversations": {
		{Flags: "active", Excludes: "archived", Because: "without either both are listed"},
		{Flags: "agent active archived filter sort limit cursor " + cli.TimeFlagNames, Excludes: "show", Because: "it shows one conversation"},
		{Flags: "between", Excludes: "after before recency", Because: "it has both ends"},
		{Flags: "recency", Excludes: "after", Because: "it says from when on"},
	},
	"messages": {
		{Flags: cli.TimeFlagNames + " cursor", Excludes: "tail", Because: "it shows the newest"},
		{Flags: "between", Excludes: "after before recency", Because: "it has both ends"},
		{Flags: "recency", Excludes: "after", Because: "it says from when on"},
	},
	"summaries": {
		{Flags: "depth kind limit cursor " + cli.TimeFlagNames, Excludes: "show", Because: "it shows one summary"},
		{Flags: "between", Excludes: "after before recency", Because: "it has both ends"},
		{Flags: "recency", Excludes: "after", Because: "it says from when on"},
	},
	"compare": {
		{Flags: "transcript rollout", Excludes: "sessions", Because: "it names the file itself"},
	},
	"diff": {
		{Flags: "since-backup", Excludes: "before-record live reverse", Because: "it says what the database is compared with"},
		{Flags: "before-record", Excludes: "live reverse health", Because: "only the rows that records changed are rebuilt"},
		{Flags: "live", Excludes: "reverse health", Because: "it shows what changes from now on"},
		{Flags: "json-lines", Excludes: "json", Because: "it is another form of it"},
		{Flags: "json-lines", Excludes: "health", Because: "faults are no rows"},
	},
	"files": {
		{Flags: "fallback", Never: true, Because: "a file that no model describes keeps its description"},
		{Flags: "describe", Excludes: "head raw limit cursor", Because: "it shows no contents"},
		{Flags: "limit cursor", Excludes: cli.SecondArgument, Because: "they are for the list of files"},
		{Flags: "raw", Excludes: "json", Because: "JSON holds every byte anyway"},
		{Flags: "head raw", Needs: cli.SecondArgument, Because: "give a FILE_ID"},
		{Flags: describeFlagNames, Needs: "describe", Because: "give it with --describe"},
	},
	"assemble": {
		{Flags: "prompt-aware", Needs: "prompt", Because: "give it with --prompt TEXT"},
	},
	"export": {
		{Flags: "all", Excludes: cli.FirstArgument, Because: "it exports every conversation"},
		{Flags: "pseudonyms", Needs: "redact", Because: "secrets give away more than keys"},
	},
}
