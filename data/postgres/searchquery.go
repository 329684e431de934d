package postgres

import (
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/searchwords"
)

// SearchQuery is what the index of the server is asked, as texts of its type tsquery.
type SearchQuery struct {
	All      string   // Every group, and nothing excluded: of a text in one piece.
	Any      string   // One of the groups: of a text in several pieces, each group may be in another.
	Groups   []string // Each group.
	Excluded string   // What no piece may have, or empty.
	// IsExact says that a text which it finds has what was asked for.
	IsExact bool
}

// NewSearchQuery returns a query for the texts of a label, which SearchLabel made.
func NewSearchQuery(q data.WordQuery, label string) SearchQuery {
	out := SearchQuery{IsExact: true}
	anyOf := func(terms []data.WordTerm) string {
		var all []string
		for _, t := range terms {
			text, exact := termQuery(t)
			all = append(all, text)
			out.IsExact = out.IsExact && exact
		}
		return "(" + strings.Join(all, " | ") + ")"
	}
	for _, g := range q.Groups {
		out.Groups = append(out.Groups, anyOf(g))
	}
	out.All = "'" + label + "' & " + strings.Join(out.Groups, " & ")
	out.Any = "'" + label + "' & (" + strings.Join(out.Groups, " | ") + ")"
	if len(q.Excluded) == 0 {
		return out
	}
	before := out.IsExact
	out.Excluded = anyOf(q.Excluded)
	if !out.IsExact { // It might exclude too much.
		out.Excluded = ""
		return out
	}
	out.IsExact = before
	out.All += " & !" + out.Excluded
	return out
}

// termQuery returns a term as the server takes it; exact says that it finds only what has it.
func termQuery(t data.WordTerm) (query string, exact bool) {
	if t.Part {
		return pairQuery(t.Text), false
	}
	words := searchwords.Stems(t.Text)
	if len(words) == 0 {
		return quoteLexeme(":none"), true // No text has it.
	}
	joint, exact := " <-> ", true
	if len(words) > pieceOverlap { // It may be cut.
		joint, exact = " & ", false
	}
	for i, w := range words {
		isStart := t.Prefix && i == len(words)-1
		if isStart && len(w) > maxLexeme {
			w, exact = startOfWord(w), false
		}
		if words[i] = quoteLexeme(lexeme(w)); isStart {
			words[i] += ":*"
		}
	}
	return "(" + strings.Join(words, joint) + ")", exact
}

// maxQueryPairs is how many pairs of characters are asked for: the others are looked for in the texts that these find.
const maxQueryPairs = 32

// pairQuery returns what finds every piece that may contain a text with pairs of characters. A piece with too many of them has not all.
func pairQuery(text string) string {
	pairs := searchwords.Pairs(text)
	pairs = pairs[:min(len(pairs), maxQueryPairs)]
	for i, p := range pairs {
		pairs[i] = quoteLexeme(p)
	}
	return "(" + strings.Join(pairs, " & ") + " | " + quoteLexeme(moreLexeme) + ")"
}

// quoteLexeme returns a word as the text of a tsquery has it.
func quoteLexeme(word string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", "''").Replace(word) + "'"
}

// Literal returns a text as a literal of SQL.
func Literal(text string) string {
	if strings.Contains(text, `\`) {
		return "E'" + strings.NewReplacer("'", "''", `\`, `\\`).Replace(text) + "'"
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}
