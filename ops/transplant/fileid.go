package transplant

import (
	"strings"
)

// The ids of large files in a text are file_ and 16 hexadecimal digits, whole words,
// in any case.
const (
	filePrefix = "file_"
	fileIDLen  = len(filePrefix) + 16
)

// eachFileID calls fn with where each id in a text begins. It is written by hand
// because it goes over all that is carried, in which there are hardly any.
func eachFileID(text string, fn func(at int)) {
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '_')
		if i < 0 {
			return
		}
		at := from + i - len(filePrefix) + 1
		from += i + 1
		if at >= 0 && isFileID(text, at) {
			fn(at)
			from = at + fileIDLen
		}
	}
}

func isFileID(text string, at int) bool {
	end := at + fileIDLen
	if end > len(text) || !strings.EqualFold(text[at:at+len(filePrefix)], filePrefix) {
		return false
	}
	for _, c := range []byte(text[at+len(filePrefix) : end]) {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			return false
		}
	}
	return (at == 0 || !wordByte(text[at-1])) && (end == len(text) || !wordByte(text[end]))
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// renamed is a text with other ids of files in the place of those that of knows.
func renamed(text string, of func(id string) string) string {
	var b strings.Builder
	done := 0
	eachFileID(text, func(at int) {
		id := of(strings.ToLower(text[at : at+fileIDLen]))
		if id == "" {
			return
		}
		b.WriteString(text[done:at])
		b.WriteString(id)
		done = at + fileIDLen
	})
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// plainIDs is a text in which all files have the same id: copies of a text differ
// in nothing else.
func plainIDs(text string) string {
	return renamed(text, func(string) string { return filePrefix })
}
