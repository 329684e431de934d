package provenance

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word, a number, a path or an id of a text.
type token struct {
	start, end int    // Bytes of the text.
	key        string // Equal tokens have the same key: lower case, without the ending.
	weight     float64
	// exact says that the token is a number, a path or an id, which a summary must repeat as it is.
	exact bool
	// alternative is another form in which a source may hold an exact token, or empty.
	alternative string
	pieces      []string // The keys of the words and numbers in an identifier.
}

// Weights of tokens.
const (
	wordWeight       = 1
	identifierWeight = 3
)

// tokenize returns the tokens of a text in order, without stop words.
func tokenize(text string) []token {
	t := tokenizer{text: text, tokens: make([]token, 0, len(text)/6)}
	t.scan()
	return t.tokens
}

// tokenizer splits one text.
type tokenizer struct {
	text   string
	tokens []token
}

func (t *tokenizer) scan() {
	for i := 0; i < len(t.text); {
		r, n := utf8.DecodeRuneInString(t.text[i:])
		switch {
		case isCJK(r):
			i = t.addCJK(i)
		case isWordRune(r) || t.beginsPath(i):
			end := t.chunkEnd(i)
			t.addChunk(i, end)
			i = end
		default:
			i += n
		}
	}
	t.joinUnits()
}

// isCJK reports whether a script writes words without blanks between them.
func isCJK(r rune) bool {
	return r >= 0x2E80 && (r <= 0x9FFF && !(r >= 0x3000 && r <= 0x3004) && !(r >= 0x3008 && r <= 0x3020) ||
		r >= 0xAC00 && r <= 0xD7AF || r >= 0xF900 && r <= 0xFAFF || r >= 0x20000 && r <= 0x3FFFF) && r != '・'
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return !isCJK(r) && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r))
}

// beginsPath reports whether a path begins here with a sign: /etc, ./a, ~/b, .env.
func (t *tokenizer) beginsPath(i int) bool {
	if c := t.text[i]; c != '/' && c != '.' && c != '~' {
		return false
	}
	if i > 0 && !strings.ContainsRune(" \t\n\r\"'`([{<=,|", rune(t.text[i-1])) {
		return false
	}
	rest := strings.TrimLeft(t.text[i:min(len(t.text), i+8)], "./~")
	return rest != "" && isWordRune(firstRune(rest))
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// addCJK adds the pairs of neighbouring characters of a run, and returns its end.
func (t *tokenizer) addCJK(start int) (end int) {
	previous, count := -1, 0
	for end = start; end < len(t.text); {
		r, n := utf8.DecodeRuneInString(t.text[end:])
		if !isCJK(r) {
			break
		}
		if previous >= 0 {
			t.add(token{start: previous, end: end + n, key: t.text[previous : end+n], weight: wordWeight})
		}
		previous, end, count = end, end+n, count+1
	}
	if count == 1 {
		t.add(token{start: start, end: end, key: t.text[start:end], weight: wordWeight})
	}
	return end
}

// chunkEnd returns the end of a chunk: a word, or words and numbers joined by signs.
func (t *tokenizer) chunkEnd(start int) int {
	i := start
	for i < len(t.text) && strings.IndexByte("./~", t.text[i]) >= 0 {
		i++
	}
	for i < len(t.text) {
		r, n := utf8.DecodeRuneInString(t.text[i:])
		if isWordRune(r) {
			i += n
			continue
		}
		joined := t.joint(start, i)
		if joined == 0 {
			break
		}
		i += joined
	}
	return i
}

// joint returns how many bytes of signs at i join what stands before and after them, or 0.
func (t *tokenizer) joint(start, i int) int {
	n := 0
	for i+n < len(t.text) && n < 3 && strings.IndexByte("./:-~", t.text[i+n]) >= 0 {
		n++
	}
	if n == 0 {
		if t.isJoint(start, i) {
			return 1
		}
		return 0
	}
	signs := t.text[i : i+n]
	switch {
	case n > 1 && !strings.Contains(signs, "/") && signs != "::" && signs != "--",
		signs == "--" && !isLetter(t.text[i-1]),
		!isWordRune(firstRune(t.text[i+n:])):
		return 0
	}
	return n
}

// isJoint reports whether a sign joins what stands before and after it in the chunk that began at
// start: thousands, an apostrophe, an address, or the query of a URL.
func (t *tokenizer) isJoint(start, i int) bool {
	before, after := t.text[i-1], byteAt(t.text, i+1)
	switch t.text[i] {
	case ',':
		return isDigit(before) && t.thousands(i+1)
	case '\'':
		return isLetter(before) && isLetter(after)
	case '@':
		return isLetter(before) && (isLetter(after) || isDigit(after))
	case '?', '=', '&', '#', '%', '+':
		return strings.Contains(t.text[start:i], "://") && isWordRune(rune(after))
	}
	return false
}

// thousands reports whether three digits and no fourth begin here.
func (t *tokenizer) thousands(i int) bool {
	for n := range 3 {
		if !isDigit(byteAt(t.text, i+n)) {
			return false
		}
	}
	return !isDigit(byteAt(t.text, i+3))
}

func byteAt(s string, i int) byte {
	if i < 0 || i >= len(s) {
		return 0
	}
	return s[i]
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf }

func (t *tokenizer) add(k token) { t.tokens = append(t.tokens, k) }

// addChunk adds the token of a chunk. The line number after a path is a token of its own.
func (t *tokenizer) addChunk(start, end int) {
	chunk := t.text[start:end]
	if i := strings.LastIndexByte(chunk, ':'); i > 0 && strings.ContainsAny(chunk[:i], "./") && !strings.Contains(chunk, "://") && allDigits(chunk[i+1:]) && !allDigits(chunk[:i]) {
		t.addChunk(start, start+i)
		t.addChunk(start+i+1, end)
		return
	}
	k := token{start: start, end: end, weight: wordWeight}
	switch kind := kindOf(chunk); kind {
	case plainWord:
		word := chunk
		if i := strings.IndexByte(chunk, '\''); i > 0 {
			word = chunk[:i]
		}
		lower := strings.ToLower(word)
		if stopWords[lower] {
			return
		}
		if digits := numberWords[lower]; digits != "" {
			k.key = digits
			break
		}
		k.key = Stem(lower)
		if len(word) > 1 && isUpper(word) {
			k.weight = identifierWeight
		}
	case number:
		k.key, k.weight, k.exact = numberKey(chunk), identifierWeight, true
	default:
		k.key, k.exact = strings.ToLower(chunk), kind == identifier
		if abbreviations[k.key] {
			return
		}
		if k.exact {
			k.weight = identifierWeight
		}
		k.pieces = piecesOf(k.key)
	}
	t.add(k)
}

// chunkKind is what a chunk is.
type chunkKind uint8

const (
	plainWord chunkKind = iota
	number
	compound   // Words joined by hyphens: follow-up.
	identifier // With a digit or one of the signs . / : _ inside.
)

func kindOf(chunk string) chunkKind {
	kind := plainWord
	digits, letters := false, false
	for i := range len(chunk) {
		switch c := chunk[i]; {
		case isDigit(c):
			digits = true
		case c == '-' || c == '~':
			kind = max(kind, compound)
		case c == '/' || c == ':' || c == '.' || c == '_' || c == '@':
			kind = identifier
		case c != ',' && c != '\'':
			letters = true
		}
	}
	switch {
	case digits && !letters && !strings.ContainsAny(chunk, "-/:_~@") && strings.Count(chunk, ".") <= 1:
		return number
	case digits:
		return identifier
	}
	return kind
}

func allDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// isUpper reports whether a text is in capitals.
func isUpper(s string) bool {
	if s[0] >= 'a' && s[0] <= 'z' { // Most words.
		return false
	}
	return strings.ToUpper(s) == s && strings.ToLower(s) != s
}

// piecesOf returns the keys of the words and numbers in an identifier, and a path's last name.
func piecesOf(key string) []string {
	var out []string
	if base := key[strings.LastIndexByte(key, '/')+1:]; base != key && strings.ContainsAny(base, ".-_") {
		out = append(out, base)
	}
	for _, f := range strings.FieldsFunc(key, func(r rune) bool { return !isWordRune(r) || r == '_' }) {
		if f != key && !stopWords[f] {
			out = append(out, Stem(f))
		}
	}
	return out
}
