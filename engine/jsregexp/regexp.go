package jsregexp

import (
	"errors"
	"regexp"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2"

	"lcm-tui/data/jstext"
)

// Regexp is a compiled pattern. Several goroutines may use it at once.
type Regexp struct {
	root   *node
	linear *regexp.Regexp // Nil where Go's regexp doesn't find the same.
	size   int            // How many instructions linear has: a search takes so many steps a byte at most.
	units  func() (*regexp2.Regexp, error)
}

// Match is a place in a text, in UTF-16 code units.
type Match struct {
	Start, End int
	Text       string
}

// ErrTimeout says that a search took longer than it may: whether there is a match isn't known.
var ErrTimeout = errors.New("the regular expression took too long on this text")

// clockStep is how exactly the time limits of regexp2 are kept.
const clockStep = 10 * time.Millisecond

var setClock = sync.OnceFunc(func() { regexp2.SetTimeoutCheckPeriod(clockStep) })

// SyntaxError says that a pattern is none in JavaScript, with JavaScript's words.
type SyntaxError struct{ Pattern, Reason string }

func (e *SyntaxError) Error() string {
	return "Invalid regular expression: /" + e.Pattern + "/: " + e.Reason
}

// Compile parses a pattern; its error is a *SyntaxError. A search for one match ends after timeout, unless its time is known to be
// linear and short.
func Compile(pattern string, timeout time.Duration) (*Regexp, error) {
	root, err := parse(pattern)
	if err != nil {
		return nil, err
	}
	setClock()
	re := &Regexp{root: root}
	re.linear, re.size = goRegexp(root)
	re.units = sync.OnceValues(func() (*regexp2.Regexp, error) { return unitRegexp(root, timeout) })
	if re.linear == nil {
		if _, err := re.units(); err != nil {
			return nil, &SyntaxError{pattern, err.Error()}
		}
	}
	return re, nil
}

// Find returns the text of the first match.
func (re *Regexp) Find(text string) (match string, ok bool, err error) {
	text = jstext.Decode(text)
	if !re.isLinear(text) {
		found, err := re.findUnits(text, 1)
		if err != nil || len(found) == 0 {
			return "", false, err
		}
		return found[0].Text, true, nil
	}
	text = moved(text)
	at := re.linear.FindStringIndex(text)
	if at == nil {
		return "", false, nil
	}
	return unmoved(text[at[0]:at[1]]), true, nil
}

// FindAll returns the first matches, at most limit. After an empty one the search goes on a code
// unit later. With an error it returns those before it.
func (re *Regexp) FindAll(text string, limit int) ([]Match, error) {
	text = jstext.Decode(text)
	switch {
	case !re.isLinear(text):
	case !re.root.looksBack():
		return re.findForward(moved(text), limit), nil
	case !re.linear.MatchString(moved(text)):
		return nil, nil
	}
	return re.findUnits(text, limit)
}

// mostSteps is how many steps a search without a time limit may take: two seconds at worst.
const mostSteps = 100_000_000

// isLinear reports whether Go's regexp finds in a text what JavaScript finds, in a short time.
func (re *Regexp) isLinear(text string) bool {
	return re.linear != nil && len(text)*re.size <= mostSteps
}

// findForward returns the matches of a pattern that doesn't look at what is before them.
func (re *Regexp) findForward(text string, limit int) (out []Match) {
	for start := 0; len(out) < limit; {
		at := re.linear.FindStringIndex(text)
		if at == nil {
			break
		}
		start += utf8.RuneCountInString(text[:at[0]])
		m := Match{start, start + utf8.RuneCountInString(text[at[0]:at[1]]), unmoved(text[at[0]:at[1]])}
		out, start, text = append(out, m), m.End, text[at[1]:]
		if m.Start < m.End {
			continue
		}
		if text == "" {
			break
		}
		_, size := utf8.DecodeRuneInString(text)
		start, text = start+1, text[size:]
	}
	return out
}

// moved returns a text with halves of pairs as characters of their own, and unmoved such a text as it was.
func moved(text string) string {
	if !hasPairs(text) {
		return text
	}
	return string(unitRunes(text))
}

func unmoved(text string) string {
	if !hasPairs(text) {
		return text
	}
	return textOf([]rune(text))
}

// hasPairs reports whether a text has characters that JavaScript holds as two code units: in
// UTF-8 they begin with a byte from 0xf0.
func hasPairs(text string) bool {
	for i := range len(text) {
		if text[i] >= 0xf0 {
			return true
		}
	}
	return false
}

func (re *Regexp) findUnits(text string, limit int) (out []Match, err error) {
	units, err := re.units()
	if err != nil {
		return nil, err
	}
	in := unitRunes(text)
	m, err := inItsTime(units.MatchTimeout, func() (*regexp2.Match, error) { return units.FindRunesMatch(in) })
	for m != nil && err == nil {
		end := m.Index + m.Length
		out = append(out, Match{m.Index, end, textOf(in[m.Index:end])})
		if len(out) >= limit {
			return out, nil
		}
		after := m
		m, err = inItsTime(units.MatchTimeout, func() (*regexp2.Match, error) { return units.FindNextMatch(after) })
	}
	if err != nil { // It has no error but this one.
		err = ErrTimeout
	}
	return out, err
}

// inItsTime does a search again that was stopped before its time, until that is over. A goroutine keeps the clock of
// regexp2: on a busy machine it is late, and then all at once later than a limit that had just begun.
func inItsTime[T any](timeout time.Duration, find func() (T, error)) (T, error) {
	for start := time.Now(); ; {
		found, err := find()
		if err == nil || time.Since(start) >= timeout {
			return found, err
		}
	}
}
