package explore

import (
	"strconv"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/lazyregexp"
)

// How many lines of each kind are shown, and how many UTF-16 units of one.
const (
	maxImports         = 12
	maxImportUnits     = 180
	maxDefinitions     = 24
	maxDefinitionUnits = 200
)

var (
	imports     = lazyregexp.New(jstext.Pattern(`^\s*(?:import\s+|from\s+\S+\s+import\s+|const\s+\w+\s*=\s*require\()`))
	definitions = lazyregexp.New(jstext.Pattern(`^(?:export\s+)?(?:async\s+)?(?:function|class|interface|type|const\s+\w+\s*=\s*\(|def\s+\w+\(|struct\s+\w+)`))
)

func describeCode(name, body string) string {
	var imported, defined shownLines
	for line := range lines(body) {
		if imports.MatchString(line) {
			imported.add(fold(line, maxImportUnits), maxImports)
		}
		if trimmed := jstext.Trim(line); definitions.MatchString(trimmed) {
			defined.add(cut(trimmed, maxDefinitionUnits), maxDefinitions)
		}
	}
	return title("Code", name) + "\n" +
		"Lines: " + Grouped(Lines(body)) + ".\n" +
		"Imports/dependencies (" + strconv.Itoa(len(imported.unique)) + "): " + imported.join() + ".\n" +
		"Top-level definitions (" + strconv.Itoa(len(defined.unique)) + "): " + defined.join() + "."
}

// shownLines are the first lines of a kind, each once.
type shownLines struct {
	taken  int
	unique []string
}

// add takes a line, if it is one of the first most.
func (s *shownLines) add(line string, most int) {
	if s.taken++; s.taken <= most {
		s.unique = appendUnique(s.unique, line)
	}
}

func (s *shownLines) join() string { return joined(s.unique, " | ", "none detected") }
