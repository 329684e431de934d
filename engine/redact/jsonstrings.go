package redact

import (
	"strings"

	"lcm-tui/data/jstext"
)

// maxNested is how deep JSON in strings of JSON is looked into.
const maxNested = 6

// eachText calls find for the strings of a JSON text with the key of their object, also for those
// inside of JSON that is a string itself, and once for a text that isn't JSON. It returns the
// finds with their places in the text.
func eachText(text string, find func(key, value string) []span) []span {
	return eachNested("", text, maxNested, find)
}

func eachNested(key, text string, depth int, find func(key, value string) []span) []span {
	if depth == 0 || !mayBeJSON(text) {
		return find(key, text)
	}
	r := stringReader{text: text}
	var out []span
	for r.next() {
		if r.isKey() {
			r.key = jstext.Value(r.token()).Text()
			out = append(out, r.place(find("", r.key))...)
			continue
		}
		value := jstext.Value(r.token()).Text()
		out = append(out, r.place(eachNested(r.keyOf(), value, depth-1, find))...)
	}
	if r.broken {
		return find(key, text)
	}
	return out
}

// mayBeJSON reports whether a text begins and ends as an object, an array or a string does.
func mayBeJSON(text string) bool {
	text = strings.Trim(text, " \t\r\n")
	if len(text) < 2 {
		return false
	}
	switch last := text[len(text)-1]; text[0] {
	case '{':
		return last == '}'
	case '[':
		return last == ']'
	case '"':
		return last == '"'
	}
	return false
}

// stringReader reads the strings of a JSON text, or of several one behind the other.
type stringReader struct {
	text       string
	at         int
	start, end int    // The place of the string, with its quotation marks.
	key        string // The last key.
	value      bool   // The string is the value of that key, or in an array that is.
	broken     bool   // Something stands between strings that isn't JSON.
}

// next goes to the next string.
func (r *stringReader) next() bool {
	r.value = false
	for r.at < len(r.text) {
		switch b := r.text[r.at]; b {
		case '"':
			r.start = r.at
			r.end = endOfString(r.text, r.at)
			r.at = r.end
			if r.end == 0 {
				r.broken = true
			}
			return !r.broken
		case ':', '[':
			r.value = true
			r.at++
		case '{', '}', ']', ',', ' ', '\t', '\r', '\n', '-', '+', '.', 'e', 'E', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			r.at++
		case 't', 'n', 'f':
			if !r.skipWord() {
				r.broken = true
				return false
			}
		default:
			r.broken = true
			return false
		}
	}
	return false
}

func (r *stringReader) skipWord() bool {
	for _, w := range []string{"true", "false", "null"} {
		if strings.HasPrefix(r.text[r.at:], w) {
			r.at += len(w)
			return true
		}
	}
	return false
}

// endOfString returns the place behind the string that begins at i, or 0 where it doesn't end.
func endOfString(text string, i int) int {
	for i++; i < len(text); i++ {
		n := strings.IndexAny(text[i:min(len(text), i+16)], `"\`)
		if n < 0 {
			quote := strings.IndexByte(text[i:], '"')
			if quote < 0 {
				return 0
			}
			if n = strings.IndexByte(text[i:i+quote], '\\'); n < 0 {
				n = quote
			}
		}
		if i += n; text[i] == '"' {
			return i + 1
		}
		i++ // What is escaped.
	}
	return 0
}

func (r *stringReader) token() string { return r.text[r.start:r.end] }

// isKey reports whether a colon follows.
func (r *stringReader) isKey() bool {
	for i := r.end; i < len(r.text); i++ {
		switch r.text[i] {
		case ' ', '\t', '\r', '\n':
		default:
			return r.text[i] == ':'
		}
	}
	return false
}

// keyOf returns the key that the string is the value of.
func (r *stringReader) keyOf() string {
	if r.value {
		return r.key
	}
	return ""
}

// place gives finds in the decoded string their places in the text.
func (r *stringReader) place(found []span) []span {
	if len(found) == 0 {
		return nil
	}
	inner := r.text[r.start+1 : r.end-1]
	for i := range found {
		f := &found[i]
		f.from, f.to = r.start+1+escapedAt(inner, f.from), r.start+1+escapedAt(inner, f.to)
	}
	return found
}

// escapedAt returns the place in the escaped form of a string that a place in its text has.
func escapedAt(escaped string, at int) int {
	n := strings.IndexByte(escaped, '\\')
	if n < 0 || at <= n {
		return at
	}
	i, decoded := n, n
	for i < len(escaped) && decoded < at {
		if escaped[i] != '\\' {
			i++
			decoded++
			continue
		}
		size := 2
		if i+1 < len(escaped) && escaped[i+1] == 'u' {
			size = 6
			if two := decodedLen(escaped, i, 12); two == 4 && strings.HasPrefix(escaped[min(len(escaped), i+6):], `\u`) {
				size = 12
			}
		}
		decoded += decodedLen(escaped, i, size)
		i += size
	}
	return min(i, len(escaped))
}

// decodedLen returns the length of the text of an escape sequence.
func decodedLen(escaped string, i, size int) int {
	return len(jstext.Value(`"` + escaped[i:min(len(escaped), i+size)] + `"`).Text())
}
