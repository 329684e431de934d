package ask

import (
	"cmp"
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/sorting"
)

// The most words of a prompt that are looked up, and that make a query.
const (
	maxPromptWords = 24
	maxQueryWords  = 4
)

// DeriveQuery is a query made of the words of a prompt that tell most: the rarest ones that
// summaries of the scope hold, as many as stand together in at least one. Without any it is the
// longest words of the prompt. It is for people at a command line; an agent gives its query.
func DeriveQuery(ctx context.Context, db *data.DB, scope retrieve.Scope, prompt string) (string, error) {
	type term struct {
		word  string
		count int
	}
	var known []term
	words := tellingWords(prompt)
	for _, w := range words {
		found, err := matchingSummaries(ctx, db, quotedWord(w), scope, maxCountedMatches)
		if err != nil {
			return "", err
		}
		if len(found) > 0 {
			known = append(known, term{w, len(found)})
		}
	}
	sorting.Stable(known, func(a, b *term) int { return cmp.Compare(a.count, b.count) })
	query := ""
	for i, n := 0, 0; i < len(known) && n < maxQueryWords; i++ {
		longer := strings.TrimSpace(query + " " + quotedWord(known[i].word))
		found, err := matchingSummaries(ctx, db, longer, scope, 1)
		if err != nil {
			return "", err
		}
		if len(found) > 0 {
			query = longer
			n++
		}
	}
	if query == "" {
		query = longestWords(words)
	}
	if query == "" {
		query = prompt
	}
	return query, nil
}

// tellingWords are the words of a prompt that may say what it is about, each once.
func tellingWords(prompt string) (out []string) {
	seen := map[string]bool{}
	for _, w := range strings.FieldsFunc(prompt, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("_-./:", r)
	}) {
		w = strings.Trim(w, "_-./:")
		folded := strings.ToLower(w)
		if w == "" || seen[folded] || commonWords[folded] || utf8.RuneCountInString(w) < 2 && w[0] < utf8.RuneSelf {
			continue
		}
		seen[folded] = true
		if out = append(out, w); len(out) == maxPromptWords {
			break
		}
	}
	return out
}

func quotedWord(w string) string { return `"` + w + `"` }

// longestWords are the three longest words as a query, in the order of their length.
func longestWords(words []string) string {
	words = append([]string{}, words...)
	sorting.Stable(words, func(a, b *string) int { return len(*b) - len(*a) })
	for i, w := range words {
		words[i] = quotedWord(w)
	}
	return strings.Join(words[:min(3, len(words))], " ")
}

// commonWords say nothing of what a question is about.
var commonWords = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`a about after all also am an and any are as at be been before being between but by can could
		did do does doing done for from get give got had has have having he her him his how i if in into is it its just let me more
		most my no not of off on or our out over please say she should since so some tell than that the their them then there these
		they this those to up us was we were what when where which while who whom whose why will with would you your`) {
		m[w] = true
	}
	return m
}()
