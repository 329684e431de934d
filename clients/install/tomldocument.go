package install

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// tomlContainer is the table of all servers in Codex's configuration.
const tomlContainer = "mcp_servers"

// errInline says that the servers stand in an inline table.
var errInline = errors.New(tomlContainer + " is a table on one line, which this program does not edit")

func (t *tomlText) values() any { return t.decoded }

// ourPath returns the path of our entry, with further keys.
func ourPath(keys ...string) []string { return append([]string{tomlContainer, EntryName}, keys...) }

// isBelow reports whether a path is another or begins with it.
func isBelow(path, other []string) bool {
	return len(path) >= len(other) && slices.Equal(path[:len(other)], other)
}

// assignment returns the one of a path; nil where there is none.
func (t *tomlText) assignment(path []string) *tomlAssignment {
	i := slices.IndexFunc(t.assignments, func(a tomlAssignment) bool { return slices.Equal(a.path, path) })
	if i < 0 {
		return nil
	}
	return &t.assignments[i]
}

// add writes the entry as a table at the end of the file.
func (t *tomlText) add(s Server) ([]byte, error) {
	if t.assignment([]string{tomlContainer}) != nil {
		return nil, errInline
	}
	return append(bytes.Clone(t.src), t.separator()+strings.ReplaceAll(tomlTableText(s), "\n", t.newline)...), nil
}

// separator returns what makes the end of the file a blank line.
func (t *tomlText) separator() string {
	text := bytes.TrimPrefix(t.src, []byte(byteOrderMark))
	switch {
	case len(text) == 0 || bytes.HasSuffix(text, []byte("\n\n")) || bytes.HasSuffix(text, []byte("\n\r\n")):
		return ""
	case text[len(text)-1] == '\n':
		return t.newline
	}
	return t.newline + t.newline
}

// tomlTableText returns the entry as a table.
func tomlTableText(s Server) string {
	return fmt.Sprintf("[%s.%s]\ncommand = %s\nargs = %s\n", tomlContainer, EntryName, tomlString(s.Command), tomlStrings(s.Args))
}

// tomlStrings returns a list of strings on one line.
func tomlStrings(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = tomlString(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// tomlString returns a string as TOML writes it: as it is where that can be, so that paths of
// Windows can be read, else with escapes.
func tomlString(s string) string {
	isPlain := !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\'' })
	if isPlain && strings.ContainsAny(s, `"\`) {
		return "'" + s + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func (t *tomlText) update(s Server) ([]byte, error) {
	command, args := t.assignment(ourPath("command")), t.assignment(ourPath("args"))
	if command == nil || args == nil {
		return nil, errInline
	}
	first, firstText, second, secondText := command, tomlString(s.Command), args, tomlStrings(s.Args)
	if first.start > second.start {
		first, firstText, second, secondText = second, secondText, first, firstText
	}
	out := replaceBytes(t.src, second.value, second.end, secondText)
	return replaceBytes(out, first.value, first.end, firstText), nil
}

func (t *tomlText) overwrite(s Server) ([]byte, error) {
	if a := t.assignment(ourPath()); a != nil {
		inline := "{ command = " + tomlString(s.Command) + ", args = " + tomlStrings(s.Args) + " }"
		return replaceBytes(t.src, a.value, a.end, inline), nil
	}
	rest, err := t.remove(false)
	if err != nil {
		return nil, err
	}
	without, err := readTOML(rest)
	if err != nil {
		return nil, err
	}
	return without.add(s)
}

// remove takes out every line that has a part of the entry: its table and those below it, or
// its keys in the table of another.
func (t *tomlText) remove(bool) ([]byte, error) {
	var ranges []textRange
	for _, table := range t.tables {
		if isBelow(table.path, ourPath()) {
			ranges = append(ranges, textRange{table.start, table.end})
		}
	}
	for _, a := range t.assignments {
		isCovered := slices.ContainsFunc(ranges, func(r textRange) bool { return r.start <= a.start && a.end <= r.end })
		switch {
		case !isBelow(a.path, ourPath()) || isCovered:
		case a.isInline:
			return nil, errInline
		default:
			ranges = append(ranges, textRange{a.start, a.end})
		}
	}
	slices.SortFunc(ranges, func(a, b textRange) int { return b.start - a.start })
	out := t.src
	for _, r := range ranges {
		out = removeLines(out, r)
	}
	return out, nil
}

// removeLines removes the whole lines of a range, and a blank line before them that would
// stand before another or at the end.
func removeLines(src []byte, r textRange) []byte {
	start, end := lineStart(src, r.start), lineEnd(src, r.end)
	end += len(lineBreakAt(src, end))
	isLast := end == len(src) || lineBreakAt(src, end) != ""
	if before := start - len(lineBreakBefore(src, start)); isLast && before < start && lineBreakBefore(src, before) != "" {
		start = before
	}
	return replaceBytes(src, start, end, "")
}

func (t *tomlText) isBlank() bool {
	text := bytes.TrimPrefix(t.src, []byte(byteOrderMark))
	return len(bytes.TrimSpace(text)) == 0
}

// secrets returns the values whose key, or whose table, sounds like a secret, and arguments that
// do. What our entry starts is none.
func (t *tomlText) secrets() (found []textRange) {
	for _, a := range t.assignments {
		isOurs := slices.Equal(a.path, ourPath("command")) || slices.Equal(a.path, ourPath("args"))
		sounds := slices.ContainsFunc(a.path, mayHoldSecret) || a.path[len(a.path)-1] == "args" && mayHoldSecret(string(t.src[a.value:a.end]))
		if !a.isTable && !isOurs && sounds {
			found = append(found, textRange{a.value, a.end})
		}
	}
	return found
}

// isSameValue compares decoded values, where a number that is none equals itself.
func isSameValue(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		other, ok := b.(map[string]any)
		if !ok || len(a) != len(other) {
			return false
		}
		for k, v := range a {
			if w, ok := other[k]; !ok || !isSameValue(v, w) {
				return false
			}
		}
		return true
	case []any:
		other, ok := b.([]any)
		return ok && slices.EqualFunc(a, other, isSameValue)
	case float64:
		other, ok := b.(float64)
		return ok && (a == other || a != a && other != other)
	}
	return reflect.DeepEqual(a, b)
}
