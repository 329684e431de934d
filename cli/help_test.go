package cli_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
)

// TestHelpOfEveryCommand: it begins with one sentence on what the command does, has an
// example that names the command, and says what is written when.
func TestHelpOfEveryCommand(t *testing.T) {
	t.Parallel()
	for _, cmd := range cli.New(cli.System{}, commands.Rooms...).Root().Commands() {
		if cmd.Name() == "help" {
			continue
		}
		first, _ := utf8.DecodeRuneInString(cmd.Short)
		if !unicode.IsUpper(first) || strings.HasSuffix(cmd.Short, ".") || len(cmd.Short) > 60 {
			t.Errorf("%s: the summary %q isn't a short phrase", cmd.Name(), cmd.Short)
		}
		if !strings.Contains(cmd.Long, ".") || !strings.Contains(cmd.Example, cli.Program+" "+cmd.Name()) {
			t.Errorf("%s: no sentence or no example", cmd.Name())
		}
		if !strings.Contains(strings.ToLower(cmd.Long), "write") {
			t.Errorf("%s: it doesn't say what is written", cmd.Name())
		}
		for line := range strings.Lines(cmd.Long) {
			if utf8.RuneCountInString(line) > 97 {
				t.Errorf("%s: a line of %d letters: %s", cmd.Name(), utf8.RuneCountInString(line), line)
			}
		}
	}
}

// TestHelpOfEveryFlag: a phrase in lower case that is not the name of the flag again, and names
// the words of which the flag takes one.
func TestHelpOfEveryFlag(t *testing.T) {
	t.Parallel()
	everyFlag(t, func(cmd *cobra.Command, f *pflag.Flag, value pflag.Value) {
		first, _ := utf8.DecodeRuneInString(f.Usage)
		if unicode.IsUpper(first) || strings.HasSuffix(f.Usage, ".") || len(strings.Fields(f.Usage)) < 2 {
			t.Errorf("%s --%s: %q", cmd.Name(), f.Name, f.Usage)
		}
		var words []string
		switch v := value.(type) {
		case *cli.ChoiceFlag:
			words = v.Words
		case *cli.ChoiceListFlag:
			words = v.Words
		}
		for _, w := range words {
			if !strings.Contains(f.Usage, w) {
				t.Errorf("%s --%s: %q doesn't name %s", cmd.Name(), f.Name, f.Usage, w)
			}
		}
	})
}
