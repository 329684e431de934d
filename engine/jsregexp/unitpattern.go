package jsregexp

import (
	"fmt"
	"strings"
	"time"

	"github.com/dlclark/regexp2"

	"lcm-tui/data/jstext"
)

// unitRegexp returns a tree for regexp2, whose texts are code units here.
func unitRegexp(root *node, timeout time.Duration) (*regexp2.Regexp, error) {
	u := unitPattern{referenced: map[int]bool{}}
	root.each(func(n *node) {
		if n.kind == matchSame {
			u.referenced[n.group] = true
		}
	})
	u.write(root)
	re, err := regexp2.Compile(u.String(), regexp2.ECMAScript)
	if err != nil {
		return nil, err
	}
	re.MatchTimeout = timeout
	return re, nil
}

// unitPattern writes a tree as a pattern of regexp2.
type unitPattern struct {
	strings.Builder
	referenced map[int]bool // The groups that something refers to.
	backwards  bool         // It writes what matches from its end to its beginning.
}

// unitWord is the set of \b and \B, because regexp2 takes letters of all languages there.
const unitWord = `[0-9A-Z_a-z]`

func (u *unitPattern) write(n *node) {
	switch n.kind {
	case matchSet:
		u.writeSet(n.set)
	case matchAll:
		u.writeChildren("(?:", "", n)
	case matchAny:
		u.writeChildren("(?:", "|", n)
	case matchGroup:
		u.writeChildren("(", "", n)
	case matchRepeat:
		u.writeRepeat(n)
	case matchSame:
		fmt.Fprintf(u, `(?:\%d)`, n.group)
	case textStart:
		u.WriteString(`\A`)
	case textEnd:
		u.WriteString(`\z`)
	case wordBoundary:
		u.WriteString("(?:(?<=" + unitWord + ")(?!" + unitWord + ")|(?<!" + unitWord + ")(?=" + unitWord + "))")
	case notBoundary:
		u.WriteString("(?:(?<=" + unitWord + ")(?=" + unitWord + ")|(?<!" + unitWord + ")(?!" + unitWord + "))")
	case lookAround:
		was := u.backwards
		u.backwards = n.behind
		u.writeChildren("(?"+map[bool]string{true: "<"}[n.behind]+map[bool]string{true: "!", false: "="}[n.negative], "", n)
		u.backwards = was
	}
}

func (u *unitPattern) writeChildren(open, between string, n *node) {
	u.WriteString(open)
	for i, c := range n.children {
		if i > 0 {
			u.WriteString(between)
		}
		u.write(c)
	}
	u.WriteByte(')')
}

// writeRepeat writes a repetition. In JavaScript every turn forgets what the groups in it
// remember, in regexp2 only where it is clear so.
func (u *unitPattern) writeRepeat(n *node) {
	forget := ""
	n.each(func(c *node) {
		if c.kind == matchGroup && u.referenced[c.group] {
			forget += fmt.Sprintf("(?>(?<-%d>)?)", c.group)
		}
	})
	u.WriteString("(?:")
	if !u.backwards {
		u.WriteString(forget)
	}
	u.write(n.children[0])
	if u.backwards {
		u.WriteString(forget)
	}
	u.WriteString(")" + n.quantifier())
}

func (u *unitPattern) writeSet(set charset) {
	if len(set) == 0 {
		u.WriteString("(?!)")
		return
	}
	set.moved().write(&u.Builder, func(r rune) string {
		if r > lastUnit {
			return string(r)
		}
		return fmt.Sprintf(`\u%04x`, r)
	})
}

// unitRunes returns the code units of a text, with halves of pairs moved.
func unitRunes(text string) []rune {
	out := make([]rune, 0, len(text))
	for _, r := range text {
		if r <= lastUnit {
			out = append(out, r)
			continue
		}
		r -= lastUnit + 1
		out = append(out, halfOffset+firstSurrogate+r>>10, halfOffset+firstLow+r&0x3ff)
	}
	return out
}

// textOf returns the text of code units in that form.
func textOf(runes []rune) string {
	units := make([]uint16, len(runes))
	for i, r := range runes {
		if r > lastUnit {
			r -= halfOffset
		}
		units[i] = uint16(r)
	}
	return jstext.FromUnits(units)
}
