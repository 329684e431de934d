package cli_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
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

// helpOf returns what the program prints for a command line, in a pipe.
func helpOf(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	sys := cli.System{In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(string) string { return "" }, Version: "v1.2.3"}
	if exit := cli.Main(t.Context(), args, sys, commands.Rooms...); exit != 0 || errs.Len() > 0 {
		t.Fatalf("%v: exit %d, %s", args, exit, errs.String())
	}
	return out.String()
}

// TestHelpFitsAPipe: no line of any help is wider than 80 cells or ends with blanks, and nothing of its texts is lost.
func TestHelpFitsAPipe(t *testing.T) {
	t.Parallel()
	root := cli.New(cli.System{}, commands.Rooms...).Root()
	for _, cmd := range append(root.Commands(), root) {
		args := []string{cmd.Name(), "--help"}
		if cmd == root || cmd.Name() == "help" {
			args = args[1:]
		}
		help := helpOf(t, args...)
		for line := range strings.Lines(help) {
			line = strings.TrimSuffix(line, "\n")
			if w := ansi.StringWidth(line); w > 80 || strings.TrimRight(line, " ") != line {
				t.Errorf("%s: %d cells: %q", cmd.Name(), w, line)
			}
		}
		words := strings.Join(strings.Fields(strings.ReplaceAll(help, "\\\n", "")), " ")
		texts := []string{cmd.Long, strings.ReplaceAll(cmd.Example, "# ", "")}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Deprecated == "" {
				texts = append(texts, "--"+f.Name, f.Usage)
			}
		})
		words = strings.ReplaceAll(words, "# ", "")
		for _, text := range texts {
			if want := strings.Join(strings.Fields(text), " "); cmd.Name() != "help" && !strings.Contains(words, want) {
				t.Errorf("%s: its help lacks %q", cmd.Name(), want)
			}
		}
	}
}

// TestHelpOfTheWhole: newcomers find a few commands first, and the tools of agents stand together.
func TestHelpOfTheWhole(t *testing.T) {
	t.Parallel()
	in := map[string][]string{}
	for _, cmd := range cli.New(cli.System{}, commands.Rooms...).Root().Commands() {
		in[cmd.GroupID] = append(in[cmd.GroupID], cmd.Name())
	}
	if n := len(in[cli.GroupStart]); n < 6 || n > 9 {
		t.Errorf("%d commands stand first: %v", n, in[cli.GroupStart])
	}
	for _, name := range []string{"ask", "assemble", "describe", "expand", "grep", "mcp"} {
		if !slices.Contains(in[cli.GroupAgents], name) {
			t.Errorf("%s isn't with the commands of agents: %v", name, in[cli.GroupAgents])
		}
	}
	help := helpOf(t, "--help")
	first, last := strings.Index(help, "Start with these\n"), strings.Index(help, "Other commands\n")
	if first < 0 || last < first {
		t.Error("the groups aren't in order")
	}
}

// TestManual: a paragraph of the help is one paragraph of the page, and every command and flag that help
// shows is there.
func TestManual(t *testing.T) {
	t.Parallel()
	page := helpOf(t, "man")
	root := cli.New(cli.System{}, commands.Rooms...).Root()
	if want := strings.Count(root.Long, "\n\n") + 1; strings.Count(page[:strings.Index(page, ".SH OPTIONS")], ".PP\n") != want {
		t.Errorf("the description has other paragraphs than the %d of the help", want)
	}
	for _, cmd := range root.Commands() {
		if !strings.Contains(page, "\n.SS "+strings.ReplaceAll(cmd.Use, "-", `\-`)+"\n") {
			t.Errorf("%s is missing", cmd.Name())
		}
	}
	if strings.Contains(page, `summary\-id`) {
		t.Error("a flag of earlier versions is in the page")
	}
}

// TestVersionInThreeWays: a command, a flag and its letter print the version.
func TestVersionInThreeWays(t *testing.T) {
	t.Parallel()
	for _, arg := range []string{"version", "--version", "-v"} {
		if got := helpOf(t, arg); got != "lcm-tui v1.2.3\n" {
			t.Errorf("%s: %q", arg, got)
		}
	}
}
