package commands_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
	"lcm-tui/ui"
	"lcm-tui/views/screens"
	"lcm-tui/views/viewtest"
)

func init() { viewtest.Screens = screens.All() }

// notOnTheScreens are commands that make no sense there: the screens themselves, and what this program is.
var notOnTheScreens = []string{"help", "tui", "ui", "version"}

// TestThePaletteFindsEveryCommand: whoever knows the word of a command finds its place on the screens, or its command line.
func TestThePaletteFindsEveryCommand(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	sys := cli.System{In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(string) string { return "" }}
	if exit := cli.Main(t.Context(), []string{"__complete", ""}, sys, commands.Rooms...); exit != 0 {
		t.Fatalf("exit %d: %s", exit, errs.String())
	}
	d := viewtest.DriveDemo(t)
	var found []string
	for _, c := range append(d.Env.Screens.Commands(d.Env), d.App.Top().(ui.Commander).Commands()...) {
		found = append(found, strings.Fields(c.Word)...)
		if word, _, ok := strings.Cut(c.Name, ":"); ok {
			found = append(found, word)
		}
	}
	for _, a := range d.App.Actions() {
		found = append(found, strings.Fields(strings.ReplaceAll(a.Key.Help().Desc, ":", " "))...)
	}
	names := 0
	for line := range strings.Lines(out.String()) {
		name, _, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || strings.HasPrefix(name, ":") || slices.Contains(notOnTheScreens, name) {
			continue
		}
		if names++; slices.Contains(found, name) {
			continue
		}
		looked, err := d.Env.Screens.Find(t.Context(), d.Env, name)
		if err != nil || !slices.ContainsFunc(looked, func(c ui.Command) bool { return slices.Contains(strings.Fields(c.Word), name) }) {
			t.Errorf("the palette has nothing for %s: %v", name, err)
		}
	}
	if names < 40 {
		t.Errorf("only %d commands are known:\n%s", names, out.String())
	}
}
