package explore

import (
	"regexp"
	"strconv"
	"strings"
)

// code are the extensions of source files.
var code = extensions(".ts .tsx .js .jsx .mjs .cjs .py .go .rs .java .kt .swift .c .h .cc .cpp .hpp .cs .rb .php .sh .bash .zsh .sql .scala .lua .pl .dart .ex .exs .vue .svelte")

func extensions(list string) map[string]bool {
	out := map[string]bool{}
	for _, ext := range strings.Fields(list) {
		out[ext] = true
	}
	return out
}

// How many lines of each kind are shown, and how much of one.
const (
	maxImports     = 12
	maxDefinitions = 24
	maxLineBytes   = 160
)

var (
	imports     = regexp.MustCompile(`(?m)^(?:import\b|from\s+\S+\s+import\b|#include\b|use\s+\w|using\s+\w|require\b|(?:const|let|var)\s+.*=\s*require\().*$`)
	definitions = regexp.MustCompile(`(?m)^(?:export\s+)?(?:default\s+)?(?:pub(?:\([a-z]+\))?\s+)?(?:public\s+|private\s+|protected\s+|static\s+|abstract\s+|final\s+)*(?:async\s+)?(?:function\b|class\b|interface\b|type\s+\w|enum\b|struct\b|trait\b|impl\b|def\s|func\b|fn\s|module\s|package\s|const\s+\w+\s*=\s*(?:async\s*)?\(|CREATE\s).*$`)
)

func describeCode(name, body string) string {
	out := "Code exploration summary (" + name + "):\nLines: " + Grouped(Lines(body)) + "."
	return out + matchingLines("Imports/dependencies", imports, body, maxImports) + matchingLines("Top-level definitions", definitions, body, maxDefinitions)
}

// matchingLines are the lines that a pattern finds.
func matchingLines(what string, pattern *regexp.Regexp, body string, most int) string {
	all := pattern.FindAllString(body, most)
	if len(all) == 0 {
		return "\n" + what + ": none detected."
	}
	for i, line := range all {
		all[i] = clip(oneLine(line), maxLineBytes)
	}
	return "\n" + what + " (" + strconv.Itoa(len(all)) + "): " + strings.Join(all, " | ") + "."
}
