package transcript

import (
	"errors"
	"strings"

	"lcm-tui/data/jstext"
)

// errShape is what is wrong with a line that holds no object.
var errShape = errors.New("not a JSON object")

// eachField calls fn with the members of the object in a line, as they stand, keys
// without their quotes, until it returns false. It looks no closer than it must:
// what is inside of the values is not checked.
func eachField(line string, fn func(key, value string) bool) error {
	i := skipSpace(line, 0)
	if i >= len(line) || line[i] != '{' {
		return errShape
	}
	if i = skipSpace(line, i+1); i < len(line) && line[i] == '}' {
		return nil
	}
	for i < len(line) && line[i] == '"' {
		end := stringEnd(line, i)
		key := line[i+1 : max(i+1, end-1)]
		if i = skipSpace(line, end); i >= len(line) || line[i] != ':' {
			return errShape
		}
		i = skipSpace(line, i+1)
		if end = valueEnd(line, i); end == i {
			return errShape
		}
		if !fn(key, line[i:end]) {
			return nil
		}
		i = skipSpace(line, end)
		if i >= len(line) || line[i] != ',' {
			break
		}
		i = skipSpace(line, i+1)
	}
	if i >= len(line) || line[i] != '}' {
		return errShape
	}
	return nil
}

func skipSpace(b string, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// stringEnd returns behind the string that begins at i, or the end of b.
func stringEnd(b string, i int) int {
	for i++; ; {
		n := strings.IndexByte(b[min(i, len(b)):], '"')
		if n < 0 {
			return len(b)
		}
		slashes := 0
		for k := i + n - 1; k >= i && b[k] == '\\'; k-- {
			slashes++
		}
		if i += n + 1; slashes%2 == 0 {
			return i
		}
	}
}

// valueEnd returns behind the value that begins at i.
func valueEnd(b string, i int) int {
	for depth := 0; i < len(b); {
		switch b[i] {
		case '"':
			if i = stringEnd(b, i); depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i
			}
			if depth == 0 {
				return i + 1
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return i
}

// text returns the text of a string as it stands in a line, or empty.
func text(value string) string {
	if len(value) < 2 || value[0] != '"' {
		return ""
	}
	return jstext.Value(value).Text()
}
