package scan

import (
	"bytes"
	"cmp"
	"encoding/json"
)

// Metadata is what a check needs of a part's metadata.
type Metadata struct {
	Valid      bool
	Role       string // originalRole.
	CallID     string
	Answers    string // The call that a tool row answers for the host.
	RawType    string
	ResponseID string
	Kind       string // The kind of a message that nobody said.
	Model      string // The model that gave an answer.
	Reasoning  string // The name of the member in which an answer had its reasoning beside its content.
}

// ReadMetadata reads a part's metadata without decoding all of it: it may be megabytes
// long, and most of it is a copy of the columns.
func ReadMetadata(b []byte) (m Metadata) {
	if m.Valid = json.Valid(b); !m.Valid {
		return m
	}
	fields := map[string]string{}
	eachMember(b, func(key, value []byte) {
		switch string(key) {
		case "originalRole", "toolCallId", "responseId", "response_id", "kind", "modelId", "topLevelReasoningField":
			fields[string(key)] = unquote(value)
		case "raw":
			eachMember(value, func(key, value []byte) {
				switch string(key) {
				case "type", "id", "call_id", "toolCallId", "tool_call_id", "tool_use_id":
					fields["raw."+string(key)] = unquote(value)
				}
			})
		}
	})
	m.Role, m.RawType, m.Kind = fields["originalRole"], fields["raw.type"], fields["kind"]
	m.Model, m.Reasoning = fields["modelId"], fields["topLevelReasoningField"]
	m.Answers = cmp.Or(fields["toolCallId"], fields["raw.toolCallId"], fields["raw.tool_call_id"])
	m.ResponseID = fields["responseId"] + fields["response_id"]
	for _, k := range []string{"toolCallId", "raw.id", "raw.call_id", "raw.toolCallId", "raw.tool_call_id", "raw.tool_use_id"} {
		if m.CallID == "" {
			m.CallID = fields[k]
		}
	}
	return m
}

// eachMember calls fn with the members of an object in valid JSON. Other values have none.
func eachMember(b []byte, fn func(key, value []byte)) {
	b = bytes.TrimLeft(b, " \t\r\n")
	if len(b) == 0 || b[0] != '{' {
		return
	}
	for i := 1; i < len(b); {
		switch b[i] {
		case '"':
			end := valueEnd(b, i)
			key := b[i+1 : end-1]
			i = end
			i = skipSpace(b, skipSpace(b, i)+1) // Past the colon.
			end = valueEnd(b, i)
			fn(key, b[i:end])
			i = end
		case '}':
			return
		default:
			i++
		}
	}
}

// skipSpace returns the index of the first byte from i on that isn't white space.
func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// valueEnd returns the index after the value that begins at i.
func valueEnd(b []byte, i int) int {
	depth := 0
	for ; i < len(b); i++ {
		switch b[i] {
		case '"':
			i = stringEnd(b, i) - 1
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				return i + 1
			}
			if depth < 0 {
				return i
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return len(b)
}

// stringEnd returns the index after the closing quote of the string that begins at i.
func stringEnd(b []byte, i int) int {
	i++
	quote, escape := indexFrom(b, i, '"'), indexFrom(b, i, '\\')
	for escape < quote {
		i = escape + 2
		if quote < i {
			quote = indexFrom(b, i, '"')
		}
		escape = indexFrom(b, i, '\\')
	}
	return min(quote+1, len(b))
}

// indexFrom returns the index of c in b from i on, or len(b).
func indexFrom(b []byte, i int, c byte) int {
	if i >= len(b) {
		return len(b)
	}
	if n := bytes.IndexByte(b[i:], c); n >= 0 {
		return i + n
	}
	return len(b)
}

// unquote returns the text of a JSON string, or empty for another value.
func unquote(b []byte) (s string) {
	if len(b) >= 2 && b[0] == '"' && bytes.IndexByte(b, '\\') < 0 {
		return string(b[1 : len(b)-1])
	}
	if json.Unmarshal(b, &s) != nil {
		return ""
	}
	return s
}
