package cli_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testlength"
)

// everyFlag calls do for each flag of each command, with its value as it was bound.
func everyFlag(t *testing.T, do func(cmd *cobra.Command, f *pflag.Flag, value pflag.Value)) {
	t.Helper()
	root := cli.New(cli.System{Env: func(string) string { return "" }}, commands.Rooms...).Root()
	for _, cmd := range append(root.Commands(), root) {
		if cmd.Name() == "help" {
			continue
		}
		cmd.InheritedFlags() // It adds them to the command's own.
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			value := f.Value
			if o, ok := value.(*cli.SingleValue); ok {
				value = o.Value
			}
			do(cmd, f, value)
		})
	}
}

// sampleArguments returns values of a flag by its type: one that it takes, and some that it
// must refuse.
func sampleArguments(t *testing.T, f *pflag.Flag, value pflag.Value) (good string, bad []string) {
	t.Helper()
	switch v := value.(type) {
	case *cli.IntegerFlag:
		below := strconv.FormatInt(v.Smallest()-1, 10)
		return "7", []string{"", "many", "NaN", below, "1.5", "1e3", "0x10", "99999999999999999999"}
	case *cli.ChoiceFlag:
		return v.Words[0], []string{"", "nosuch", strings.ToUpper(v.Words[0]) + "?"}
	case *cli.TextFlag:
		return "a-text", []string{"", "  "}
	case *cli.ZoneFlag:
		return "UTC", []string{"", "Mars/Phobos", "Local"}
	case *cli.WaitFlag:
		return "2", []string{"-1", "soon", "25h"}
	case *cli.DurationFlag:
		beyond := cmp.Or(v.Most, 24*time.Hour) + time.Second
		return "20s", []string{"", "soon", "0", "-1", "-5s", "NaN", "Inf", "100h", beyond.String(), strconv.FormatFloat(beyond.Seconds(), 'f', -1, 64)}
	case *cli.DollarFlag:
		return "0.5", []string{"", "much", "0", "-1", "NaN", "Inf", "-Inf"}
	case *cli.RepeatedWords:
		return "M01:1=drop", []string{"", " "}
	case *cli.ChoiceListFlag:
		return v.Words[0], []string{"", "nosuch", v.Words[0] + ",nosuch"}
	case *cli.TimePoint:
		return "2026-01-05T14:30:00Z", []string{"", "yesterday", "2026-13-01", "-5"}
	case *cli.TimeRange:
		return "2026-01-05..2026-01-07", []string{"", "2026-01-05", "2026-01-07..2026-01-05", "a..b"}
	case *cli.Duration:
		return "7d", []string{"", "long", "0d", "-1h", "NaN"}
	case *cli.SettingFlag:
		return "7", []string{"", "many", "0", "-1", "1.5"}
	case *cli.Assignments:
		return "freshTailCount=7", []string{"", "x", "nosuch=1", "freshTailCount=-3", "freshTailCount=", "timezone=Mars/Phobos"}
	}
	switch fmt.Sprintf("%T", value) { // Types of one room.
	case "*change.faultList":
		return "C06", []string{"", "Z99", "C06,Z99"}
	case "*change.retainFlag":
		return "7", []string{"", "many", "-2", "1.5", "99999999999999999999"}
	case "*clean.namesFlag":
		return "one,two", []string{"", "one,", " "}
	case "*agents.windowFlag":
		return "01:00-06:00", []string{"", "01:00", "1:00-6:00", "01:00-01:00", "01:00-24:30"}
	case "*fleet.fleetFlag":
		return "box", []string{"", ","}
	case "*read.boundFlag":
		return "120", []string{"", "yesterday", "2026-13-01", "1.5"}
	}
	if value.Type() == "bool" {
		return "true", []string{"maybe", ""}
	}
	t.Errorf("--%s: a test value of the type %T is missing", f.Name, value)
	return "", nil
}

// mainOn runs the program on a database.
func mainOn(t *testing.T, db string, args ...string) (exit int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	env := map[string]string{"LCM_DATABASE_PATH": db, "HOME": filepath.Dir(db)}
	exit = cli.Main(t.Context(), args, cli.System{In: strings.NewReader(""), Out: &o, Err: &e, Env: func(name string) string { return env[name] }}, commands.Rooms...)
	return exit, o.String(), e.String()
}

// begin returns a command line that is complete but for flags.
func begin(cmd *cobra.Command) []string {
	if !cmd.HasParent() {
		return nil
	}
	args := []string{cmd.Name()}
	for _, name := range strings.Fields(cmd.Use)[1:] {
		if !strings.HasPrefix(name, "[") {
			args = append(args, "1")
		}
	}
	return args
}

// names reports whether a message names a value, or the part of it that was wrong.
func names(message, value string) bool {
	parts := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("=, ", r) })
	return len(parts) == 0 || strings.Contains(message, strconv.Quote(value)) || slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(message, strconv.Quote(part)) })
}

// TestNonsenseIsRefused: a value that a flag can't have is refused by name, whatever
// the command, and nothing is done.
func TestNonsenseIsRefused(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	everyFlag(t, func(cmd *cobra.Command, f *pflag.Flag, value pflag.Value) {
		_, bad := sampleArguments(t, f, value)
		for _, v := range bad {
			exit, out, errs := mainOn(t, "none.db", append(begin(cmd), "--"+f.Name+"="+v)...)
			if exit != cli.ExitUsage || out != "" || !strings.Contains(errs, "--"+f.Name) || !names(errs, v) {
				t.Errorf("%s --%s=%q: exit %d, %s%s", cmd.Name(), f.Name, v, exit, out, errs)
			}
		}
	})
}

// TestRepeatedFlagsAreRefused: the second value of a flag that keeps one isn't taken
// in the place of the first.
func TestRepeatedFlagsAreRefused(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	everyFlag(t, func(cmd *cobra.Command, f *pflag.Flag, value pflag.Value) {
		good, _ := sampleArguments(t, f, value)
		if _, several := value.(cli.Repeatable); several || value.Type() == "bool" || f.Name == "help" {
			return
		}
		flag := "--" + f.Name + "=" + good
		exit, out, errs := mainOn(t, "none.db", append(begin(cmd), flag, flag)...)
		if exit != cli.ExitUsage || out != "" || !strings.Contains(errs, "--"+f.Name+": given twice") {
			t.Errorf("%s %s %s: exit %d, %s%s", cmd.Name(), flag, flag, exit, out, errs)
		}
	})
}

// TestCombinations: flags that have no effect together are refused, naming both; and
// every rule is about flags that there are.
func TestCombinations(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	db := filepath.Join(t.TempDir(), "lcm.db")
	if err := samples.Write(db, fakehost.V0_15); err != nil {
		t.Fatal(err)
	}
	flags := map[string]map[string]string{} // Good values by command and flag.
	lines := map[string][]string{}
	everyFlag(t, func(cmd *cobra.Command, f *pflag.Flag, value pflag.Value) {
		if flags[cmd.Name()] == nil {
			flags[cmd.Name()], lines[cmd.Name()] = map[string]string{}, begin(cmd)
		}
		good, _ := sampleArguments(t, f, value)
		flags[cmd.Name()][f.Name] = "--" + f.Name + "=" + good
	})
	all := maps.Clone(cli.OwnRules)
	for _, room := range commands.Rooms {
		maps.Copy(all, room.Rules)
	}
	for name, rules := range all {
		for _, r := range rules {
			for flag := range strings.FieldsSeq(r.Flags) {
				known := flags[name]
				if known[flag] == "" {
					t.Fatalf("%s has no flag --%s", name, flag)
				}
				line := func(with ...string) []string { return append(slices.Clone(lines[name]), append(with, known[flag])...) }
				wanted := func(what string, args []string) {
					exit, out, errs := mainOn(t, db, args...)
					if exit != cli.ExitUsage || out != "" || !strings.Contains(errs, "--"+flag) || !strings.Contains(errs, what) {
						t.Errorf("%v: exit %d, %s%s", args, exit, out, errs)
					}
				}
				for other := range strings.FieldsSeq(r.Excludes) {
					with := known[other]
					if with == "" {
						with = other // An action.
					}
					if expect, ok := cli.CommandActions[name][other]; ok {
						args := append([]string{name, other}, strings.Fields(expect)...)
						wanted(other, append(args, known[flag]))
						continue
					}
					switch other {
					case cli.FirstArgument:
						other, with = "", "1"
					case cli.SecondArgument:
						other, with = "", "1"
					}
					wanted(other, line(with))
				}
				if r.Needs != "" {
					wanted("needs", line())
				}
				if r.Never {
					wanted("no effect", line())
				}
			}
		}
	}
}
