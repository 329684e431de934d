package install

import (
	"bytes"
	"slices"

	"github.com/tailscale/hujson"
)

// appendElement adds a value at the end of a list, in the style of the list. Nothing before it moves, since
// clients know a handler by its place.
func (t *jsonText) appendElement(list *hujson.Value, value any) {
	a := list.Value.(*hujson.Array)
	outer := t.newline + t.indentOf(list.StartOffset)
	line, end := "", a.AfterExtra
	element := hujson.Value{}
	if n := len(a.Elements); n == 0 {
		if !t.isOneLine(t.root) {
			line, end = outer+t.indent, hujson.Extra(outer)
		}
		element.BeforeExtra = hujson.Extra(string(bytes.TrimRight(a.AfterExtra, " \t\r\n")) + line)
	} else {
		last := &a.Elements[n-1]
		if t.isFirstOnLine(a.Elements[0].StartOffset) {
			line = t.newline + t.indentOf(a.Elements[0].StartOffset)
			end = hujson.Extra(outer)
			element.BeforeExtra = hujson.Extra(string(bytes.TrimRight(a.AfterExtra, " \t\r\n")) + line)
		} else {
			element.BeforeExtra = hujson.Extra(" ")
		}
		if last.AfterExtra != nil { // A comma at the end stays the style of the list.
			element.AfterExtra = hujson.Extra{}
		}
	}
	element.Value = t.encode(value, line)
	a.Elements, a.AfterExtra = append(a.Elements, element), end
}

// removeElement takes an element out of a list that has others, as if it had never been appended. Comments
// before it stay.
func (t *jsonText) removeElement(list *hujson.Value, i int) {
	a := list.Value.(*hujson.Array)
	gone := a.Elements[i]
	a.Elements = slices.Delete(a.Elements, i, i+1)
	comments := bytes.TrimRight(gone.BeforeExtra, " \t\r\n")
	if i < len(a.Elements) {
		next := &a.Elements[i]
		next.BeforeExtra = slices.Concat(comments, next.BeforeExtra)
		return
	}
	a.AfterExtra = slices.Concat(comments, a.AfterExtra)
	last := &a.Elements[i-1]
	switch {
	case gone.AfterExtra == nil: // The comma before it goes.
		a.AfterExtra = slices.Concat(last.AfterExtra, a.AfterExtra)
		last.AfterExtra = nil
	case last.AfterExtra == nil:
		last.AfterExtra = hujson.Extra{}
	}
}
