package cli

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// commandLines are the invocations of the program in a text, as a shell reads them up to a pipe.
func commandLines(text string) (out [][]string) {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " #")
		for one := range strings.SplitSeq(line, " && ") {
			one, isCommand := strings.CutPrefix(strings.TrimPrefix(one, "./"), program+" ")
			if !isCommand {
				continue
			}
			var words []string
			for _, w := range shellWord.FindAllString(one, -1) {
				if w == "|" || w == ">" || w == ";" {
					break
				}
				words = append(words, strings.NewReplacer(`'`, "", `"`, "").Replace(w))
			}
			out = append(out, words)
		}
	}
	return out
}

// shellWord matches a word of a shell, with its quotation marks.
var shellWord = regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^\s'"])+`)

// checkLine fails where the program would refuse a line before it does anything.
func checkLine(t *testing.T, where string, words []string) {
	t.Helper()
	root := (&app{sys: System{Env: func(string) string { return "" }}}).root()
	cmd, args, err := root.Find(words)
	if err == nil {
		err = cmd.ParseFlags(args)
	}
	if err == nil && cmd != root {
		action, rest, expect := actionOf(cmd, cmd.Flags().Args())
		err = errors.Join(checkArguments(cmd, expect, rest), checkFlagRules(cmd, action, rest))
	}
	if err != nil {
		t.Errorf("%s: %s %s: %v", where, program, strings.Join(words, " "), err)
	}
}

// TestExamplesParse: the program takes the commands, flags, values and numbers of arguments of every
// example in its help and of every block of commands in README.
func TestExamplesParse(t *testing.T) {
	t.Parallel()
	lines := 0
	for _, cmd := range (&app{sys: System{Env: func(string) string { return "" }}}).root().Commands() {
		for _, words := range commandLines(cmd.Example) {
			checkLine(t, cmd.Name(), words)
			lines++
		}
	}
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for i, block := range strings.Split(string(readme), "```") {
		if i%2 == 0 {
			continue
		}
		for _, words := range commandLines(block) {
			checkLine(t, "README", words)
			lines++
		}
	}
	if lines < 60 {
		t.Errorf("only %d lines were found", lines)
	}
}
