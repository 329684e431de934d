package cli_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
	"lcm-tui/internal/testlength"
)

// commandLines returns the invocations of the program in a text, as a shell reads them up to a pipe. `go run .` is one as well.
func commandLines(text string) (out [][]string) {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " #")
		for one := range strings.SplitSeq(line, " && ") {
			if rest, isRun := strings.CutPrefix(one, "go run ."); isRun {
				one = cli.Program + rest
			}
			one, isCommand := strings.CutPrefix(strings.TrimPrefix(one, "./"), cli.Program)
			if !isCommand || one != "" && one[0] != ' ' {
				continue
			}
			var words []string
			for _, w := range shellWord.FindAllString(one, -1) {
				if w == "|" || w == ">" || w == ";" {
					break
				}
				words = append(words, quotation.ReplaceAllString(w, "$1$2"))
			}
			out = append(out, words)
		}
	}
	return out
}

// shellWord matches a word of a shell, with its quotation marks; quotation matches what stands in a pair of them.
var (
	shellWord = regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^\s'"])+`)
	quotation = regexp.MustCompile(`'([^']*)'|"([^"]*)"`)
)

// checkLine fails where the program would refuse a line before it does anything.
func checkLine(t *testing.T, where string, words []string) {
	t.Helper()
	a := cli.New(cli.System{Env: func(string) string { return "" }}, commands.Rooms...)
	root := a.Root()
	cmd, args, err := root.Find(words)
	if err == nil {
		err = cmd.ParseFlags(args)
	}
	if err == nil && cmd != root {
		action, rest, expect := cli.ActionOf(cmd, cmd.Flags().Args())
		err = errors.Join(cli.CheckArguments(cmd, expect, rest), cli.CheckFlagRules(a.FlagRules(cmd.Name()), cmd, action, rest))
	}
	if err != nil {
		t.Errorf("%s: %s %s: %v", where, cli.Program, strings.Join(words, " "), err)
	}
}

// TestExamplesParse: the program takes the commands, flags, values and numbers of arguments of every
// example in its help and of every block of commands in the documentation.
func TestExamplesParse(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	lines := 0
	eachExample(t, func(where string, examples [][]string) {
		for _, words := range examples {
			checkLine(t, where, words)
			lines++
		}
	})
	if lines < 150 {
		t.Errorf("only %d lines were found", lines)
	}
}
