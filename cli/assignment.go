package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/settings"
)

// Assignments is a flag that takes settings, as NAME=VALUE, and may be given again. A
// value that doesn't do is an error here, not one to pass over: it was just typed.
type Assignments struct{ Values map[string]string }

// Repeats implements repeatable.
func (*Assignments) Repeats() {}

// String implements pflag.Value.
func (a *Assignments) String() string {
	var out []string
	for name, v := range a.Values {
		out = append(out, name+"="+v)
	}
	slices.Sort(out)
	return strings.Join(out, ",")
}

// Type implements pflag.Value; help shows it.
func (*Assignments) Type() string { return "NAME=VALUE" }

// Set implements pflag.Value.
func (a *Assignments) Set(s string) error {
	name, value, ok := strings.Cut(s, "=")
	if !ok || strings.TrimSpace(value) == "" {
		return fmt.Errorf("expected NAME=VALUE, not %q", s)
	}
	return a.add(name, value)
}

// add sets a setting that isn't set yet.
func (a *Assignments) add(name, value string) error {
	if was, ok := a.Values[name]; ok {
		return fmt.Errorf("the setting %s is given twice, as %q and %q", name, was, value)
	}
	if err := checkSetting(name, value); err != nil {
		return err
	}
	if a.Values == nil {
		a.Values = map[string]string{}
	}
	a.Values[name] = value
	return nil
}

// SettingFlag is a flag that is another name of a setting.
type SettingFlag struct {
	To            *Assignments
	Setting, Noun string
	value         string
}

// String implements pflag.Value.
func (f *SettingFlag) String() string { return f.value }

// Type implements pflag.Value; help shows it.
func (f *SettingFlag) Type() string { return f.Noun }

// Set implements pflag.Value.
func (f *SettingFlag) Set(s string) error {
	if s == "" {
		return fmt.Errorf("expected a value of the setting %s, not %q", f.Setting, s)
	}
	f.value = s
	return f.To.add(f.Setting, s)
}

// checkSetting refuses a setting that there isn't, and a value that it can't have.
func checkSetting(name, value string) error {
	none := func(string) string { return "" }
	known := settings.Load(none, openclaw.Config{}, map[string]string{name: value})
	var names []string
	for _, s := range known.All {
		names = append(names, s.Name)
	}
	if !slices.Contains(names, name) {
		return fmt.Errorf("there is no setting %q%s; lcm-tui config lists them", name, DidYouMean(name, "", names))
	}
	if len(known.Problems) > 0 {
		return fmt.Errorf("%s: %w", name, errors.Unwrap(known.Problems[0]))
	}
	return nil
}

// Settings by what they have an effect on.
var (
	tailSettings  = []string{"freshTailCount", "freshTailMaxTokens"}
	sweepSettings = []string{
		"contextThreshold", "leafChunkTokens", "leafMinFanout", "condensedMinFanout", "condensedMinFanoutHard", "sweepMaxDepth",
		"incrementalMaxDepth", "summaryPrefixTargetTokens", "maxSweepIterations", "sweepDeadlineMs", "compactUntilUnderDeadlineMs",
	}
	textSettings = []string{
		"leafTargetTokens", "condensedTargetTokens", "summaryMaxOverageFactor", "fallbackMaxTokens", "customInstructions",
		"stripInjectedContextTags", "timezone", "fallbackProviders", "summaryTimeoutMs", "enableSummaryThinking",
	}
)

// settingsOfCommand are, by command, the settings that have an effect on it.
var settingsOfCommand = map[string][]string{
	"compact":  slices.Concat(tailSettings, sweepSettings, textSettings),
	"work":     slices.Concat(tailSettings, sweepSettings, textSettings),
	"backfill": slices.Concat(tailSettings, sweepSettings, textSettings, []string{"largeFileThresholdTokens"}),
	"rewrite":  textSettings,
	"repair":   slices.Concat(textSettings, []string{"largeFileThresholdTokens", "maxAssemblyTokenBudget", "sweepDeadlineMs", "compactUntilUnderDeadlineMs"}),
	"context":  slices.Concat(tailSettings, []string{"maxAssemblyTokenBudget"}),
	"assemble": slices.Concat(tailSettings, []string{"maxAssemblyTokenBudget", "stubLargeToolPayloads", "promptAwareEviction", "timezone"}),
}

// Check refuses settings without an effect on a command.
func (a *Assignments) Check(command string) error {
	for name := range a.Values {
		if !slices.Contains(settingsOfCommand[command], name) {
			return UsageErrorf("--set: %s has no effect on %s, but %s have", name, command, strings.Join(settingsOfCommand[command], ", "))
		}
	}
	return nil
}

// ExcludeFlag refuses a flag that says what a setting says already.
func (a *Assignments) ExcludeFlag(flag string, given bool, setting string) error {
	if v, ok := a.Values[setting]; ok && given {
		return UsageErrorf("--%s and --set %s=%s exclude each other", flag, setting, v)
	}
	return nil
}
