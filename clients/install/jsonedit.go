package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonText is a JSON file that is edited in its own style. An edit changes the parts in root, of which
// pack makes the new text; places are those in src.
type jsonText struct {
	src     []byte
	root    *hujson.Value
	decoded any
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
	t := &jsonText{src: src, root: root, decoded: decodeJSON(root), newline: lineBreak(src), indent: "  "}
	if o, ok := root.Value.(*hujson.Object); ok && len(o.Members) > 0 {
		if first := o.Members[0].Name.StartOffset; t.isFirstOnLine(first) && t.indentOf(first) != "" {
			t.indent = t.indentOf(first)
		}
	}
	return t, nil
}

// indentOf returns the blanks at the start of the line of a place.
func (t *jsonText) indentOf(at int) string {
	line := t.src[lineStart(t.src, at):at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// isFirstOnLine reports whether only blanks stand before a place on its line.
func (t *jsonText) isFirstOnLine(at int) bool {
	return len(t.indentOf(at)) == at-lineStart(t.src, at)
}

// isOneLine reports whether a value has no line break.
func (t *jsonText) isOneLine(v *hujson.Value) bool {
	return !bytes.ContainsAny(t.src[v.StartOffset:v.EndOffset], "\r\n")
}

// insert adds a member as the first of an object. Lines that are there stay as they are,
// so that no comma and no comment of them moves.
func (t *jsonText) insert(object *hujson.Value, key string, value any) {
	o, root := object.Value.(*hujson.Object), t.root.Value.(*hujson.Object)
	next := &o.AfterExtra // What stands between the bracket and the next part.
	if len(o.Members) > 0 {
		next = &o.Members[0].Name.BeforeExtra
	}
	before, after := bracketLine(*next)
	outer := t.newline + t.indentOf(object.StartOffset)
	line := outer + t.indent
	switch {
	case len(o.Members) == 0 && len(root.Members) > 0 && t.isOneLine(t.root):
		before, after, line = "", string(*next), ""
	case len(o.Members) == 0 && t.isOneLine(object):
		after = outer + after
	case len(o.Members) == 0:
	case t.isFirstOnLine(o.Members[0].Name.StartOffset):
		line = t.newline + t.indentOf(o.Members[0].Name.StartOffset)
	default:
		before, after, line = string(*next), " ", ""
	}
	*next = hujson.Extra(after)
	o.Members = slices.Insert(o.Members, 0, hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: hujson.Extra(before + line), Value: hujson.Literal(encodeJSON(key))},
		Value: hujson.Value{BeforeExtra: hujson.Extra(" "), Value: t.encode(value, line)},
	})
}

// bracketLine splits what stands behind a bracket: into a comment on its line, if nothing else follows
// on that, and the rest.
func bracketLine(extra hujson.Extra) (comment, rest string) {
	end := lineEnd(extra, 0)
	line := strings.Trim(string(extra[:end]), " \t")
	isComment := strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*") && strings.Index(line, "*/") == len(line)-2
	if !isComment || end == len(extra) {
		return "", string(extra)
	}
	return string(extra[:end]), string(extra[end:])
}

// encode writes a value in lines, each of which begins with line; without line it stays on one.
func (t *jsonText) encode(value any, line string) hujson.Literal {
	text := encodeJSON(value)
	if line == "" {
		return text
	}
	var out bytes.Buffer
	_ = json.Indent(&out, text, strings.TrimLeft(line, "\r\n"), t.indent) // It was encoded a moment ago.
	return bytes.ReplaceAll(out.Bytes(), []byte("\n"), []byte(t.newline))
}

// encodeJSON returns the JSON of a value on one line.
func encodeJSON(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(fmt.Errorf("encode an entry: %w", err)) // It has only strings.
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// set replaces a value in the style that it has.
func (t *jsonText) set(v *hujson.Value, value any) {
	line := ""
	if !t.isOneLine(v) {
		line = t.newline + t.indentOf(v.StartOffset)
	}
	v.Value = t.encode(value, line)
}

// remove takes a member out of an object, with its lines and one comma. Comments beside it stay.
func (t *jsonText) remove(object *hujson.Value, name string) {
	o := object.Value.(*hujson.Object)
	i := indexOf(o, name)
	m := o.Members[i]
	o.Members = slices.Delete(o.Members, i, i+1)
	before, after, next := m.Name.BeforeExtra, m.Value.AfterExtra, &o.AfterExtra
	isLast := false // Without a comma behind it.
	switch {
	case i < len(o.Members):
		next = &o.Members[i].Name.BeforeExtra
	case i > 0:
		previous := &o.Members[i-1].Value
		if isLast = after == nil; isLast { // The comma before it goes.
			before = slices.Concat(previous.AfterExtra, before)
			previous.AfterExtra = nil
		} else if previous.AfterExtra == nil {
			previous.AfterExtra = hujson.Extra{}
		}
	}
	after = slices.Concat(after, *next)
	rest := bytes.TrimLeft(after, " \t")
	isFirst := t.isFirstOnLine(m.Name.StartOffset)
	switch {
	case isFirst && bytes.IndexAny(rest, "\r\n") == 0:
		before = bytes.TrimRight(before, " \t")
		before, after = before[:len(before)-len(lineBreakBefore(before, len(before)))], rest
	case isLast && !isFirst:
		before = bytes.TrimRight(before, " \t")
	default:
		after = rest
	}
	*next = slices.Concat(before, after)
}

// indexOf returns the place of a member in an object, or -1.
func indexOf(o *hujson.Object, name string) int {
	return slices.IndexFunc(o.Members, func(m hujson.ObjectMember) bool { return nameOf(&m) == name })
}
