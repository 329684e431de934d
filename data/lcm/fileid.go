package lcm

import (
	"slices"
	"strings"
)

// The id of a large file is FileIDPrefix and 16 hexadecimal digits. In a text it is a
// whole word, in any case.
const (
	FileIDPrefix = "file_"
	FileIDLength = len(FileIDPrefix) + 16
	// FileIDPattern is a regular expression for an id, without the ends of the word.
	FileIDPattern = FileIDPrefix + "[0-9a-fA-F]{16}"
)

// EachFileID calls fn with each id in a text, in lower case, and with where it begins.
// It is written by hand because whole databases are searched, in which there are
// hardly any.
func EachFileID(text string, fn func(at int, id string)) {
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '_')
		if i < 0 {
			return
		}
		at := from + i - len(FileIDPrefix) + 1
		from += i + 1
		if at >= 0 && isFileID(text, at) {
			fn(at, strings.ToLower(text[at:at+FileIDLength]))
			from = at + FileIDLength
		}
	}
}

func isFileID(text string, at int) bool {
	end := at + FileIDLength
	if end > len(text) || !strings.EqualFold(text[at:at+len(FileIDPrefix)], FileIDPrefix) {
		return false
	}
	for _, c := range []byte(text[at+len(FileIDPrefix) : end]) {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			return false
		}
	}
	return (at == 0 || !isWordByte(text[at-1])) && (end == len(text) || !isWordByte(text[end]))
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// MentionedFiles returns the ids of large files in texts, in lower case, in their order and
// each once: what goes into a summary's file_ids.
func MentionedFiles(texts ...string) []string {
	out := []string{}
	for _, t := range texts {
		EachFileID(t, func(_ int, id string) {
			if !slices.Contains(out, id) {
				out = append(out, id)
			}
		})
	}
	return out
}

// ReplaceFileIDs returns a text with what replacement gives in the place of each id; where
// that is empty the id stays.
func ReplaceFileIDs(text string, replacement func(id string) string) string {
	var b strings.Builder
	done := 0
	EachFileID(text, func(at int, id string) {
		if id = replacement(id); id == "" {
			return
		}
		b.WriteString(text[done:at])
		b.WriteString(id)
		done = at + FileIDLength
	})
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}
