package change

import (
	"slices"
	"strings"

	"lcm-tui/cli"
)

// rules are, by command, the rules that its flags obey.
var rules = map[string][]cli.FlagRule{
	"key": {
		{Flags: "to with-messages", Needs: "move"},
		{Flags: "family force", Needs: "rename"},
		{Flags: "no-key", Needs: "rename archive"},
		{Flags: "cause " + cli.SelectorFlagNames, Needs: "archive"},
	},
	"session": {
		{Flags: "retain-depth", Needs: "new"},
		{Flags: "reason", Needs: "end"},
		{Flags: "next-session", Needs: "reset end"},
	},
	"undo": {
		{Flags: "conversation", Excludes: cli.FirstArgument, Because: "an ID is one record"},
	},
	"redo": {
		{Flags: "conversation", Excludes: cli.FirstArgument, Because: "an ID is one record"},
	},
	"history": {
		{Flags: "limit cursor conversation", Excludes: cli.FirstArgument, Because: "they are for the list of records"},
	},
	"doctor": {
		{Flags: "list explain", Excludes: "fault severity fail-on", Because: "the list of faults is the same for every file"},
		{Flags: "list", Excludes: "explain"},
		{Flags: "limit cursor", Excludes: repairFlagNames, Because: "they are for the list of findings"},
		{Flags: "list explain", Excludes: "all summary limit cursor " + repairFlagNames, Because: "a list of faults says nothing about a file"},
		{Flags: "all", Excludes: cli.FirstArgument, Because: "--summary counts in one conversation"},
		{Flags: "all summary", Excludes: repairFlagNames, Because: "counting repairs nothing"},
		{Flags: repairFlagNames, Excludes: "severity fail-on", Because: "those are for a check"},
		{Flags: "show-diff timestamps " + cli.ModelFlagNames, Needs: cli.FirstArgument, Because: "lcm-tui repair --all repairs the whole file"},
		{Flags: "apply", Needs: cli.FirstArgument + " fix", Because: "lcm-tui repair --all repairs the whole file"},
		{Flags: "trust", Needs: "fix", Because: "it is a repair"},
		{Flags: "client fix", Needs: "installation", Because: "they are about coding agents"},
		{Flags: "installation", Excludes: cli.FirstArgument + " fault severity list explain all summary limit cursor", Because: "they are about a database"},
	},
	"compact": {
		{Flags: "all", Excludes: "agent", Because: "--agent takes every conversation of one"},
		{Flags: "each-pass", Excludes: "all agent until leaf-only", Because: "it is for the sweep of one conversation"},
		{Flags: "leaf-only", Excludes: "until hard stop-at", Because: "those are for sweeps"},
		{Flags: "until", Excludes: "hard stop-at", Because: "its sweeps are plain ones"},
		{Flags: "until", Excludes: "force", Because: "it compacts below the threshold anyway"},
	},
	"rewrite": {
		{Flags: "all", Excludes: "ancestors", Because: "all have theirs among them"},
	},
	"repair": {
		{Flags: "no-model", Excludes: cli.SummaryFlagNames + " generate jobs max-calls max-cost", Because: "no model is asked"},
	},
	"backfill": {
		{Flags: "all", Excludes: cli.FirstArgument + " sessions", Because: "they name what is imported"},
		{Flags: "recompact", Excludes: "compact", Because: "it compacts more"},
		{Flags: "plan-out", Excludes: "compact recompact transplant-to archived " + compactionFlagNames(), Because: "a plan file holds the import of one session and nothing more"},
		{Flags: "compact", Needs: "apply", Because: "there is nothing to compact before"},
	},
	"plan": {
		{Flags: "whole-texts rows", Needs: "show", Because: "a check says only whether it could be applied"},
	},
}

// repairFlagNames are the flags of doctor by which it repairs.
const repairFlagNames = "apply show-diff timestamps " + cli.ModelFlagNames

// compactionFlagNames returns the flags of backfill that say how to compact, and so ask for it.
func compactionFlagNames() string {
	names := cli.SummaryFlagNames + " single-root fresh-tail"
	for _, f := range compactionFlags {
		names += " " + f.flag
	}
	return names
}

// isRepairFlagGiven reports whether a flag was given by which doctor repairs.
func isRepairFlagGiven(typed func(flag string) bool) bool {
	return slices.ContainsFunc(strings.Fields(repairFlagNames), func(flag string) bool { return flag != "apply" && flag != "show-diff" && typed(flag) })
}

// compactionFlags are the reference program's names of settings.
var compactionFlags = []struct{ flag, setting, noun string }{
	{"leaf-chunk-tokens", "leafChunkTokens", "TOKENS"},
	{"leaf-target-tokens", "leafTargetTokens", "TOKENS"},
	{"condensed-target-tokens", "condensedTargetTokens", "TOKENS"},
	{"leaf-fanout", "leafMinFanout", "N"},
	{"condensed-fanout", "condensedMinFanout", "N"},
	{"hard-fanout", "condensedMinFanoutHard", "N"},
}
