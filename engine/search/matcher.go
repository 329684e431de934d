package search

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"

	"lcm-tui/data/searchwords"
	"lcm-tui/data/textsearch"
)

// matcher finds a term in a text.
type matcher interface {
	// find is the first match at or after a place; ok is false where there is none.
	find(text string, from int) (s Span, ok bool)
	// each calls fn with the matches in order until it returns false.
	each(text string, fn func(Span) bool)
}

// eachMatch calls fn with the matches that find finds.
func eachMatch(m matcher, text string, fn func(Span) bool) {
	for from := 0; from < len(text); {
		s, ok := m.find(text, from)
		if !ok || !fn(s) {
			return
		}
		from = max(s.To, from+1)
	}
}

// newMatcher returns what finds a term. It fails for a text that is no regular expression.
func newMatcher(t Term, o ParseOptions) (matcher, error) {
	switch {
	case t.Kind == Regexp:
		return newRegexpMatcher(t.Text, o)
	case isIndexable(t.Text):
		return newWordMatcher(t, o), nil
	}
	return newSubstringMatcher(t.Text, o), nil
}

// nextWord returns the span of the first word of a text at or after from; ok is false where there is none.
func nextWord(text string, from int) (s Span, ok bool) {
	s.From, s.To, ok = searchwords.Next(text, from)
	return s, ok
}

// hasCJK reports whether a text has a character of a script that is written without blanks. The
// host doesn't count the rare ones from U+20000 on.
func hasCJK(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return textsearch.IsCJK(r) || 0x20000 <= r && r <= 0x3FFFF })
}

// isIndexable reports whether the search tables of words can find a text: it has words, and no
// character of a script without blanks, whose sentences the tables take for one word.
func isIndexable(text string) bool {
	_, ok := nextWord(text, 0)
	return ok && !hasCJK(text)
}

// wordMatcher finds words in a row as the search tables do.
type wordMatcher struct {
	words  []matchedWord
	prefix bool // The last word is the beginning of one.
	// start is a beginning that every form of the first word has, in letters of ASCII, or empty.
	start string
}

// matchedWord is a word of a query.
type matchedWord struct {
	stem  string
	exact string // The word itself in lower case, if no other form of it may match, or empty.
	typed string // The word as it was typed, if case matters, or empty.
}

func newWordMatcher(t Term, o ParseOptions) wordMatcher {
	m := wordMatcher{prefix: t.Kind == Prefix}
	for s, ok := nextWord(t.Text, 0); ok; s, ok = nextWord(t.Text, s.To) {
		word := t.Text[s.From:s.To]
		w := matchedWord{stem: searchwords.Stem(searchwords.Fold(word))}
		if o.WholeWord {
			w.exact = searchwords.Fold(word)
		}
		if o.MatchCase {
			w.typed = word
		}
		m.words = append(m.words, w)
	}
	first := m.words[0].stem // Of which another form of the word may lack the last letter.
	m.start = asciiStart(first, len(first)-1)
	return m
}

// asciiStart returns the beginning of a word that every form of it has, as far as it has letters of
// ASCII, at most n of them.
func asciiStart(word string, n int) string {
	for i := range min(n, len(word)) {
		if word[i] >= utf8.RuneSelf {
			return word[:i]
		}
	}
	return word[:max(min(n, len(word)), 0)]
}

func (m wordMatcher) find(text string, from int) (Span, bool) {
	if m.start != "" && !mayContain(text[from:], m.start) {
		return Span{}, false
	}
	for s, ok := nextWord(text, from); ok; s, ok = nextWord(text, s.To) {
		if end, ok := m.matchAt(text, s); ok {
			return Span{s.From, end}, true
		}
	}
	return Span{}, false
}

func (m wordMatcher) each(text string, fn func(Span) bool) { eachMatch(m, text, fn) }

// matchAt reports whether the words of the query stand in a row from the word at s on, and
// where they end.
func (m wordMatcher) matchAt(text string, s Span) (end int, ok bool) {
	for i, w := range m.words {
		if i > 0 {
			if s, ok = nextWord(text, s.To); !ok {
				return 0, false
			}
		}
		if !w.matches(text[s.From:s.To], m.prefix && i == len(m.words)-1) {
			return 0, false
		}
	}
	return s.To, true
}

func (w matchedWord) matches(word string, prefix bool) bool {
	if w.typed != "" {
		return word == w.typed || prefix && strings.HasPrefix(word, w.typed)
	}
	folded := searchwords.Fold(word)
	if w.exact != "" {
		return folded == w.exact || prefix && strings.HasPrefix(folded, w.exact)
	}
	if folded == "" || w.stem == "" || folded[0] != w.stem[0] {
		return folded == w.stem
	}
	is := searchwords.Stem(folded)
	return is == w.stem || prefix && strings.HasPrefix(is, w.stem)
}

// mayContain reports whether a text may have a word that begins with these lower-case letters
// of ASCII: it looks at bytes only, and lets every text pass that has other letters.
func mayContain(text, letters string) bool {
	first := letters[0]
	for i := 0; i+len(letters) <= len(text); i++ {
		c := text[i]
		if c >= utf8.RuneSelf {
			return true
		}
		if c|0x20 == first|0x20 && equalLetters(text[i:i+len(letters)], letters) {
			return true
		}
	}
	for i := max(len(text)-len(letters), 0); i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

func equalLetters(text, letters string) bool {
	for i := range len(letters) {
		if text[i]|0x20 != letters[i]|0x20 {
			return false
		}
	}
	return true
}

// substringMatcher finds a text wherever it stands.
type substringMatcher struct {
	runes     []rune
	text      string // The text itself, if case matters.
	wholeWord bool
}

func newSubstringMatcher(text string, o ParseOptions) substringMatcher {
	m := substringMatcher{wholeWord: o.WholeWord && isIndexable(text)}
	if o.MatchCase {
		m.text = text
	}
	for _, r := range text {
		m.runes = append(m.runes, unicode.ToLower(r))
	}
	return m
}

func (m substringMatcher) find(text string, from int) (Span, bool) {
	if m.text != "" {
		i := strings.Index(text[from:], m.text)
		return Span{from + i, from + i + len(m.text)}, i >= 0
	}
	for i := from; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if unicode.ToLower(r) == m.runes[0] {
			if end, ok := m.matchAt(text, i); ok {
				return Span{i, end}, true
			}
		}
		i += n
	}
	return Span{}, false
}

func (m substringMatcher) each(text string, fn func(Span) bool) { eachMatch(m, text, fn) }

func (m substringMatcher) matchAt(text string, i int) (end int, ok bool) {
	for _, want := range m.runes {
		r, n := utf8.DecodeRuneInString(text[i:])
		if n == 0 || unicode.ToLower(r) != want {
			return 0, false
		}
		i += n
	}
	return i, true
}

// regexpMatcher finds a regular expression.
type regexpMatcher struct {
	*regexp.Regexp
	// required are letters that every match has, in lower case and of ASCII, or empty. To look
	// for them first is ten times as fast as the expression.
	required string
}

// newRegexpMatcher compiles a pattern. Case matters only if the pattern has a capital letter,
// or the user says so. ^ and $ match at lines.
func newRegexpMatcher(pattern string, o ParseOptions) (m regexpMatcher, err error) {
	if len(pattern) > maxPatternBytes {
		return m, errLongPattern
	}
	flags := "(?m)"
	if !o.MatchCase && !hasCapital(pattern) {
		flags = "(?mi)"
	}
	if o.WholeWord {
		pattern = `\b(?:` + pattern + `)\b`
	}
	if m.Regexp, err = regexp.Compile(flags + pattern); err != nil {
		return m, err
	}
	tree, err := syntax.Parse(flags+pattern, syntax.Perl)
	if err == nil {
		m.required = requiredLetters(tree.Simplify())
	}
	return m, err
}

// requiredLetters returns the longest letters that stand in every match of an expression.
func requiredLetters(re *syntax.Regexp) (longest string) {
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			if r >= utf8.RuneSelf {
				return ""
			}
		}
		return strings.ToLower(string(re.Rune))
	case syntax.OpCapture, syntax.OpPlus:
		return requiredLetters(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if letters := requiredLetters(sub); len(letters) > len(longest) {
				longest = letters
			}
		}
	}
	return longest
}

// mayMatch reports whether a text has the letters that every match has. Two characters beyond
// ASCII count as s and k where case doesn't matter.
func (m regexpMatcher) mayMatch(text string) bool {
	return m.required == "" || containsLetters(text, m.required) || strings.ContainsAny(m.required, "sk") && strings.ContainsAny(text, "\u017f\u212a")
}

// containsLetters reports whether a text has these lower-case letters of ASCII in any case.
func containsLetters(text, letters string) bool {
	lower, upper := letters[0], letters[0]
	if 'a' <= lower && lower <= 'z' {
		upper -= 'a' - 'A'
	}
	for i := 0; i+len(letters) <= len(text); i++ {
		if c := text[i]; (c == lower || c == upper) && equalLetters(text[i:i+len(letters)], letters) {
			return true
		}
	}
	return false
}

// hasCapital reports whether a pattern has a capital letter that isn't part of an escape such
// as \W.
func hasCapital(pattern string) bool {
	escaped := false
	for _, r := range pattern {
		switch {
		case escaped:
			escaped = false
		case r == '\\':
			escaped = true
		case unicode.IsUpper(r):
			return true
		}
	}
	return false
}

func (m regexpMatcher) find(text string, from int) (Span, bool) {
	if !m.mayMatch(text[from:]) {
		return Span{}, false
	}
	at := m.FindStringIndex(text[from:])
	if at == nil {
		return Span{}, false
	}
	return Span{from + at[0], from + at[1]}, true
}

// each finds all matches at once, because ^ and \b look at what stands before a place.
func (m regexpMatcher) each(text string, fn func(Span) bool) {
	for _, at := range m.FindAllStringIndex(text, maxMatches) {
		if !fn(Span{at[0], at[1]}) {
			return
		}
	}
}

// hasOtherCase reports whether a character beyond ASCII has an upper or a lower case.
func hasOtherCase(r rune) bool {
	return r >= utf8.RuneSelf && (unicode.ToLower(r) != r || unicode.ToUpper(r) != r)
}
