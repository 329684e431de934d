package clients

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// ignoreFile is the name of a file that keeps a folder, with all below it, out of the memory.
const ignoreFile = ".lcm-ignore"

// Ignored are the working folders of which nothing is kept and into which nothing is handed.
type Ignored []*regexp.Regexp

// ParseIgnored reads patterns of folders: a star stands for any letters but those that split folders, two stars for any
// letters at all. A pattern matches a whole path, and what is below it.
func ParseIgnored(patterns []string) (out Ignored, err error) {
	for _, p := range patterns {
		if !filepath.IsAbs(p) && !strings.HasPrefix(p, "*") {
			return nil, fmt.Errorf("expected the path of a folder, or a pattern that begins with *, not %q", p)
		}
		var b strings.Builder
		for rest := filepath.ToSlash(filepath.Clean(p)); rest != ""; {
			switch {
			case strings.HasPrefix(rest, "**"):
				b.WriteString(".*")
				rest = rest[2:]
			case rest[0] == '*':
				b.WriteString("[^/]*")
				rest = rest[1:]
			default:
				n := strings.IndexByte(rest, '*')
				if n < 0 {
					n = len(rest)
				}
				b.WriteString(regexp.QuoteMeta(rest[:n]))
				rest = rest[n:]
			}
		}
		out = append(out, regexp.MustCompile("^(?s:"+b.String()+")(?:/|$)"))
	}
	return out, nil
}

// Has reports whether a working folder is ignored: by a pattern, or by a file .lcm-ignore in it or in a folder above.
func (i Ignored) Has(folder string) bool {
	if folder == "" {
		return false
	}
	folder = filepath.Clean(folder)
	for _, re := range i {
		if re.MatchString(filepath.ToSlash(folder)) {
			return true
		}
	}
	for at := folder; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ignoreFile)); err == nil {
			return true
		}
		if filepath.Dir(at) == at {
			return false
		}
	}
}
