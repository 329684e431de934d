package install

import (
	"bytes"
	"errors"
	"slices"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlAssignment is a key and its value in a TOML file, also one in an inline table.
type tomlAssignment struct {
	path     []string // Of the tables and the key.
	start    int      // Of the key.
	value    int      // Where the value begins.
	end      int
	isInline bool // It stands in an inline table.
	isTable  bool // Its value is an inline table.
}

// tomlTable is a table with a header of its own.
type tomlTable struct {
	path       []string
	isArray    bool
	start, end int // From the header to the end of the last assignment.
}

// tomlText is a TOML file and where its parts stand.
type tomlText struct {
	src         []byte
	newline     string
	decoded     map[string]any
	tables      []tomlTable
	assignments []tomlAssignment
}

// readTOML parses a file. An error names the place.
func readTOML(src []byte) (*tomlText, error) {
	if i := invalidUTF8(src); i >= 0 {
		return nil, syntaxErrorAt(src, i, "the text is not UTF-8")
	}
	t := &tomlText{src: src, newline: lineBreak(src), decoded: map[string]any{}}
	mark := 0
	if bytes.HasPrefix(src, []byte(byteOrderMark)) {
		mark = len(byteOrderMark)
	}
	if err := toml.Unmarshal(src[mark:], &t.decoded); err != nil {
		var at *toml.DecodeError
		if !errors.As(err, &at) {
			return nil, syntaxErrorAt(src, 0, err.Error())
		}
		line, column := at.Position()
		return nil, syntaxError(line, column, tomlProblem(at))
	}
	var p unstable.Parser
	p.Reset(src[mark:])
	var table []string
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			var start int
			table, start = t.key(e, mark)
			start = mark + bytes.LastIndexByte(src[mark:start], '[')
			if e.Kind == unstable.ArrayTable {
				start--
			}
			t.tables = append(t.tables, tomlTable{path: table, isArray: e.Kind == unstable.ArrayTable, start: start, end: lineEnd(src, start)})
		case unstable.KeyValue:
			end := t.assign(e, table, mark, false)
			if n := len(t.tables); n > 0 {
				t.tables[n-1].end = end
			}
		default: // A comment.
		}
	}
	return t, nil
}

// tomlProblem returns the error of the parser without the name of its library.
func tomlProblem(e *toml.DecodeError) string {
	return string(bytes.TrimPrefix([]byte(e.Error()), []byte("toml: ")))
}

// key returns the path of an expression and where it begins.
func (*tomlText) key(e *unstable.Node, mark int) (path []string, start int) {
	start = -1
	for it := e.Key(); it.Next(); {
		if start < 0 {
			start = mark + int(it.Node().Raw.Offset)
		}
		path = append(path, string(it.Node().Data))
	}
	return path, start
}

// assign notes an assignment and those in its inline table. It returns where it ends.
func (t *tomlText) assign(e *unstable.Node, table []string, mark int, isInline bool) (end int) {
	name, start := t.key(e, mark)
	a := tomlAssignment{path: slices.Concat(table, name), start: start, isInline: isInline}
	a.end = mark + int(e.Raw.Offset+e.Raw.Length)
	last := start
	for it := e.Key(); it.Next(); {
		last = mark + int(it.Node().Raw.Offset+it.Node().Raw.Length)
	}
	a.value = last + bytes.IndexByte(t.src[last:], '=') + 1
	a.value += len(t.src[a.value:]) - len(bytes.TrimLeft(t.src[a.value:], " \t"))
	a.isTable = e.Value().Kind == unstable.InlineTable
	t.assignments = append(t.assignments, a)
	if a.isTable {
		for it := e.Value().Children(); it.Next(); {
			if it.Node().Kind == unstable.KeyValue {
				t.assign(it.Node(), a.path, mark, true)
			}
		}
	}
	return a.end
}
