package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// jsonText is a JSON file that is edited in its own style.
type jsonText struct {
	src     []byte
	root    *jsonValue
	newline string
	indent  string // One step of it.
}

// readJSON parses a file. An empty one counts as an empty object.
func readJSON(src []byte, comments bool) (*jsonText, error) {
	if len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte(byteOrderMark)))) == 0 {
		src = append(bytes.Clone(src), "{}\n"...)
	}
	root, err := parseJSON(src, comments)
	if err != nil {
		return nil, err
	}
	t := &jsonText{src: src, root: root, newline: lineBreak(src), indent: "  "}
	if root.kind == jsonObject && len(root.members) > 0 {
		if first := root.members[0].key.start; t.isFirstOnLine(first) && t.indentOf(first) != "" {
			t.indent = t.indentOf(first)
		}
	}
	return t, nil
}

// lineBreak is how the lines of a text end.
func lineBreak(src []byte) string {
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// lineBreakBefore is the line break that ends at a place, or empty.
func lineBreakBefore(src []byte, at int) string {
	for _, b := range []string{"\r\n", "\n"} {
		if bytes.HasSuffix(src[:at], []byte(b)) {
			return b
		}
	}
	return ""
}

// lineStart is the start of the line of a place, behind a mark of the byte order.
func lineStart(src []byte, at int) int {
	start := bytes.LastIndexByte(src[:at], '\n') + 1
	if start == 0 && bytes.HasPrefix(src, []byte(byteOrderMark)) {
		start = min(at, len(byteOrderMark))
	}
	return start
}

// indentOf is the blanks at the start of the line of a place.
func (t *jsonText) indentOf(at int) string {
	start := lineStart(t.src, at)
	end := start
	for end < at && isBlank(t.src[end]) {
		end++
	}
	return string(t.src[start:end])
}

// isFirstOnLine reports whether only blanks stand before a place on its line.
func (t *jsonText) isFirstOnLine(at int) bool {
	return len(t.indentOf(at)) == at-lineStart(t.src, at)
}

// isOneLine reports whether a value has no line break.
func (t *jsonText) isOneLine(v *jsonValue) bool {
	return !bytes.ContainsAny(t.src[v.start:v.end], "\r\n")
}

// replace is the text with another in the place of some bytes.
func (t *jsonText) replace(start, end int, text string) []byte {
	return replaceBytes(t.src, start, end, text)
}

func replaceBytes(src []byte, start, end int, text string) []byte {
	return bytes.Join([][]byte{src[:start], []byte(text), src[end:]}, nil)
}

// insert adds a member as the first of an object. Lines that are there stay as they are,
// so that no comma and no comment of them moves.
func (t *jsonText) insert(object *jsonValue, key string, value any) []byte {
	name := string(encodeJSON(key))
	if len(object.members) == 0 {
		at := t.afterBracket(object.start)
		if t.isOneLine(t.root) && len(t.root.members) > 0 {
			return t.replace(object.start+1, object.start+1, name+": "+t.encode(value, ""))
		}
		outer := t.indentOf(object.start)
		text := t.newline + outer + t.indent + name + ": " + t.encode(value, t.newline+outer+t.indent)
		if t.isOneLine(object) {
			text += t.newline + outer
		}
		return t.replace(at, at, text)
	}
	first := object.members[0].key.start
	if !t.isFirstOnLine(first) {
		return t.replace(first, first, name+": "+t.encode(value, "")+", ")
	}
	line := t.newline + t.indentOf(first)
	at := t.afterBracket(object.start)
	return t.replace(at, at, line+name+": "+t.encode(value, line)+",")
}

// afterBracket is the place behind a bracket and a comment on its line, if nothing else
// follows on it.
func (t *jsonText) afterBracket(at int) int {
	at++
	end := lineEnd(t.src, at)
	rest := strings.TrimLeft(string(t.src[at:end]), " \t")
	isComment := strings.HasPrefix(rest, "//") ||
		strings.HasPrefix(rest, "/*") && strings.Index(rest, "*/") == len(strings.TrimRight(rest, " \t"))-2
	if isComment {
		return end
	}
	return at
}

// encode writes a value in lines, each of which begins with line; without line it stays on one.
func (t *jsonText) encode(value any, line string) string {
	text := encodeJSON(value)
	if line == "" {
		return string(text)
	}
	var out bytes.Buffer
	_ = json.Indent(&out, text, "", "\t") // It was encoded a moment ago.
	lines := strings.Split(out.String(), "\n")
	for i, l := range lines {
		content := strings.TrimLeft(l, "\t")
		lines[i] = strings.Repeat(t.indent, len(l)-len(content)) + content
	}
	return strings.Join(lines, line)
}

// encodeJSON is the JSON of a value on one line.
func encodeJSON(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(fmt.Errorf("encode an entry: %w", err)) // It has only strings.
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// setAll replaces values in the style that they have.
func (t *jsonText) setAll(changes map[*jsonValue]any) []byte {
	out := t.src
	places := slices.SortedFunc(maps.Keys(changes), func(a, b *jsonValue) int { return b.start - a.start })
	for _, v := range places { // From the end, so that what stands before keeps its place.
		line := ""
		if !t.isOneLine(v) {
			line = t.newline + t.indentOf(v.start)
		}
		out = replaceBytes(out, v.start, v.end, t.encode(changes[v], line))
	}
	return out
}

// remove takes a member out of an object, with its lines and one comma.
func (t *jsonText) remove(object *jsonValue, m *jsonMember) []byte {
	start, end := m.key.start, m.value.end
	comma := -1 // Of the member before, where ours is the last.
	if next := t.skip(end); t.src[next] == ',' {
		end = next + 1
	} else if i := slices.IndexFunc(object.members, func(o jsonMember) bool { return o.key == m.key }); i > 0 {
		comma = t.skip(object.members[i-1].value.end)
	}
	start, end = t.withBlanks(start, end, comma >= 0)
	out := t.replace(start, end, "")
	if comma >= 0 {
		out = replaceBytes(out, comma, comma+1, "")
	}
	return out
}

// withBlanks widens a range: by its line break and the blanks before it, if its lines have
// nothing else, else by the blanks behind it, or before it where it is the last in a line.
func (t *jsonText) withBlanks(start, end int, isLast bool) (int, int) {
	rest := lineEnd(t.src, end)
	isFirst := t.isFirstOnLine(start)
	switch {
	case isFirst && len(bytes.Trim(t.src[end:rest], " \t")) == 0:
		start = lineStart(t.src, start)
		return start - len(lineBreakBefore(t.src, start)), rest
	case isLast && !isFirst:
		for isBlank(t.src[start-1]) {
			start--
		}
	default:
		for isBlank(t.src[end]) {
			end++
		}
	}
	return start, end
}

// skip is the place of the next byte that is neither blank nor comment.
func (t *jsonText) skip(at int) int {
	p := jsonParser{src: t.src, at: at, comments: true}
	p.space()
	return p.at
}
