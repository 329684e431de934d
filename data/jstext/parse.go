package jstext

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is how deep values may lie in each other. The reference engine has no
// such limit, but no host writes anything near it.
const maxDepth = 5_000

// Parse returns the value of a JSON text, or undefined where it isn't JSON. Hosts store
// JSON as JavaScript wrote it, and such text is its own value: it is only looked
// through. Any other value is written again.
func Parse(s string) Value {
	c := checker{s: s, plain: true}
	c.space()
	if !c.value() {
		return ""
	}
	c.space()
	if c.i != len(s) {
		return ""
	}
	if c.plain {
		return Value(s)
	}
	w := writer{s: s}
	w.value()
	return Value(w.b)
}

// checker looks through a JSON text: is it one, and is it plain, as JavaScript
// would write it?
type checker struct {
	s     string
	i     int
	depth int
	plain bool
	keys  []string // Of the objects around this place, outermost first.
}

func (c *checker) peek() byte {
	if c.i < len(c.s) {
		return c.s[c.i]
	}
	return 0
}

// space skips white space.
func (c *checker) space() {
	for c.i < len(c.s) && isSpace(c.s[c.i]) {
		c.i++
		c.plain = false
	}
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }

func (c *checker) value() bool {
	switch b := c.peek(); {
	case b == '"':
		return c.text()
	case b == '{':
		return c.nest('}', c.member)
	case b == '[':
		return c.nest(']', c.value)
	case b == '-' || b >= '0' && b <= '9':
		return c.number()
	}
	for _, word := range []string{"true", "false", "null"} {
		if strings.HasPrefix(c.s[c.i:], word) {
			c.i += len(word)
			return true
		}
	}
	return false
}

// nest looks through what stands between brackets.
func (c *checker) nest(end byte, each func() bool) bool {
	outer := len(c.keys)
	c.i++
	if c.depth++; c.depth > maxDepth {
		return false
	}
	defer func() { c.depth, c.keys = c.depth-1, c.keys[:outer] }()
	c.space()
	if c.peek() == end {
		c.i++
		return true
	}
	for {
		if !each() {
			return false
		}
		c.distinct(c.keys[outer:])
		c.space()
		switch c.peek() {
		case ',':
			c.i++
			c.space()
		case end:
			c.i++
			return true
		default:
			return false
		}
	}
}

// distinct looks whether the last of an object's keys stood before, of which
// JavaScript keeps one. Of too many keys that is left to the writer.
func (c *checker) distinct(keys []string) {
	last := len(keys) - 1
	if !c.plain || last < 1 {
		return
	}
	c.plain = last < 64 && !slices.Contains(keys[:last], keys[last])
}

func (c *checker) member() bool {
	start := c.i
	if c.peek() != '"' || !c.text() {
		return false
	}
	key := c.s[start:c.i]
	if key[1] >= '0' && key[1] <= '9' {
		c.plain = false // JavaScript puts keys that are numbers first.
	}
	c.keys = append(c.keys, key)
	c.space()
	if c.peek() != ':' {
		return false
	}
	c.i++
	c.space()
	return c.value()
}

// text looks through a string.
func (c *checker) text() bool {
	s := c.s
	for i := c.i + 1; i < len(s); {
		switch b := s[i]; {
		case b == '"':
			c.i = i + 1
			return true
		case b < ' ':
			return false
		case b == '\\':
			n, plain := escape(s[i:])
			if n == 0 {
				return false
			}
			c.plain = c.plain && plain
			i += n
		case b < utf8.RuneSelf:
			i++
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				c.plain = false
			}
			i += n
		}
	}
	return false
}

// escape returns the length of the escape sequence at the start of s, 0 for none, and
// whether JavaScript would write it so.
func escape(s string) (n int, plain bool) {
	if len(s) < 2 {
		return 0, false
	}
	switch s[1] {
	case '"', '\\', 'b', 'f', 'n', 'r', 't':
		return 2, true
	case '/':
		return 2, false
	case 'u':
		r := unit(s)
		if r < 0 {
			return 0, false
		}
		if half := utf16.IsSurrogate(r); half || r < ' ' {
			_, n := unescape(s)
			return n, n == 6 && strings.ToLower(s[2:6]) == s[2:6] && (half || strings.IndexByte(escapable, byte(r)) < 0)
		}
		return 6, false
	}
	return 0, false
}

// number looks through a number, which is plain if it is a short whole one.
func (c *checker) number() bool {
	start := c.i
	if c.peek() == '-' {
		c.i++
	}
	whole := c.digits()
	if whole == 0 || whole > 1 && c.s[c.i-whole] == '0' {
		return false
	}
	if whole > 15 || c.s[start:c.i] == "-0" {
		c.plain = false
	}
	if c.peek() == '.' {
		c.i++
		if c.digits() == 0 {
			return false
		}
		c.plain = c.plain && shortest(c.s[start:c.i])
	}
	if b := c.peek(); b == 'e' || b == 'E' {
		c.plain = false
		c.i++
		if b := c.peek(); b == '+' || b == '-' {
			c.i++
		}
		return c.digits() > 0
	}
	return true
}

// digits skips digits and counts them.
func (c *checker) digits() int {
	start := c.i
	for c.i < len(c.s) && c.s[c.i] >= '0' && c.s[c.i] <= '9' {
		c.i++
	}
	return c.i - start
}

// shortest reports whether JavaScript would write the number so.
func shortest(s string) bool { return string(appendNumber(nil, s)) == s }
