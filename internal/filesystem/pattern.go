package filesystem

import (
	"os"
	"path/filepath"
	"strings"
)

// Pattern returns a path as a pattern of filepath.Glob that matches nothing else.
func Pattern(path string) string {
	special := `*?[\`
	if os.PathSeparator == '\\' { // There it separates, and nothing can be escaped.
		return path
	}
	var out strings.Builder
	for _, r := range []byte(path) {
		if strings.IndexByte(special, r) >= 0 {
			out.WriteByte('\\')
		}
		out.WriteByte(r)
	}
	return out.String()
}

// Glob returns the files of a folder that match a pattern below it; what the path of the folder itself is made of
// has no meaning.
func Glob(folder string, pattern ...string) []string {
	found, _ := filepath.Glob(filepath.Join(append([]string{Pattern(folder)}, pattern...)...)) // The patterns are good ones.
	return found
}
