package export

import (
	"strings"

	"lcm-tui/internal/lazyregexp"
)

// quote returns a text as a quotation. Tags and links that a browser would run are shown instead of
// obeyed, but where it is code.
func quote(text string) string {
	var b strings.Builder
	var q quotation
	for line := range strings.SplitSeq(strings.TrimRight(visible(text), "\n"), "\n") {
		b.WriteString("> " + q.line(line) + "\n")
	}
	return b.String()
}

// quotation is the state of a text that is quoted line by line.
type quotation struct {
	fence string // The fence of the code that the line is in, or empty.
	// isNested says that a fence stood in a list or a quotation, whose end isn't followed: from
	// there on nothing is taken for code.
	isNested bool
	// hasOpenSpan says that code in a line may have begun in an earlier one of the paragraph.
	hasOpenSpan bool
}

// nestedFence matches a line with a fence that isn't at the beginning of the line.
var nestedFence = lazyregexp.New("^[ \t]*(?:(?:[-*+>]|[0-9]{1,9}[.)])[ \t]*)*(?:```|~~~)")

// line returns a line of the text as it is quoted.
func (q *quotation) line(line string) string {
	mark := fenceOf(line)
	switch {
	case q.isNested:
	case q.fence != "":
		if mark != "" && mark[0] == q.fence[0] && len(mark) >= len(q.fence) && strings.Trim(strings.TrimSpace(line), mark[:1]) == "" {
			q.fence, q.hasOpenSpan = "", false
		}
		return line
	case mark != "" && line[0] == mark[0]:
		q.fence = mark
		return line
	case nestedFence.MatchString(line):
		q.isNested = true
	}
	return q.escape(line)
}

// escape escapes what a browser would obey in a line that is no block of code.
func (q *quotation) escape(line string) string {
	if strings.TrimSpace(line) == "" {
		q.hasOpenSpan = false
		return line
	}
	before, rest, hasSpan := strings.Cut(line, "`")
	code, after, isClosed := strings.Cut(rest, "`")
	isCode := isClosed && code != "" && !strings.HasSuffix(before, `\`) && !strings.Contains(after, "`")
	if isCode && !q.hasOpenSpan && !q.isNested {
		return escapeActive(before) + "`" + code + "`" + escapeActive(after)
	}
	q.hasOpenSpan = q.hasOpenSpan || hasSpan
	return escapeActive(line)
}

// activeLink matches the beginning of a link or of the definition of one, and where it leads to, if that
// is a page, an address or a place in the text.
var activeLink = lazyregexp.New(`(?i)\](\(|:)([ \t]*(?:https?://|mailto:|#))?`)

// escapeActive escapes what would begin a tag, images, which would tell a server who reads the text and when, and links that don't
// plainly lead to a page or an address.
func escapeActive(text string) string {
	text = strings.NewReplacer("<", "&lt;", "![", `!\[`).Replace(text)
	return activeLink.ReplaceAllStringFunc(text, func(link string) string {
		if len(link) > len("](") {
			return link
		}
		return `]\` + link[1:]
	})
}

// fenceOf returns the fence with which a line begins, or empty.
func fenceOf(line string) string {
	s := strings.TrimLeft(line, " ")
	if len(line)-len(s) > 3 || len(s) < 3 || s[0] != '`' && s[0] != '~' {
		return ""
	}
	n := 0
	for n < len(s) && s[n] == s[0] {
		n++
	}
	if n < 3 || s[0] == '`' && strings.Contains(s[n:], "`") {
		return ""
	}
	return s[:n]
}
