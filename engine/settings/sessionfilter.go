package settings

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// SessionFilter says of which sessions nothing is stored, by patterns on their session keys. Its zero value leaves
// out none.
type SessionFilter struct{ ignored, stateless []sessionPattern }

// sessionPattern is one pattern, and the setting that has it.
type sessionPattern struct {
	text, setting string
	glob          *regexp.Regexp
}

// Ignore adds patterns of a setting for sessions of which nothing is stored and nothing is handed over.
func (f *SessionFilter) Ignore(setting string, patterns ...string) {
	f.ignored = append(slices.Clip(f.ignored), compilePatterns(setting, patterns)...)
}

// Stateless adds patterns of a setting for sessions of which nothing is stored, and that may read.
func (f *SessionFilter) Stateless(setting string, patterns ...string) {
	f.stateless = append(slices.Clip(f.stateless), compilePatterns(setting, patterns)...)
}

// compilePatterns leaves out empty patterns, as the host does, and the blanks around the others.
func compilePatterns(setting string, patterns []string) (out []sessionPattern) {
	for _, text := range patterns {
		text = strings.TrimSpace(text)
		if glob := compileGlob(text); glob != nil {
			out = append(out, sessionPattern{text, setting, glob})
		}
	}
	return out
}

// IsEmpty reports whether the filter leaves out nothing.
func (f SessionFilter) IsEmpty() bool { return len(f.ignored)+len(f.stateless) == 0 }

// Why says why nothing is stored of a session, with the pattern; empty is that it is stored. The patterns
// are for its key, and for its id where it has no key.
func (f SessionFilter) Why(key, id string) string {
	if why := f.WhyIgnored(key, id); why != "" {
		return why
	}
	return firstMatch(f.stateless, key, id, "is only read")
}

// WhyIgnored says why nothing is handed over to a session either; empty is that it may read.
func (f SessionFilter) WhyIgnored(key, id string) string {
	return firstMatch(f.ignored, key, id, "is ignored")
}

// firstMatch says which is the first pattern that matches.
func firstMatch(patterns []sessionPattern, key, id, what string) string {
	name := strings.TrimSpace(key)
	if name == "" {
		name = strings.TrimSpace(id)
	}
	for _, p := range patterns {
		if name != "" && p.glob.MatchString(name) {
			return fmt.Sprintf("the session %s %s: the pattern %s of %s", name, what, p.text, p.setting)
		}
	}
	return ""
}
