package textsearch

import (
	"strings"

	"lcm-tui/data"
)

// IsCJK reports whether a character is one of a script without blanks between words, of which the
// search tables of words index no words, as hosts decide it.
func IsCJK(r rune) bool {
	return r >= 0x2e80 && r <= 0x9fff || r >= 0xf900 && r <= 0xfaff || r >= 0xac00 && r <= 0xd7af
}

// IndexTerm is a text as a search table takes it.
type IndexTerm = data.WordTerm

// IndexExpression returns an expression for MATCH: one term of each group, and none of the excluded
// ones. Without a group it is empty, because a search table can't tell what it doesn't have.
func IndexExpression(groups [][]IndexTerm, excluded []IndexTerm) string {
	var all []string
	for _, g := range groups {
		all = append(all, anyTerm(g))
	}
	if len(all) == 0 {
		return ""
	}
	expression := strings.Join(all, " AND ")
	if len(excluded) > 0 {
		return "(" + expression + ") NOT " + anyTerm(excluded)
	}
	return expression
}

func anyTerm(terms []IndexTerm) string {
	var all []string
	for _, t := range terms {
		all = append(all, quoted(t))
	}
	return "(" + strings.Join(all, " OR ") + ")"
}

// quoted returns a term as a string of the search table's language, in which nothing has another
// meaning.
func quoted(t IndexTerm) string {
	text := strings.NewReplacer(`"`, " ", "\x00", " ").Replace(t.Text)
	if t.Prefix {
		return `"` + strings.TrimSpace(text) + `" *`
	}
	return `"` + text + `"`
}
