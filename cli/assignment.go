package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/settings"
)

// assignments is a flag that takes settings, as NAME=VALUE, and may be given again. A
// value that doesn't do is an error here, not one to pass over: it was just typed.
type assignments struct{ values map[string]string }

func (*assignments) Repeats() {}

// String implements pflag.Value.
func (a *assignments) String() string {
	var out []string
	for name, v := range a.values {
		out = append(out, name+"="+v)
	}
	slices.Sort(out)
	return strings.Join(out, ",")
}

// Type implements pflag.Value; help shows it.
func (*assignments) Type() string { return "NAME=VALUE" }

// Set implements pflag.Value.
func (a *assignments) Set(s string) error {
	name, value, ok := strings.Cut(s, "=")
	if !ok || strings.TrimSpace(value) == "" {
		return fmt.Errorf("expected NAME=VALUE, not %q", s)
	}
	return a.add(name, value)
}

// add sets a setting that isn't set yet.
func (a *assignments) add(name, value string) error {
	if was, ok := a.values[name]; ok {
		return fmt.Errorf("the setting %s is given twice, as %q and %q", name, was, value)
	}
	if err := checkSetting(name, value); err != nil {
		return err
	}
	if a.values == nil {
		a.values = map[string]string{}
	}
	a.values[name] = value
	return nil
}

// settingFlag is a flag that is another name of a setting.
type settingFlag struct {
	to            *assignments
	setting, noun string
	value         string
}

// String implements pflag.Value.
func (f *settingFlag) String() string { return f.value }

// Type implements pflag.Value; help shows it.
func (f *settingFlag) Type() string { return f.noun }

// Set implements pflag.Value.
func (f *settingFlag) Set(s string) error {
	if s == "" {
		return fmt.Errorf("expected a value of the setting %s, not %q", f.setting, s)
	}
	f.value = s
	return f.to.add(f.setting, s)
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
		return fmt.Errorf("there is no setting %q%s; lcm-tui config lists them", name, didYouMean(name, "", names))
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
	"backfill": slices.Concat(tailSettings, sweepSettings, textSettings, []string{"largeFileThresholdTokens"}),
	"rewrite":  textSettings,
	"repair":   slices.Concat(textSettings, []string{"largeFileThresholdTokens", "maxAssemblyTokenBudget", "sweepDeadlineMs", "compactUntilUnderDeadlineMs"}),
	"context":  slices.Concat(tailSettings, []string{"maxAssemblyTokenBudget"}),
	"assemble": slices.Concat(tailSettings, []string{"maxAssemblyTokenBudget", "stubLargeToolPayloads", "promptAwareEviction", "timezone"}),
}

// check refuses settings without an effect on a command.
func (a *assignments) check(command string) error {
	for name := range a.values {
		if !slices.Contains(settingsOfCommand[command], name) {
			return usageErrorf("--set: %s has no effect on %s, but %s have", name, command, strings.Join(settingsOfCommand[command], ", "))
		}
	}
	return nil
}

// excludeFlag refuses a flag that says what a setting says already.
func (a *assignments) excludeFlag(flag string, given bool, setting string) error {
	if v, ok := a.values[setting]; ok && given {
		return usageErrorf("--%s and --set %s=%s exclude each other", flag, setting, v)
	}
	return nil
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
