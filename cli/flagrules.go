package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// FlagRule says which flags have no effect beside a flag, and of which it needs one.
// Switches that are turned off count as not given. What holds for a preview only, such as --jobs
// without --generate, is no rule: the same line with --apply behind it has the effect.
type FlagRule struct {
	Flags    string // The flags that it is about, split by blanks.
	Excludes string // What can't be given beside any of them.
	Needs    string // What must be given beside each of them: one of these.
	Never    bool   // Whatever else is given, it has no effect on the command.
	Because  string // Why, or what to do instead.
}

// FirstArgument and SecondArgument stand in a rule for the arguments of a command.
const (
	FirstArgument  = "ARGUMENT"
	SecondArgument = "SECOND"
)

// The flags that several commands have: those that choose a model, those that have summaries made, and
// those that say a stretch of time.
const (
	ModelFlagNames   = "provider model api base-url key-env exec timeout"
	SummaryFlagNames = ModelFlagNames + " prompt-dir tz fallback fresh send-secrets"
	TimeFlagNames    = "after before between recency"
)

// ownRules are the rules of commands that no room has.
var ownRules = map[string][]FlagRule{
	"completion": {{Flags: "json", Never: true, Because: "a script is no JSON"}},
	"man":        {{Flags: "json", Never: true, Because: "a manual page is no JSON"}},
}

// flagRules returns the rules that the flags of a command obey.
func (a *App) flagRules(command string) []FlagRule {
	for _, r := range a.rooms {
		if rules, ok := r.Rules[command]; ok {
			return rules
		}
	}
	return ownRules[command]
}

// checkFlagRules holds the flags of a command line against the rules.
func checkFlagRules(rules []FlagRule, cmd *cobra.Command, action string, args []string) error {
	if err := checkSwitches(cmd); err != nil {
		return err
	}
	given := isGiven(cmd, action, args)
	if given("plan-out") && given("apply") {
		return UsageErrorf("--plan-out and --apply exclude each other: the plan goes into the file, and lcm-tui apply writes it")
	}
	for _, r := range rules {
		for flag := range strings.FieldsSeq(r.Flags) {
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
func (r FlagRule) check(cmd *cobra.Command, flag string, given func(name string) bool) error {
	if r.Never {
		return UsageErrorf("--%s has no effect on %s%s", flag, cmd.Name(), r.end())
	}
	for other := range strings.FieldsSeq(r.Excludes) {
		if given(other) {
			return UsageErrorf("--%s and %s exclude each other%s", flag, flagOrArgument(cmd, other), r.end())
		}
	}
	if r.Needs != "" && !slices.ContainsFunc(strings.Fields(r.Needs), given) {
		return UsageErrorf("--%s needs %s%s", flag, alternatives(cmd, r.Needs), r.end())
	}
	return nil
}

// end returns why a rule is there.
func (r FlagRule) end() string {
	if r.Because == "" {
		return ""
	}
	return ": " + r.Because
}

// isGiven reports whether a flag or, as an action, an argument was given.
func isGiven(cmd *cobra.Command, action string, args []string) func(name string) bool {
	return func(name string) bool {
		switch name {
		case FirstArgument:
			return len(args) > 0
		case SecondArgument:
			return len(args) > 1
		}
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() != "false" {
			return true
		}
		return name == action || len(args) > 0 && args[0] == name && strings.Contains(cmd.Use, "[ACTION]")
	}
}

// flagOrArgument returns a flag or an action as it is typed.
func flagOrArgument(cmd *cobra.Command, name string) string {
	names := strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(cmd.Use))
	switch name {
	case FirstArgument:
		return names[1]
	case SecondArgument:
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
