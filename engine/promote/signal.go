package promote

import (
	"slices"
	"strings"

	"lcm-tui/internal/lazyregexp"
)

// The signals, which are the tags of the entry as well.
const (
	Decision     = "decision"     // It tells of a choice.
	Fix          = "fix"          // It tells of a fault that was found or fixed.
	Architecture = "architecture" // It names parts of a program.
	Depth        = "depth"        // It is made of summaries of summaries.
	Compressed   = "compressed"   // It is much shorter than what it was made of.
)

// words give away a signal, in lower case.
var words = []struct {
	signal string
	any    []string
}{
	{Decision, []string{"decided", "agreed", "will use", "going with", "chosen"}},
	{Fix, []string{"fixed", "root cause", "workaround", "resolved"}},
}

// parts match what names parts of a program.
var parts = lazyregexp.New(`\bsrc/[\w./-]+\.ts\b|\b[A-Za-z]\w*(?:Engine|Store|Service|Manager|Handler|Client)\b|\b(?:interface|class) [A-Z]\w*`)

// From which depth on, and below which share of its sources, a summary is worth keeping.
const (
	leastDepth = 2
	mostShare  = 0.3
)

// Summary is what is judged.
type Summary struct {
	Text         string
	Depth        int64
	Tokens       int64
	SourceTokens int64 // Of what it was made of; 0 is unknown.
}

// Signals returns why a summary is worth an entry; none is that it isn't.
func Signals(s Summary) (signals []string) {
	lower := strings.ToLower(s.Text)
	for _, w := range words {
		if slices.ContainsFunc(w.any, func(word string) bool { return strings.Contains(lower, word) }) {
			signals = append(signals, w.signal)
		}
	}
	if parts.MatchString(s.Text) {
		signals = append(signals, Architecture)
	}
	if s.Depth >= leastDepth {
		signals = append(signals, Depth)
	}
	if s.SourceTokens > 0 && float64(s.Tokens) < mostShare*float64(s.SourceTokens) {
		signals = append(signals, Compressed)
	}
	return signals
}

// Confidence returns how sure it is that an entry with so many signals is worth it, from 0 to 1.
func Confidence(signals int) float64 { return min(1, float64(signals)/4) }
