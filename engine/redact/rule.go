package redact

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"lcm-tui/internal/hint"
	"lcm-tui/internal/lazyregexp"
)

// Rule says what secrets of one kind look like.
type Rule struct {
	ID string // Lower-case words with hyphens: it stands in placeholders.
	// About says in words what is found.
	About string
	Class Class
	// Keywords are lower-case texts, of which one stands in or beside each secret. A rule without
	// any is matched against whole texts, which is slow.
	Keywords []string
	// Pattern is a regular expression of Go. Its first group that matches is the secret, or all of it
	// if there is none.
	Pattern string
	// Entropy is the least number of bits that a character of the secret carries.
	Entropy float64

	// leading says that a match begins with the keyword, and inWord that the keyword may be a part
	// of a longer word. That a match is a token of its own form says token: an underscore may stand before
	// it, and anything before a keyword that begins nothing else.
	leading, inWord, token bool
	// window is how many bytes around the keyword are looked at; 0 is defaultWindow.
	window int
	// locate finds the secret beside a keyword without a regular expression. It returns its place.
	locate func(text string, start, end int) (from, to int, ok bool)
	// possible is a test of bytes that goes before the regular expression.
	possible func(text string, start, end int) bool
	// trim are bytes that belong to the sentence, where they stand at the end of a match.
	trim string
	// accept looks at a secret that matched.
	accept func(secret string) bool

	// compiled is the regular expression. Those of this program are compiled when one is needed.
	compiled func() *regexp.Regexp
}

const defaultWindow = 400

// ruleID matches what may be the id of a rule.
var ruleID = lazyregexp.New(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)

// ruleError says why a rule can't be used; rule is its id, or what stands for it.
func ruleError(rule, reason string) error {
	return hint.New("rule "+rule+": "+reason, "a rule has an id of lower-case letters, digits and hyphens, and a regular expression that matches only secrets; lcm-tui secrets rules lists all rules")
}

// compile checks the rule and prepares its regular expression.
func (r *Rule) compile() error {
	fail := func(format string, args ...any) error { return ruleError(r.ID, fmt.Sprintf(format, args...)) }
	switch {
	case len(r.ID) > 40 || !ruleID.MatchString(r.ID):
		return ruleError(fmt.Sprintf("%.60q", r.ID), "its id has other characters than lower-case letters, digits and hyphens, or more than 40")
	case !r.Class.IsValid():
		return fail("there is no class %q: say sure, likely or maybe", r.Class)
	case r.Entropy < 0 || r.Entropy > 8:
		return fail("the entropy of a character lies between 0 and 8 bits")
	}
	keywords := make([]string, len(r.Keywords)) // Rules of other scanners may share the list.
	for i, k := range r.Keywords {
		if k == "" {
			return fail("a keyword is empty")
		}
		keywords[i] = strings.ToLower(k)
	}
	r.Keywords = keywords
	if r.locate != nil || r.compiled != nil {
		return nil
	}
	re, err := regexp.Compile(r.anchored())
	if err != nil {
		return fail("its regular expression can't be read")
	}
	r.compiled = func() *regexp.Regexp { return re }
	return nil
}

// anchored returns the regular expression as it is matched.
func (r *Rule) anchored() string {
	if r.leading {
		return `^(?:` + r.Pattern + `)`
	}
	return r.Pattern
}

// compileWhenNeeded leaves it to the first match to compile the regular expression.
func (r *Rule) compileWhenNeeded() {
	pattern := r.anchored()
	r.compiled = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// ordinaryTexts are what a rule must not take for a secret, whatever it looks for.
var ordinaryTexts = []string{
	"", " ", "a", "the quick brown fox jumps over the lazy dog", "0", "1234567", "\n", "lcm_messages", "Yes, that works. Thank you!",
}

// checkSpecific refuses a rule that matches an empty text or ordinary ones: it would replace
// everything.
func (r *Rule) checkSpecific() error {
	for _, text := range ordinaryTexts {
		if m := r.compiled().FindStringSubmatchIndex(text); m != nil {
			reason := "it matches ordinary text, so it would replace everything"
			if m[0] == m[1] {
				reason = "it matches an empty text, so it would replace everything"
			}
			return ruleError(r.ID, reason)
		}
	}
	return nil
}

// find calls found with the places of secrets beside a keyword.
func (r *Rule) find(text string, start, end int, found func(from, to int)) {
	switch {
	case r.locate != nil:
		if from, to, ok := r.locate(text, start, end); ok {
			found(from, to)
		}
	case r.possible != nil && !r.possible(text, start, end):
		if r.token {
			r.matchWrapped(text, start, end, found)
		}
	case r.leading:
		if begins, random := r.mayBegin(text, start, end); begins {
			matched := r.match(text, start, min(len(text), start+r.reach()), start, random, found)
			if !matched && r.token {
				r.matchWrapped(text, start, end, found)
			}
		}
	default:
		r.match(text, max(0, start-r.reach()), min(len(text), end+r.reach()), start, false, found)
	}
}

// mayBegin reports whether a match may begin with the keyword at a place, and whether it has to look
// random because it doesn't begin a word.
func (r *Rule) mayBegin(text string, start, end int) (begins, random bool) {
	before := boundaryBefore(text, start)
	if r.inWord || before == wordBegins {
		return true, false
	}
	return r.token && (before == nameBefore || isSpecific(text[start:end])), true
}

// isSpecific reports whether a keyword is long enough, and ends as a prefix does, so that it stands by
// chance in no longer word.
func isSpecific(keyword string) bool {
	return len(keyword) > shortPrefix && strings.IndexByte("_-.$=:/", keyword[len(keyword)-1]) >= 0
}

func (r *Rule) reach() int {
	if r.window > 0 {
		return r.window
	}
	return defaultWindow
}

// match looks for the regular expression between two places of the text, for values that look random
// where that is asked for. It reports whether there was one.
func (r *Rule) match(text string, from, until, keyword int, random bool, found func(from, to int)) (some bool) {
	for _, m := range r.compiled().FindAllStringSubmatchIndex(text[from:until], -1) {
		group := m[:2]
		for i := 2; i < len(m); i += 2 {
			if m[i] >= 0 {
				group = m[i : i+2]
				break
			}
		}
		if len(r.Keywords) > 0 && (from+m[0] > keyword || from+m[1] <= keyword) {
			continue // It belongs to another keyword.
		}
		if r.leading && r.trim == "" && goesOn(text, from+m[1]) {
			continue // It is something longer.
		}
		to := from + group[0] + len(strings.TrimRight(text[from+group[0]:from+group[1]], r.trim))
		if from+group[0] < to && (!random || looksRandom(text[from+group[0]:to])) {
			found(from+group[0], to)
			some = true
		}
	}
	return some
}

// valueIn returns the value of a find: what stands there, without control sequences, and a token without the ends
// of the lines between which it is divided.
func (r *Rule) valueIn(text string) string {
	text = visible(text)
	if r.token && strings.IndexByte(text, '\n') >= 0 {
		return joinLines(text, 0).text
	}
	return text
}

// goesOn reports whether the word that ends before a place goes on there. An underscore alone, as around
// what is set in italics, belongs to no word.
func goesOn(text string, at int) bool {
	if at >= len(text) || !isWord(text[at]) || !isWord(text[at-1]) {
		return false
	}
	return text[at] != '_' || at+1 < len(text) && isWord(text[at+1])
}
