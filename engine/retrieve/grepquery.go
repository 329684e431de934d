package retrieve

import (
	"slices"
	"strings"
	"unicode"

	"lcm-tui/data/jstext"
	"lcm-tui/data/textsearch"
	"lcm-tui/internal/lazyregexp"
)

var phrase = lazyregexp.New(`"([^"]+)"`)

// tokens returns the phrases in quotation marks and the other words of a query, in their order.
func tokens(query string) (out []string) {
	words := func(s string) {
		out = append(out, strings.FieldsFunc(s, jstext.IsSpace)...)
	}
	end := 0
	for _, at := range phrase.FindAllStringSubmatchIndex(query, -1) {
		words(query[end:at[0]])
		out = append(out, jstext.Trim(query[at[2]:at[3]]))
		end = at[1]
	}
	words(query[end:])
	return out
}

// countWords returns how many words, phrases and characters of CJK a query has.
func countWords(query string) (n int) {
	for _, r := range query {
		if textsearch.IsCJK(r) {
			n++
		}
	}
	return n + len(tokens(query))
}

// ftsQuery returns a query for a search table: every phrase and word in quotation marks, so that no
// word is an operator. All of them have to be found.
func ftsQuery(query string) string {
	var quoted []string
	for _, t := range tokens(query) {
		if t = strings.NewReplacer(`"`, "", "\x00", " ").Replace(t); t != "" { // SQLite reads up to a NUL.
			quoted = append(quoted, `"`+t+`"`)
		}
	}
	if len(quoted) == 0 {
		return `""`
	}
	return strings.Join(quoted, " ")
}

// likeTerms returns the phrases and words of a query without the punctuation around them, in lower
// case, each once.
func likeTerms(query string) (terms []string) {
	for _, t := range tokens(query) {
		t = jstext.Lower(jstext.Trim(strings.Trim(t, "`'\"()[]{}<>.,:;!?*_+=|\\/-")))
		if t != "" && !slices.Contains(terms, t) {
			terms = append(terms, t)
		}
	}
	return terms
}

func hasCJK(s string) bool { return strings.ContainsFunc(s, textsearch.IsCJK) }

// cjkQuery is a query with runs of CJK and words of Latin letters.
type cjkQuery struct{ runs, latin []string }

var latinWord = lazyregexp.New(`[A-Za-z0-9][A-Za-z0-9_./-]*`)

func parseCJK(query string) (q cjkQuery) {
	q.runs = strings.FieldsFunc(query, func(r rune) bool { return !textsearch.IsCJK(r) })
	for _, word := range latinWord.FindAllString(query, -1) {
		q.latin = append(q.latin, strings.ToLower(word))
	}
	return q
}

// long reports whether every run is long enough for trigrams.
func (q cjkQuery) long() bool {
	return !slices.ContainsFunc(q.runs, func(run string) bool { return len([]rune(run)) < 3 })
}

// trigramPart is how many characters a part of a run has in the search table of trigrams.
const trigramPart = 4

// trigrams returns the query for the search table of trigrams: of a run over 4 characters one of its
// parts has to be found, of the others the run.
func (q cjkQuery) trigrams() string {
	var all []string
	for _, run := range q.runs {
		parts := parts(run, trigramPart)
		for i, p := range parts {
			parts[i] = `"` + p + `"`
		}
		if len(parts) == 1 {
			all = append(all, parts[0])
		} else {
			all = append(all, "("+strings.Join(parts, " OR ")+")")
		}
	}
	return strings.Join(all, " AND ")
}

// groups returns groups of texts, of each of which one has to be found, and all of these texts: the
// parts of n characters of each run, and the Latin words.
func (q cjkQuery) groups(n int) (groups [][]string, terms []string) {
	for _, run := range q.runs {
		groups = append(groups, parts(run, n))
	}
	groups = append(groups, eachAlone(q.latin)...)
	for _, g := range groups {
		for _, t := range g {
			if !slices.Contains(terms, t) {
				terms = append(terms, t)
			}
		}
	}
	return groups, terms
}

// parts returns the different pieces of n characters of a run, or the run where it isn't longer.
func parts(run string, n int) (out []string) {
	rs := []rune(run)
	if len(rs) <= n {
		return []string{run}
	}
	for i := 0; i+n <= len(rs); i++ {
		if p := string(rs[i : i+n]); !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// likeSnippet returns a text around the first place of any of some terms, which are in lower case.
func likeSnippet(text string, terms []string) string {
	const before, after, head = 24, 40, 80
	at, length := -1, 0
	folded := jstext.Lower(text)
	for _, t := range terms {
		if i := strings.Index(folded, t); i >= 0 && (at < 0 || i < at) {
			at, length = i, jstext.Length(t)
		}
	}
	if at < 0 {
		if text = jstext.Trim(text); jstext.Length(text) <= head {
			return text
		}
		return strings.TrimRightFunc(jstext.Slice(text, 0, head-3), jstext.IsSpace) + "..."
	}
	start := jstext.Length(folded[:at])
	return excerpt(text, start-before, start+length+after)
}

// excerpt returns a text from one code unit up to another, with dots where it is cut.
func excerpt(text string, from, to int) string {
	out := jstext.Trim(jstext.Slice(text, from, to))
	if from > 0 {
		out = "..." + out
	}
	if to < jstext.Length(text) {
		out += "..."
	}
	return out
}

// regexSyntax names the first thing in a full-text pattern that only a regular expression
// understands, or is empty. What stands in quotation marks is a phrase.
func regexSyntax(pattern string) string {
	rs := []rune(pattern)
	at := func(i int) rune {
		if i < 0 || i >= len(rs) {
			return ' '
		}
		return rs[i]
	}
	quoted := false
	for i := 0; i < len(rs); i++ {
		switch r := rs[i]; {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == '\\':
			if strings.ContainsRune("bBdDsSwW", at(i+1)) {
				return "regex character escape"
			}
			i++
		case r == '|':
			return "alternation"
		case r == '.' && strings.ContainsRune("*+?", at(i+1)):
			return "wildcard"
		case r == '[' && slices.Index(rs[i+1:], ']') >= 1:
			return "character class"
		case r == '^' && isBlank(at(i-1)), r == '$' && isBlank(at(i+1)):
			return "anchor"
		}
	}
	return ""
}

func isBlank(r rune) bool { return unicode.IsSpace(r) || jstext.IsSpace(r) }
