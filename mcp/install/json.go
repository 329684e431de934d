package install

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// maxDepth is how deep values may lie in each other.
const maxDepth = 1000

// byteOrderMark may stand at the start of a file. It isn't a part of the JSON or TOML.
const byteOrderMark = "\xef\xbb\xbf"

// jsonKind is the type of a JSON value.
type jsonKind string

// The types of JSON values, as messages name them.
const (
	jsonObject  jsonKind = "an object"
	jsonArray   jsonKind = "an array"
	jsonString  jsonKind = "a string"
	jsonNumber  jsonKind = "a number"
	jsonLiteral jsonKind = "true, false or null"
)

// jsonValue is a value and where it stands in the file.
type jsonValue struct {
	kind       jsonKind
	start, end int    // Bytes, of which end is the first one behind it.
	text       string // Of a string what it stands for, else as it is written.
	members    []jsonMember
	elements   []*jsonValue
}

// jsonMember is a key of an object and its value.
type jsonMember struct{ key, value *jsonValue }

// member is the member of a name; nil where there is none.
func (v *jsonValue) member(name string) *jsonMember {
	for i := range v.members {
		if v.members[i].key.text == name {
			return &v.members[i]
		}
	}
	return nil
}

// jsonParser reads JSON, with comments and trailing commas where a client takes them.
type jsonParser struct {
	src      []byte
	at       int
	depth    int
	comments bool
}

// parseJSON reads a whole file. An error is a *SyntaxError.
func parseJSON(src []byte, comments bool) (root *jsonValue, err error) {
	p := &jsonParser{src: src, comments: comments}
	defer func() {
		if failed, ok := recover().(*SyntaxError); ok {
			root, err = nil, failed
		}
	}()
	if i := invalidUTF8(src); i >= 0 {
		p.fail(i, "the text is not UTF-8")
	}
	if bytes.HasPrefix(src, []byte(byteOrderMark)) {
		p.at = len(byteOrderMark)
	}
	p.space()
	root = p.value()
	p.space()
	if p.at < len(src) {
		p.fail(p.at, "there is more text after the end")
	}
	return root, nil
}

// invalidUTF8 is the place of the first byte that isn't UTF-8, or -1.
func invalidUTF8(src []byte) int {
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// fail ends the parsing.
func (p *jsonParser) fail(at int, problem string) { panic(newSyntaxError(p.src, at, problem)) }

func (p *jsonParser) peek() byte {
	if p.at < len(p.src) {
		return p.src[p.at]
	}
	return 0
}

// space skips blanks and comments.
func (p *jsonParser) space() {
	for p.at < len(p.src) {
		switch {
		case isBlank(p.src[p.at]) || p.src[p.at] == '\n' || p.src[p.at] == '\r':
			p.at++
		case p.comments && bytes.HasPrefix(p.src[p.at:], []byte("//")):
			p.at = lineEnd(p.src, p.at)
		case p.comments && bytes.HasPrefix(p.src[p.at:], []byte("/*")):
			end := bytes.Index(p.src[p.at+2:], []byte("*/"))
			if end < 0 {
				p.fail(p.at, "a comment has no end")
			}
			p.at += 2 + end + 2
		default:
			return
		}
	}
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' }

// lineEnd is the place of the line break after a place, or the end of the text.
func lineEnd(src []byte, at int) int {
	for at < len(src) && src[at] != '\n' && src[at] != '\r' {
		at++
	}
	return at
}

func (p *jsonParser) value() *jsonValue {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.at, "values lie too deep in each other")
	}
	defer func() { p.depth-- }()
	v := &jsonValue{start: p.at}
	switch b := p.peek(); {
	case b == '{':
		p.object(v)
	case b == '[':
		p.array(v)
	case b == '"':
		v.kind, v.text = jsonString, p.string()
	case b == '-' || b >= '0' && b <= '9':
		v.kind = jsonNumber
		p.number()
	default:
		v.kind = jsonLiteral
		p.literal()
	}
	v.end = p.at
	if v.kind == jsonNumber || v.kind == jsonLiteral {
		v.text = string(p.src[v.start:v.end])
	}
	return v
}

func (p *jsonParser) object(v *jsonValue) {
	v.kind = jsonObject
	known := map[string]bool{}
	p.list('}', func() {
		if p.peek() != '"' {
			p.fail(p.at, `expected a key in quotes`)
		}
		key := &jsonValue{kind: jsonString, start: p.at}
		key.text = p.string()
		key.end = p.at
		if known[key.text] {
			p.fail(key.start, "the key "+string(p.src[key.start:key.end])+" is there twice")
		}
		known[key.text] = true
		p.space()
		if p.peek() != ':' {
			p.fail(p.at, "expected a colon after the key")
		}
		p.at++
		p.space()
		v.members = append(v.members, jsonMember{key, p.value()})
	})
}

func (p *jsonParser) array(v *jsonValue) {
	v.kind = jsonArray
	p.list(']', func() { v.elements = append(v.elements, p.value()) })
}

// list reads what stands between brackets, with a comma between each two.
func (p *jsonParser) list(end byte, each func()) {
	p.at++
	p.space()
	for p.peek() != end {
		each()
		p.space()
		switch b := p.peek(); {
		case b == ',':
			comma := p.at
			p.at++
			p.space()
			if p.peek() == end && !p.comments {
				p.fail(comma, "a comma stands before the closing bracket")
			}
		case b != end:
			p.fail(p.at, "expected a comma or "+string(end))
		}
	}
	p.at++
}

// string reads a string and returns the text that it stands for.
func (p *jsonParser) string() string {
	start := p.at
	for p.at++; p.at < len(p.src); p.at++ {
		switch b := p.src[p.at]; {
		case b == '\\':
			p.at++
		case b < ' ':
			p.fail(p.at, "a control character or a line break stands in a string")
		case b == '"':
			p.at++
			var text string
			if json.Unmarshal(p.src[start:p.at], &text) != nil {
				p.fail(start, "a string has an escape that JSON does not know")
			}
			return text
		}
	}
	p.fail(start, "a string has no end")
	return ""
}

// number reads a number.
func (p *jsonParser) number() {
	start := p.at
	for p.at < len(p.src) && bytes.IndexByte([]byte("+-.0123456789eE"), p.src[p.at]) >= 0 {
		p.at++
	}
	if !json.Valid(p.src[start:p.at]) {
		p.fail(start, "a number is not written as JSON writes it")
	}
}

// literal reads true, false or null.
func (p *jsonParser) literal() {
	for _, word := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(p.src[p.at:], []byte(word)) {
			p.at += len(word)
			return
		}
	}
	if p.at == len(p.src) {
		p.fail(p.at, "the text ends too early")
	}
	p.fail(p.at, "expected a value")
}
