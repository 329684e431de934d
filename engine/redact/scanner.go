package redact

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"lcm-tui/internal/sorting"
)

// Finding is one secret in a text.
type Finding struct {
	Rule   string
	Class  Class
	Secret Secret
	// Start and End are its place in the text that was scanned, in bytes. In a JSON text they are
	// the place of its escaped form.
	Start, End int
}

// Scanner finds secrets by its rules. Any number of goroutines may use one.
type Scanner struct {
	rules  []Rule
	words  *automaton
	byWord [][]int // By keyword: the rules that it is a keyword of.
	always []int   // The rules without keywords.
	names  *automaton
	before *automaton // The keywords of rules that look for a name before the value.
	named  int        // The rule of values that have a name.
	allow  Allow
}

// BuiltIn returns the rules of this program.
func BuiltIn() []Rule {
	return slices.Concat(formatRules(), loginRules(), vendorRules(), contextRules(), namedRules())
}

// Default returns the scanner of the rules of this program.
var Default = sync.OnceValue(func() *Scanner {
	s, err := NewScanner(nil, Allow{})
	if err != nil {
		panic(err) // The rules are part of the program.
	}
	return s
})

// NewScanner returns a scanner of the rules of this program and more, which replace those with
// the same id. It fails with a *RuleError.
func NewScanner(more []Rule, allow Allow) (*Scanner, error) {
	own := make(map[string]bool, len(more))
	for i := range more {
		r := &more[i]
		if err := r.compile(); err != nil {
			return nil, err
		}
		if err := r.checkSpecific(); err != nil {
			return nil, err
		}
		if own[r.ID] {
			return nil, ruleError(r.ID, "there are two rules with this id")
		}
		own[r.ID] = true
	}
	s := &Scanner{allow: allow, named: -1, names: newAutomaton(assignedNames, true), before: newAutomaton(memberWords(), true)}
	s.rules = slices.DeleteFunc(BuiltIn(), func(r Rule) bool { return own[r.ID] })
	for i := range s.rules {
		s.rules[i].compileWhenNeeded()
	}
	s.rules = append(s.rules, more...)
	s.index()
	return s, nil
}

// index prepares the automaton of the rules' keywords.
func (s *Scanner) index() {
	var words []string
	at := map[string]int{}
	for i := range s.rules {
		r := &s.rules[i]
		if r.ID == assignedRule {
			s.named = i
		}
		if len(r.Keywords) == 0 {
			s.always = append(s.always, i)
		}
		for _, k := range r.Keywords {
			n, some := at[k]
			if !some {
				n = len(words)
				at[k] = n
				words, s.byWord = append(words, k), append(s.byWord, nil)
			}
			s.byWord[n] = append(s.byWord[n], i)
		}
	}
	s.words = newAutomaton(words, true)
}

// Rules returns the rules of the scanner in order.
func (s *Scanner) Rules() []Rule { return slices.Clone(s.rules) }

// Scan returns the secrets of a text in order. None of them overlap: of two finds in one place the
// longest is kept. Where the text is JSON, its strings are scanned.
func (s *Scanner) Scan(text string) []Finding { return inOrder(s.spans(text, nil)) }

// Scan returns the secrets that the rules of this program find in a text.
func Scan(text string) []Finding { return Default().Scan(text) }

// spans returns the places of secrets in a text or in the strings of JSON.
func (s *Scanner) spans(text string, seen *Seen) []span {
	return eachText(text, func(key, value string) []span {
		if len(value) < minScanned || seen.has(key, value) {
			return nil
		}
		found := s.scanPlain(value)
		found = append(found, s.memberValue(key, value)...)
		if f, ok := s.namedValue(key, value); ok {
			found = append(found, f)
		}
		if len(found) == 0 {
			seen.add(key, value)
		}
		return found
	})
}

// minScanned is the length of the shortest text that may have a secret.
const minScanned = 8

// span is a find in a text.
type span struct {
	rule     string
	class    Class
	value    string
	from, to int
}

// scanPlain scans a text that isn't JSON: with blanks for the control sequences of terminals, so that a
// word ends there, and without them, because a colour may stand in the middle of a token.
func (s *Scanner) scanPlain(text string) (found []span) {
	all := sequences(text)
	found = s.scanView(text, view{text: blankSequences(text, all)})
	if len(all) > 0 {
		found = append(found, s.scanView(text, removeSequences(text, all))...)
	}
	return found
}

// scanView scans a view of a text.
func (s *Scanner) scanView(text string, v view) (found []span) {
	shown := blankEscapes(v.text)
	add := func(r *Rule, from, to int) {
		from, to = v.span(from, to)
		if value := r.valueIn(text[from:to]); s.isSecret(r, value) {
			found = append(found, span{r.ID, r.Class, value, from, to})
		}
	}
	s.words.find(shown, func(word, start, end int) bool {
		for _, i := range s.byWord[word] {
			r := &s.rules[i]
			r.find(shown, start, end, func(from, to int) { add(r, from, to) })
		}
		return true
	})
	for _, i := range s.always {
		r := &s.rules[i]
		r.match(shown, 0, len(shown), 0, false, func(from, to int) { add(r, from, to) })
	}
	return found
}

func (s *Scanner) isSecret(r *Rule, value string) bool {
	return (r.Entropy == 0 || entropy(value) >= r.Entropy) && (r.accept == nil || r.accept(value)) && !isOrdinary(value, r.Class) && !s.allow.allows(value)
}

// namedValue finds the value of a member of a JSON object whose key is the name of a secret.
func (s *Scanner) namedValue(key, value string) (found span, ok bool) {
	if s.named < 0 || key == "" || len(value) < minAssigned || len(value) > maxAssigned {
		return found, false
	}
	for i := range len(value) {
		if !isValueByte(value[i]) {
			return found, false
		}
	}
	r := &s.rules[s.named]
	s.names.find(key, func(_, _, end int) bool {
		ok = len(key)-end <= maxNameEnd
		return !ok
	})
	return span{r.ID, r.Class, value, 0, len(value)}, ok && s.isSecret(r, value)
}

// memberValue finds the value of a member of a JSON object by the rules that look for a name and
// an operator before it.
func (s *Scanner) memberValue(key, value string) (found []span) {
	if key == "" || len(key) > maxAssigned {
		return nil
	}
	if isHeader := strings.HasSuffix(strings.ToLower(key), cookieMember); isHeader && len(value) > tokenWindow || !isHeader && (len(value) > maxAssigned || strings.IndexByte(value, ' ') >= 0) {
		return nil
	}
	named := false
	s.before.find(key, func(_, _, _ int) bool { named = true; return false })
	if !named {
		return nil
	}
	head := len(key) + 1
	for _, f := range s.scanPlain(key + "=" + value) {
		if f.from >= head {
			f.from, f.to = f.from-head, f.to-head
			found = append(found, f)
		}
	}
	return found
}

// inOrder sorts finds and leaves the longest of those that overlap, with the class of the most
// certain one.
func inOrder(found []span) (out []Finding) {
	sorting.Stable(found, func(a, b *span) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	for _, f := range found {
		next := Finding{Rule: f.rule, Class: f.class, Secret: NewSecret(f.value), Start: f.from, End: f.to}
		if len(out) == 0 || out[len(out)-1].End <= f.from {
			out = append(out, next)
			continue
		}
		last := &out[len(out)-1]
		length, other := last.End-last.Start, f.to-f.from
		more := f.class != last.Class && f.class.AtLeast(last.Class)
		switch {
		case other > length, other == length && more:
			if !more {
				next.Class = last.Class
			}
			*last = next
		case more:
			last.Class = f.class
		}
	}
	return out
}
