package cli_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testlength"
)

// synopsis is a command line with what may be left out in brackets, alternatives between bars, and
// values in capital letters: a sequence of words and groups.
type synopsis []synopsisPart

// synopsisPart is a word, or a group of alternatives.
type synopsisPart struct {
	word         string
	alternatives []synopsis
	optional     bool
}

// synopsisToken matches a bracket, a bar, a quoted text or a word.
var synopsisToken = regexp.MustCompile(`[][()|]|'[^']*'|[^][()|\s]+`)

// parseSynopsis reads a synopsis. Bars outside of brackets join words, as in `list|show`.
func parseSynopsis(text string) synopsis {
	tokens := synopsisToken.FindAllString(text, -1)
	s, _ := parseAlternatives(tokens, "")
	var out synopsis
	for i, a := range s { // Each bar stands between the last word of one and the first of the next.
		if i == 0 {
			out = a
			continue
		}
		last := &out[len(out)-1]
		if last.alternatives == nil || last.optional {
			*last = synopsisPart{alternatives: []synopsis{{*last}}}
		}
		last.alternatives = append(last.alternatives, a[:1])
		out = append(out, a[1:]...)
	}
	return out
}

// parseAlternatives reads alternatives up to the bracket that closes them.
func parseAlternatives(tokens []string, end string) (out []synopsis, rest []string) {
	var one synopsis
	for len(tokens) > 0 {
		token := tokens[0]
		tokens = tokens[1:]
		switch token {
		case end:
			return append(out, one), tokens
		case "|":
			out = append(out, one)
			one = nil
		case "[", "(":
			group := synopsisPart{optional: token == "["}
			group.alternatives, tokens = parseAlternatives(tokens, map[string]string{"[": "]", "(": ")"}[token])
			one = append(one, withFlag(group))
		default:
			one = append(one, synopsisPart{word: token})
		}
	}
	return append(out, one), nil
}

// withFlag puts the flag of the first alternative before the others that are values of it, as
// in `--sort newest|oldest`.
func withFlag(group synopsisPart) synopsisPart {
	first := group.alternatives[0]
	if len(first) < 2 || !strings.HasPrefix(first[0].word, "--") {
		return group
	}
	for i, a := range group.alternatives[1:] {
		if w := a[0].word; w != "" && !strings.HasPrefix(w, "--") {
			group.alternatives[i+1] = append(synopsis{first[0]}, a...)
		}
	}
	return group
}

// lines returns command lines that have every word of a synopsis at least once: the shortest first,
// then one for each further alternative and each thing that may be left out.
func (s synopsis) lines() (out [][]string) {
	shortest := s.shortest()
	out = append(out, shortest)
	for i, p := range s {
		before, after := s[:i].shortest(), s[i+1:].shortest()
		for n, a := range p.alternatives {
			for m, middle := range a.lines() {
				if n == 0 && m == 0 && !p.optional {
					continue // It is in the shortest.
				}
				out = append(out, slices.Concat(before, middle, after))
			}
		}
	}
	return out
}

// shortest returns a synopsis without what may be left out, and with the first of alternatives.
func (s synopsis) shortest() (out []string) {
	for _, p := range s {
		switch {
		case p.alternatives == nil:
			out = append(out, p.word)
		case !p.optional:
			out = append(out, p.alternatives[0].shortest()...)
		}
	}
	return out
}

// TestSynopsisLines: every word of a synopsis is in one of its lines.
func TestSynopsisLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"expand (SUM|--query T) [--full]":         "expand SUM; expand --query T; expand SUM --full",
		"trash [list|show N|empty --older AGE]":   "trash; trash list; trash show N; trash empty --older AGE",
		"search Q [--sort newest|best]":           "search Q; search Q --sort newest; search Q --sort best",
		"prune copies|text SEL [--apply]":         "prune copies SEL; prune text SEL; prune copies SEL --apply",
		"export CONV|--all [--redact [--names]]":  "export CONV; export --all; export CONV --redact; export CONV --redact --names",
		"describe ID [--start N [--end N]|--raw]": "describe ID; describe ID --start N; describe ID --start N --end N; describe ID --raw",
	} {
		var got []string
		for _, l := range parseSynopsis(text).lines() {
			got = append(got, strings.Join(l, " "))
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

var inlineCode = regexp.MustCompile("`([^`]+)`")

// documentedLine is a command line in a table or a sentence of the documentation.
type documentedLine struct {
	text string
	// isName says that a sentence or a heading only names the command, or a flag of it.
	isName bool
}

// bareName matches what may be only the name of a command and of a flag.
var bareName = regexp.MustCompile(`^[a-z]+( --[a-z-]+)?$`)

// documentedLines returns the command lines in the tables and sentences of the documentation.
func documentedLines(t *testing.T) (out []documentedLine) {
	t.Helper()
	pages := documentation(t)
	for _, path := range slices.Sorted(maps.Keys(pages)) {
		out = append(out, pageLines(pages[path])...)
	}
	return out
}

// pageLines returns the command lines in the tables and sentences of a page.
func pageLines(page string) (out []documentedLine) {
	for i, part := range strings.Split(page, "```") {
		if i%2 == 1 {
			continue // A block.
		}
		lines := strings.Split(part, "\n")
		for i, line := range lines {
			isTable := strings.HasPrefix(line, "|") && !strings.HasPrefix(lines[i+1], "|-") // A heading is none of its rows.
			for _, m := range inlineCode.FindAllStringSubmatch(line, -1) {
				code := strings.ReplaceAll(m[1], `\|`, "|")
				if text, ok := strings.CutPrefix(code, cli.Program+" "); ok {
					out = append(out, documentedLine{text, !isTable && bareName.MatchString(text)})
				}
			}
		}
	}
	return out
}

// synopsisValues are what the demonstration has for the words that stand for a value, some of them
// behind a flag, command or action.
var synopsisValues = map[string]string{
	"CONV": "12", "SRC": "7", "DST": "12", "N": "1", "ID": "sum_1a2b3c4d5e6f7a8b", "SUMMARY": "sum_1a2b3c4d5e6f7a8b", "sum_": "sum_1a2b3c4d5e6f7a8b", "msg:ID": "msg:4711",
	"QUERY": "deploy", "PATTERN": "deploy", "PROMPT": "'When is the deploy?'", "TEXT": "deploy", "ZONE": "Europe/Berlin", "T": "2026-01-05", "AGE": "30d", "D": "30s", "H": "01:00-06:00", "ADDRESS": "127.0.0.1:0", "TRASH": "1", "PLACE": "COPY.db", "add NAME": "box", "remove NAME": "box", "apply NAME": "box", "restore NAME": "demo", "forget NAME": "demo", "order NAME": "demo", "PLAN": "plan.json",
	"NAME=VALUE": "freshTailCount=20", "FINDING=CHOICE": "M01:4711=drop", "CLIENT": "claude-code", "HOOK": "log", "install AGENT": "windsurf", "SELECTORS": "--older-than 30d", "BACKUP": "before-cleanup.db",
	"NEW": "new.db", "NEW.db": "new.db", "DAMAGED": "lcm.db", "FILE": "out.md", "AGENT": "main", "SESSION": "0b5c2a7e", "PATH": ".openclaw/agents/main/sessions/0b5c2a7e.jsonl",
	"--role R": "user", "--before ID": "4711", "--after ID": "4711", "--before-record ID": "1", "--transcript PATH": ".openclaw/agents/main/sessions/0b5c2a7e.jsonl",
	"--class C": "sure", "--fault IDS": "M01,C06", "--explain ID": "M01", "--severity LEVEL": "warn", "--fail-on LEVEL": "error", "--fail-on TYPE": "hook-error", "--format F": "markdown", "--what W": "messages", "--from X": "1",
	"--until X": "2026-01-05", "--max-cost N": "0.5", "--file FILE": "text.md", "get NAME": "freshTailCount", "--from FILE": "old.db",
	"show FILE": "prepared.json", "check FILE": "prepared.json", "apply FILE": "plan.json", "COMMAND": "repair", "--to OTHER": "2", "--to FILE": "out.md",
}

// fill puts values in the place of the words that stand for one.
func fill(words []string) (out []string) {
	before := ""
	for _, w := range words {
		w = strings.Trim(w, "…")
		for _, key := range []string{before + " " + w, w} {
			if v, ok := synopsisValues[key]; ok {
				w = v
				break
			}
		}
		if before = w; w != "" {
			out = append(out, commandLines(cli.Program + " " + w)[0]...)
		}
	}
	return out
}

// checkNamed fails where there is no such command, or no such flag of it.
func checkNamed(t *testing.T, text string) {
	t.Helper()
	name, flag, _ := strings.Cut(text, " --")
	cmd, _, err := cli.New(cli.System{Env: func(string) string { return "" }}, commands.Rooms...).Root().Find([]string{name})
	if err != nil || flag != "" && cmd.Flag(flag) == nil {
		t.Errorf("the documentation names %s %s: %v", cli.Program, text, err)
	}
}

// TestDocumentedLinesParse: the program takes every command line in the tables and sentences of the documentation,
// with each alternative and each flag that it names.
func TestDocumentedLinesParse(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	n := 0
	for _, line := range documentedLines(t) {
		if line.isName {
			checkNamed(t, line.text)
			continue
		}
		for _, words := range parseSynopsis(strings.ReplaceAll(line.text, "[#SESSION]", "")).lines() {
			checkLine(t, line.text, fill(words))
			n++
		}
	}
	if n < 300 {
		t.Errorf("only %d lines were found", n)
	}
}

// TestDocumentedLinesRun: every command line in the tables and sentences of the documentation does on a database what it says,
// without what may be left out.
func TestDocumentedLinesRun(t *testing.T) {
	t.Parallel()
	var sample samples.Cache
	byCommand := map[string][][]string{}
	for _, line := range documentedLines(t) {
		shortest := parseSynopsis(strings.ReplaceAll(line.text, "[#SESSION]", "")).shortest()
		if line.isName || slices.Contains(shortest, "…") {
			continue
		}
		words := fill(shortest)
		name := "screens"
		if len(words) > 0 && !strings.HasPrefix(words[0], "-") {
			name = words[0]
		}
		if slices.Contains([]string{"grep", "describe", "expand", "ask"}, name) && !slices.Contains(words, "--agent") {
			words = append(words, "--all") // The demonstration has several conversations.
		}
		if !slices.ContainsFunc(byCommand[name], func(other []string) bool { return slices.Equal(words, other) }) {
			byCommand[name] = append(byCommand[name], words)
		}
	}
	for _, name := range testlength.Some(slices.Sorted(maps.Keys(byCommand))) { // All lines of a command, since one may need those before it.
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runExamples(t, &sample, name, byCommand[name])
		})
	}
}
