package clean

import "lcm-tui/cli"

// rules are, by command, the rules that its flags obey.
var rules = map[string][]cli.FlagRule{
	"sensitive": {
		{Flags: "global", Needs: "add remove", Because: "both files are read"},
	},
	"prune": {
		{Flags: "matching", Excludes: "target", Because: "all that is found goes, or nothing"},
		{Flags: "regexp match-case whole-words", Needs: "matching", Because: "they say how the query is read"},
		{Flags: "receipt", Excludes: "plan-out", Because: "a plan file names no other file; lcm-tui prune prove ID makes the receipt once the plan is applied"},
		{Flags: "receipt", Needs: "matching verify prove", Because: "a receipt is of what a query finds"},
		{Flags: "apply plan-out", Excludes: "verify prove", Because: "they change nothing"},
	},
	"secrets": {
		{Flags: "irreversible", Needs: "apply", Because: "nothing else writes"},
		{Flags: "keep-backup forget-hashes", Needs: "apply plan-out", Because: "nothing else writes"},
		{Flags: "apply plan-out", Excludes: "fail-on limit cursor backups", Because: "they are for the list of findings"},
		{Flags: "plan-out", Excludes: "patterns", Because: "the file wouldn't have them"},
	},
	"backup": {
		{Flags: "since", Needs: "to", Because: "it is for a copy on another machine"},
	},
	"reclaim": {
		{Flags: "wal", Excludes: "online incremental", Because: "emptying the -wal rewrites nothing"},
	},
	"bundle": {
		{Flags: "show", Excludes: "to json", Because: "it prints one file as it is"},
		{Flags: "force", Needs: "to", Because: "nothing else is written"},
	},
	"slice": {
		{Flags: "with-lineage", Excludes: "cut-lineage", Because: "the other conversations are taken, or the links to them are left out"},
	},
	"trash": {
		{Flags: "conv", Needs: "restore", Because: "it chooses conversations of one file"},
		{Flags: "older-than", Needs: "empty", Because: "it says which files are deleted"},
		{Flags: "apply dry-run", Needs: "restore empty", Because: "nothing else writes"},
	},
}
