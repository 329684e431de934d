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
		p = filepath.Clean(p)
		out = append(out, pattern(p))
		if whole := followed(p); whole != p {
			out = append(out, pattern(whole))
		}
	}
	return out, nil
}

// pattern returns the expression of a pattern.
func pattern(p string) *regexp.Regexp {
	var b strings.Builder
	for rest := filepath.ToSlash(p); rest != ""; {
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
	return regexp.MustCompile("^(?s:" + b.String() + ")(?:/|$)")
}

// followed returns a pattern whose folders before the first star are named without links, since clients name the
// real path of a working folder. What doesn't exist stays as it is.
func followed(p string) string {
	fixed, rest := p, ""
	if star := strings.IndexByte(p, '*'); star >= 0 {
		split := strings.LastIndexByte(p[:star], filepath.Separator) + 1
		fixed, rest = p[:split], p[split:]
	}
	whole, err := filepath.EvalSymlinks(fixed)
	if fixed == "" || err != nil {
		return p
	}
	return filepath.Join(whole, rest)
}

// Has reports whether a working folder is ignored: by a pattern, or by a file .lcm-ignore in it or in a folder above.
// It is looked for under the name that is given, and under the real path.
func (i Ignored) Has(folder string) bool {
	if folder == "" {
		return false
	}
	folder = filepath.Clean(folder)
	if i.names(folder) {
		return true
	}
	whole, err := filepath.EvalSymlinks(folder)
	return err == nil && whole != folder && i.names(whole)
}

// names reports whether a folder is ignored under this name.
func (i Ignored) names(folder string) bool {
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
