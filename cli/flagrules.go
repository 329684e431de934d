package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagRule says which flags have no effect beside a flag, and of which it needs one.
// Switches that are turned off count as not given.
type flagRule struct {
	flags    string // The flags that it is about, split by blanks.
	excludes string // What can't be given beside any of them.
	needs    string // What must be given beside each of them: one of these.
	never    bool   // Whatever else is given, it has no effect on the command.
	because  string // Why, or what to do instead.
}

// firstArgument and argument stand in a rule for the first and the second argument of a
// command.
const (
	firstArgument = "ARGUMENT"
	argument      = "SECOND"
)

// The flags of commands that have summaries made.
const (
	modelFlagNames   = "provider model api base-url key-env exec timeout"
	summaryFlagNames = modelFlagNames + " prompt-dir tz fallback fresh"
	timeFlags        = "after before between recency"
	repairFlagNames  = "apply show-diff timestamps " + modelFlagNames // Of doctor.
)

// BackfillCompactionFlags are the flags of backfill that say how to compact, and so ask for it.
func BackfillCompactionFlags() string {
	names := summaryFlagNames + " single-root fresh-tail"
	for _, f := range CompactionFlags {
		names += " " + f.Flag
	}
	return names
}

// RepairFlagTyped reports whether a flag was given by which doctor repairs.
func RepairFlagTyped(typed func(flag string) bool) bool {
	return slices.ContainsFunc(strings.Fields(repairFlagNames), func(flag string) bool { return flag != "apply" && flag != "show-diff" && typed(flag) })
}

// flagRules are, by command, the rules that its flags obey. What holds for a
// preview only, such as --jobs without --generate, is no rule: the same line with
// --apply behind it has the effect.
var flagRules = map[string][]flagRule{
	"conversations": {
		{flags: "active", excludes: "archived", because: "without either both are listed"},
		{flags: "agent active archived filter sort limit cursor " + timeFlags, excludes: "show", because: "it shows one conversation"},
		{flags: "between", excludes: "after before recency", because: "it has both ends"},
		{flags: "recency", excludes: "after", because: "it says from when on"},
	},
	"messages": {
		{flags: timeFlags + " cursor", excludes: "tail", because: "it shows the newest"},
		{flags: "between", excludes: "after before recency", because: "it has both ends"},
		{flags: "recency", excludes: "after", because: "it says from when on"},
	},
	"summaries": {
		{flags: "depth kind limit cursor " + timeFlags, excludes: "show", because: "it shows one summary"},
		{flags: "between", excludes: "after before recency", because: "it has both ends"},
		{flags: "recency", excludes: "after", because: "it says from when on"},
	},
	"compare": {
		{flags: "transcript rollout", excludes: "sessions", because: "it names the file itself"},
	},
	"diff": {
		{flags: "since-backup", excludes: "before-record live reverse", because: "it says what the database is compared with"},
		{flags: "before-record", excludes: "live reverse health", because: "only the rows that records changed are rebuilt"},
		{flags: "live", excludes: "reverse health", because: "it shows what changes from now on"},
		{flags: "json-lines", excludes: "json", because: "it is another form of it"},
		{flags: "json-lines", excludes: "health", because: "faults are no rows"},
	},
	"key": {
		{flags: "to with-messages", needs: "move"},
		{flags: "family force", needs: "rename"},
		{flags: "no-key", needs: "rename archive"},
		{flags: "cause " + selectorFlagNames, needs: "archive"},
	},
	"undo": {
		{flags: "conversation", excludes: firstArgument, because: "an ID is one record"},
	},
	"redo": {
		{flags: "conversation", excludes: firstArgument, because: "an ID is one record"},
	},
	"history": {
		{flags: "limit cursor conversation", excludes: firstArgument, because: "they are for the list of records"},
	},
	"files": {
		{flags: "limit cursor", excludes: argument, because: "they are for the list of files"},
		{flags: "raw", excludes: "json", because: "JSON holds every byte anyway"},
		{flags: "head raw", needs: argument, because: "give a FILE_ID"},
	},
	"describe": {
		{flags: "max-bytes start-line", needs: "expand-file", because: "they are about the content of a file"},
		{flags: "end-line", needs: "start-line", because: "give the first line as well"},
	},
	"expand": {
		{flags: "query", excludes: firstArgument, because: "it finds the summaries itself"},
		{flags: "messages", excludes: "query", because: "what a query finds is expanded without messages"},
	},
	"assemble": {
		{flags: "prompt-aware", needs: "prompt", because: "give it with --prompt TEXT"},
	},
	"doctor": {
		{flags: "list explain", excludes: "fault severity fail-on", because: "the list of faults is the same for every file"},
		{flags: "list", excludes: "explain"},
		{flags: "limit cursor", excludes: repairFlagNames, because: "they are for the list of findings"},
		{flags: "list explain", excludes: "all summary limit cursor " + repairFlagNames, because: "a list of faults says nothing about a file"},
		{flags: "all", excludes: firstArgument, because: "--summary counts in one conversation"},
		{flags: "all summary", excludes: repairFlagNames, because: "counting repairs nothing"},
		{flags: repairFlagNames, excludes: "severity fail-on", because: "those are for a check"},
		{flags: repairFlagNames, needs: firstArgument, because: "lcm-tui repair --all repairs the whole file"},
	},
	"compact": {
		{flags: "all", excludes: "agent", because: "--agent takes every conversation of one"},
		{flags: "each-pass", excludes: "all agent until leaf-only", because: "it is for the sweep of one conversation"},
		{flags: "leaf-only", excludes: "until hard stop-at", because: "those are for sweeps"},
		{flags: "until", excludes: "hard stop-at", because: "its sweeps are plain ones"},
		{flags: "until", excludes: "force", because: "it compacts below the threshold anyway"},
	},
	"secrets": {
		{flags: "irreversible", needs: "apply", because: "nothing else writes"},
		{flags: "keep-backup forget-hashes", needs: "apply plan-out", because: "nothing else writes"},
		{flags: "apply plan-out", excludes: "fail-on limit cursor backups", because: "they are for the list of findings"},
		{flags: "plan-out", excludes: "patterns", because: "the file wouldn't have them"},
	},
	"rewrite": {
		{flags: "all", excludes: "ancestors", because: "all have theirs among them"},
	},
	"repair": {
		{flags: "all", excludes: "summary-id", because: "summaries are named for one conversation"},
		{flags: "no-model", excludes: summaryFlagNames + " generate jobs max-calls max-cost", because: "no model is asked"},
	},
	"backfill": {
		{flags: "recompact", excludes: "compact", because: "it compacts more"},
		{flags: "plan-out", excludes: "compact recompact transplant-to archived " + BackfillCompactionFlags(), because: "a plan file holds the import of one session and nothing more"},
		{flags: "compact", needs: "apply", because: "there is nothing to compact before"},
	},
	"reclaim": {
		{flags: "wal", excludes: "online incremental", because: "emptying the -wal rewrites nothing"},
	},
	"export": {
		{flags: "all", excludes: firstArgument, because: "it exports every conversation"},
		{flags: "pseudonyms", needs: "redact", because: "secrets give away more than keys"},
	},
	"bundle": {
		{flags: "show", excludes: "to json", because: "it prints one file as it is"},
		{flags: "force", needs: "to", because: "nothing else is written"},
	},
	"prompts": {
		{flags: "force", needs: "export", because: "nothing else writes"},
		{flags: "target-tokens depth child-count time-range previous-context source-text custom-instructions", needs: "render", because: "they are the variables of a template"},
		{flags: "prompt-dir", excludes: "export", because: "what is exported are the templates built in"},
	},
	"config": {
		{flags: modelFlagNames, excludes: "path", because: "files are looked at whatever the model"},
	},
	"install": {
		{flags: "conversation", excludes: "session-key session-id agent cwd", because: "each says alone what is shown"},
		{flags: "session-key session-id", excludes: "agent cwd", because: "each says alone what is shown"},
		{flags: "agent all", excludes: "cwd", because: "each says alone what is shown"},
	},
	"slice": {
		{flags: "with-lineage", excludes: "cut-lineage", because: "the other conversations are taken, or the links to them are left out"},
	},
	"plan": {
		{flags: "whole-texts rows", needs: "show", because: "a check says only whether it could be applied"},
	},
	"trash": {
		{flags: "conv", needs: "restore", because: "it chooses conversations of one file"},
		{flags: "older-than", needs: "empty", because: "it says which files are deleted"},
		{flags: "apply dry-run", needs: "restore empty", because: "nothing else writes"},
	},
	"mcp": {
		{flags: "json", never: true, because: "its output is the protocol"},
		{flags: "token-file allow-remote", needs: "http", because: "standard input and output need neither"},
	},
	"completion": {{flags: "json", never: true, because: "a script is no JSON"}},
	"man":        {{flags: "json", never: true, because: "a manual page is no JSON"}},
}

// checkFlagRules holds the flags of a command line against the rules.
func checkFlagRules(cmd *cobra.Command, action string, args []string) error {
	if err := checkSwitches(cmd); err != nil {
		return err
	}
	given := isGiven(cmd, action, args)
	if given("plan-out") && given("apply") {
		return UsageErrorf("--plan-out and --apply exclude each other: the plan goes into the file, and lcm-tui apply writes it")
	}
	for _, r := range flagRules[cmd.Name()] {
		for flag := range strings.FieldsSeq(r.flags) {
			if !given(flag) {
				continue
			}
			if err := r.check(cmd, flag, given); err != nil {
				return err
			}
		}
	}
	return nil
}

// check holds a flag that was given against the rule.
func (r flagRule) check(cmd *cobra.Command, flag string, given func(name string) bool) error {
	if r.never {
		return UsageErrorf("--%s has no effect on %s%s", flag, cmd.Name(), r.end())
	}
	for other := range strings.FieldsSeq(r.excludes) {
		if given(other) {
			return UsageErrorf("--%s and %s exclude each other%s", flag, flagOrArgument(cmd, other), r.end())
		}
	}
	if r.needs != "" && !slices.ContainsFunc(strings.Fields(r.needs), given) {
		return UsageErrorf("--%s needs %s%s", flag, alternatives(cmd, r.needs), r.end())
	}
	return nil
}

// end is why a rule is there.
func (r flagRule) end() string {
	if r.because == "" {
		return ""
	}
	return ": " + r.because
}

// isGiven reports whether a flag or, as an action, an argument was given.
func isGiven(cmd *cobra.Command, action string, args []string) func(name string) bool {
	return func(name string) bool {
		switch name {
		case firstArgument:
			return len(args) > 0
		case argument:
			return len(args) > 1
		}
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() != "false" {
			return true
		}
		return name == action || len(args) > 0 && args[0] == name && strings.Contains(cmd.Use, "[ACTION]")
	}
}

// flagOrArgument is a flag or an action as it is typed.
func flagOrArgument(cmd *cobra.Command, name string) string {
	names := strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(cmd.Use))
	switch name {
	case firstArgument:
		return names[1]
	case argument:
		return names[2]
	}
	if f := cmd.Flags().Lookup(name); f == nil || f.Hidden {
		return name // Of an action.
	}
	return "--" + name
}

func alternatives(cmd *cobra.Command, names string) string {
	var out []string
	for name := range strings.FieldsSeq(names) {
		out = append(out, flagOrArgument(cmd, name))
	}
	return strings.Join(out, " or ")
}

// checkSwitches holds --apply and --dry-run against each other: both, or one turned
// off without the other, say nothing clear about whether to write.
func checkSwitches(cmd *cobra.Command) error {
	apply, dry := cmd.Flags().Lookup("apply"), cmd.Flags().Lookup("dry-run")
	if apply == nil || dry == nil {
		return nil
	}
	is := func(f *pflag.Flag, value string) bool { return f.Changed && f.Value.String() == value }
	switch off := is(apply, "false"); {
	case is(apply, "true") && is(dry, "true"):
		return UsageErrorf("--apply and --dry-run exclude each other%s", ruleOf(cmd))
	case off && is(dry, "false"):
		return UsageErrorf("--apply=false and --dry-run=false exclude each other")
	case is(dry, "false") && !apply.Changed && !writesAtOnce(cmd):
		return UsageErrorf("--dry-run=false writes nothing by itself; --apply does")
	case off && !dry.Changed && writesAtOnce(cmd):
		return UsageErrorf("--apply=false changes nothing; --dry-run shows what would change")
	}
	return nil
}

// writesAtOnce reports whether a command writes without --apply, since what it writes was seen
// before or no row changes.
func writesAtOnce(cmd *cobra.Command) bool {
	return slices.Contains([]string{"undo", "redo", "apply", "reclaim"}, cmd.Name())
}

// ruleOf says what a command does without --apply and --dry-run.
func ruleOf(cmd *cobra.Command) string {
	if writesAtOnce(cmd) {
		return fmt.Sprintf("; without either %s writes at once", cmd.Name())
	}
	return fmt.Sprintf("; without either %s only shows what it would do", cmd.Name())
}
