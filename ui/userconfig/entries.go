package userconfig

import (
	"errors"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// entry is a key of the file with its value and its place.
type entry struct {
	table, name         string
	values              []string            // Of a text, a number or a list.
	pairs               map[string][]string // Of a table; nil for other values.
	line, column, order int
}

// readEntries returns the entries of a TOML text; of one that can't be parsed none, and why.
func readEntries(text []byte) (out []entry, problems []Problem) {
	var decoded map[string]any
	if err := toml.Unmarshal(text, &decoded); err != nil {
		p := Problem{Text: err.Error()}
		var at *toml.DecodeError
		if errors.As(err, &at) {
			p.Line, p.Column = at.Position()
			p.Text = strings.TrimPrefix(at.Error(), "toml: ")
		}
		return nil, []Problem{p}
	}
	var p unstable.Parser
	p.Reset(text)
	table := ""
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = strings.Join(keyOf(e), ".")
		case unstable.KeyValue:
			out = append(out, readEntry(&p, e, table, len(out)))
		default: // A comment.
		}
	}
	return out, nil
}

// readEntry reads a key with its value. A dotted key, as in keys.undo, names its table.
func readEntry(p *unstable.Parser, e *unstable.Node, table string, order int) entry {
	path := keyOf(e)
	it := e.Key()
	it.Next()
	at := p.Shape(it.Node().Raw).Start
	out := entry{table: table, name: path[len(path)-1], line: at.Line, column: at.Column, order: order}
	if more := path[:len(path)-1]; len(more) > 0 {
		out.table = strings.TrimPrefix(table+"."+strings.Join(more, "."), ".")
	}
	if v := e.Value(); v.Kind == unstable.InlineTable {
		out.pairs = map[string][]string{}
		for children := v.Children(); children.Next(); {
			pair := children.Node()
			out.pairs[strings.Join(keyOf(pair), ".")] = valuesOf(pair.Value())
		}
	} else {
		out.values = valuesOf(v)
	}
	return out
}

// keyOf returns the parts of a key.
func keyOf(n *unstable.Node) (parts []string) {
	for it := n.Key(); it.Next(); {
		parts = append(parts, string(it.Node().Data))
	}
	return parts
}

// valuesOf returns a text, a number or those of a list.
func valuesOf(v *unstable.Node) (out []string) {
	if v.Kind != unstable.Array {
		return []string{string(v.Data)}
	}
	for it := v.Children(); it.Next(); {
		out = append(out, string(it.Node().Data))
	}
	return out
}

// isColor reports whether a text is #rrggbb or the number of an ANSI colour.
func isColor(s string) bool {
	if rest, isHex := strings.CutPrefix(s, "#"); isHex {
		_, err := strconv.ParseUint(rest, 16, 32)
		return err == nil && len(rest) == 6
	}
	n, err := strconv.ParseUint(s, 10, 8)
	return err == nil && strconv.FormatUint(n, 10) == s
}
