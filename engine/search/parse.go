package search

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"time"
)

// ParseOptions say how a query is read.
type ParseOptions struct {
	Regexp    bool           // All that is no filter is one regular expression.
	MatchCase bool           // Upper and lower case differ.
	WholeWord bool           // Only whole words match, not other forms of them.
	Location  *time.Location // Where the days of dates begin and end; nil is UTC.
	Now       time.Time      // From which 7d and yesterday are counted; zero is the present.
}

// Limits of a query.
const (
	// MaxQueryBytes is the length of the longest query; of a longer one the rest is left out.
	MaxQueryBytes = 64 << 10
	// maxTerms is how many terms are searched; the rest is left out. The time of a search table
	// grows with their square.
	maxTerms = 200
	// maxPatternBytes is the length of the longest regular expression: a text is compared with
	// every part of it, letter by letter.
	maxPatternBytes = 2000
)

// Parse reads a query. It understands every text: what is no filter is searched as text, and
// Notes say so.
func Parse(text string, o ParseOptions) Query {
	if o.Location == nil {
		o.Location = time.UTC
	}
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	p := parser{ParseOptions: o, query: Query{Text: text, options: o}}
	p.query.options.Regexp = false // What is made of the query is written in the language.
	if len(text) > MaxQueryBytes {
		text = strings.ToValidUTF8(text[:MaxQueryBytes], "")
		p.note("the query is longer than %d bytes: the rest is left out", MaxQueryBytes)
	}
	p.parse(strings.ToValidUTF8(text, "\uFFFD"))
	return p.query
}

type parser struct {
	ParseOptions
	query Query
}

func (p *parser) note(format string, args ...any) {
	p.query.Notes = append(p.query.Notes, fmt.Sprintf(format, args...))
}

func (p *parser) parse(text string) {
	var pattern []string
	joined := false // OR stands before the next term.
	for _, t := range tokens(text) {
		switch {
		case t.name != "" && p.addFilter(t):
			joined = false
		case p.Regexp:
			pattern = append(pattern, typed(t))
		case t.isOr:
			joined = len(p.query.Groups) > 0
		default:
			p.addTerm(t, joined)
			joined = false
		}
	}
	if len(pattern) > 0 {
		p.addTerm(token{kind: Regexp, text: strings.Join(pattern, " ")}, false)
	}
	p.shorten()
}

// shorten leaves out terms that are there already, and those beyond the limit.
func (p *parser) shorten() {
	p.query.Groups = unique(p.query.Groups, Group.String)
	left := maxTerms
	for i, g := range p.query.Groups {
		p.query.Groups[i] = unique(g, Term.String)
		if left -= len(p.query.Groups[i]); left < 0 {
			p.query.Groups[i] = p.query.Groups[i][:len(p.query.Groups[i])+left]
			p.query.Groups = slices.DeleteFunc(p.query.Groups[:i+1], func(g Group) bool { return len(g) == 0 })
			break
		}
	}
	p.query.Excluded = unique(p.query.Excluded, Term.String)
	if most := max(left, 0); len(p.query.Excluded) > most {
		p.query.Excluded, left = p.query.Excluded[:most], -1
	}
	if left < 0 {
		p.note("the query has more than %d words: the rest is left out", maxTerms)
	}
}

// unique returns the values without those that are equal to one before them.
func unique[T any](values []T, key func(T) string) (out []T) {
	seen := map[string]bool{}
	for _, v := range values {
		if k := key(v); !seen[k] {
			seen[k] = true
			out = append(out, v)
		}
	}
	return out
}

// typed returns a token as it was typed.
func typed(t token) string {
	text := Term{Kind: t.kind, Text: t.text}.String()
	if t.not {
		return "-" + text
	}
	return text
}

// addTerm adds a term to the query, as another choice of the last group if OR stands before it.
func (p *parser) addTerm(t token, joined bool) {
	term, ok := p.term(t)
	n := len(p.query.Groups)
	switch {
	case !ok:
	case t.not:
		p.query.Excluded = append(p.query.Excluded, term)
	case joined:
		p.query.Groups[n-1] = append(p.query.Groups[n-1], term)
	default:
		p.query.Groups = append(p.query.Groups, Group{term})
	}
}

// term returns what a token asks for; a blank one asks for nothing.
func (p *parser) term(t token) (Term, bool) {
	term := Term{Kind: t.kind, Text: t.text}
	if strings.Trim(t.text, " \t\r\n-") == "" {
		return term, false
	}
	var err error
	if term.matcher, err = newMatcher(term, p.ParseOptions); err != nil {
		p.note("/%s/ is no regular expression (%s): it is searched as text", clipped(t.text), patternError(err))
		term.Kind = Phrase
		term.matcher, err = newMatcher(term, p.ParseOptions)
	}
	return term, err == nil
}

// errLongPattern says that a regular expression is too long.
var errLongPattern = fmt.Errorf("longer than %d bytes", maxPatternBytes)

// clipped returns a text as a note repeats it.
func clipped(text string) string {
	const most = 100
	if rs := []rune(text); len(rs) > most {
		return string(rs[:most]) + "…"
	}
	return text
}

// patternError returns why a pattern isn't a regular expression, without the pattern itself.
func patternError(err error) string {
	var e *syntax.Error
	if errors.As(err, &e) {
		return e.Code.String()
	}
	return err.Error()
}
