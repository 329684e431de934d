package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tailscale/hujson"
)

// maxDepth is how deep values may lie in each other.
const maxDepth = 1000

// parseJSON reads a whole file, with comments and trailing commas where a client takes them. An
// error names the place.
func parseJSON(src []byte, comments bool) (*hujson.Value, error) {
	if i := invalidUTF8(src); i >= 0 {
		return nil, syntaxErrorAt(src, i, "the text is not UTF-8")
	}
	text := append(bytes.Clone(src), '\n') // The library wants an end of each comment.
	hasMark := bytes.HasPrefix(text, []byte(byteOrderMark))
	if hasMark {
		copy(text, "   ")
	}
	at, problem := scanJSON(text, comments)
	root, err := hujson.Parse(text[:at])
	if place := min(errorPlace(text, err), len(src)); err != nil && (problem == "" || place < at) {
		at, problem = place, jsonProblem(err, text[place])
	}
	if problem != "" {
		return nil, syntaxErrorAt(src, at, problem)
	}
	if hasMark {
		copy(text, byteOrderMark) // The values are parts of the text.
	}
	root.AfterExtra = root.AfterExtra[:len(root.AfterExtra)-1]
	if at, problem = checkJSON(&root, comments); problem != "" {
		return nil, syntaxErrorAt(src, at, problem)
	}
	return &root, nil
}

// scanJSON finds what the library doesn't refuse, or refuses at another place: strings and comments
// without an end, values that lie too deep for it, and comments that the client doesn't take. Without
// a problem the place is the end.
func scanJSON(text []byte, comments bool) (at int, problem string) {
	for depth := 0; at < len(text) && problem == ""; {
		switch b := text[at]; {
		case (b == '{' || b == '[') && depth == maxDepth:
			return at, "values lie too deep in each other"
		case b == '{' || b == '[':
			depth++
			at++
		case b == '}' || b == ']':
			depth--
			at++
		case b == '"':
			at, problem = stringEnd(text, at)
		case b != '/' || text[at+1] != '/' && text[at+1] != '*':
			at++
		case comments:
			at, problem = commentEnd(text, at)
		default:
			return at, "expected a key in quotes or a value: this client takes no comments"
		}
	}
	return at, problem
}

// stringEnd returns the place behind a string, or that of a problem.
func stringEnd(text []byte, start int) (at int, problem string) {
	for at = start + 1; at < len(text); at++ {
		switch {
		case text[at] == '"':
			return at + 1, ""
		case text[at] == '\\':
			at++
		case text[at] < ' ' && at < len(text)-1:
			return at, "a control character or a line break stands in a string"
		}
	}
	return start, "a string has no end"
}

// commentEnd returns the place behind a comment, or that of a problem.
func commentEnd(text []byte, start int) (at int, problem string) {
	if text[start+1] == '/' {
		if at = lineEnd(text, start); lineBreakAt(text, at) == "" {
			return start, "a comment ends with a carriage return alone"
		}
		return at, ""
	}
	end := bytes.Index(text[start+2:], []byte("*/"))
	if end < 0 {
		return start, "a comment has no end"
	}
	return start + 2 + end + 2, ""
}

// errorPlace returns the byte that an error of the library is about. Only its text has that.
func errorPlace(text []byte, err error) (at int) {
	line, column := 1, 1
	if err != nil {
		_, _ = fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column)
	}
	for range line - 1 {
		at += bytes.IndexByte(text[at:], '\n') + 1
	}
	return at + column - 1
}

// jsonProblem says in our words what the library says about a byte: it would repeat the value, which
// may be a secret.
func jsonProblem(err error, b byte) string {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return "the text ends too early"
	}
	for _, p := range []struct{ says, problem string }{
		{"after top-level value", "there is more text after the end"},
		{"after object name", "expected a colon after the key"},
		{"after object value", "expected a comma or }"},
		{"after array value", "expected a comma or ]"},
		{"in line comment", "a comment has a separator of lines in it"},
	} {
		if strings.Contains(err.Error(), p.says) {
			return p.problem
		}
	}
	switch {
	case b == '"':
		return "a string has an escape that JSON does not know"
	case b == '-' || b >= '0' && b <= '9':
		return "a number is not written as JSON writes it"
	}
	return "expected a key in quotes or a value"
}

// checkJSON finds a key that an object has twice, and a comma at the end where the client takes none.
func checkJSON(root *hujson.Value, comments bool) (at int, problem string) {
	for v := range root.All() {
		var last *hujson.Value
		switch c := v.Value.(type) {
		case *hujson.Object:
			known := make(map[string]bool, len(c.Members))
			for i := range c.Members {
				m := &c.Members[i]
				if known[nameOf(m)] {
					return m.Name.StartOffset, "the key " + string(m.Name.Value.(hujson.Literal)) + " is there twice"
				}
				known[nameOf(m)], last = true, &m.Value
			}
		case *hujson.Array:
			if n := len(c.Elements); n > 0 {
				last = &c.Elements[n-1]
			}
		}
		if !comments && last != nil && last.AfterExtra != nil {
			return last.EndOffset + len(last.AfterExtra), "a comma stands before the closing bracket"
		}
	}
	return 0, ""
}

// nameOf returns the name of a member as it is meant.
func nameOf(m *hujson.ObjectMember) string { return textOf(&m.Name) }

// textOf returns the text that a string stands for, another value as it is written, or empty for a list or
// an object.
func textOf(v *hujson.Value) string {
	literal, _ := v.Value.(hujson.Literal)
	return literal.String()
}

// decodeJSON returns the values of a text as package json has them; numbers are as they are written.
func decodeJSON(root *hujson.Value) (value any) {
	standard := root.Clone()
	standard.Standardize()
	d := json.NewDecoder(bytes.NewReader(standard.Pack()))
	d.UseNumber()
	_ = d.Decode(&value) // The library took it for valid.
	return value
}
