package ask

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/engine/provenance"
	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/sorting"
)

// maxPromptWords is how many words of a prompt are looked up.
const maxPromptWords = 24

// promptWord is a word of a prompt that may say what it is about.
type promptWord struct {
	text string // In lower case.
	stem string // Empty where a text must hold the word as it is: a path, an id, or a script without blanks.
	// weight is how much the word tells: the fewer summaries hold it the more.
	weight float64
}

// promptCandidates returns the summaries that hold any telling word of a prompt, with these words.
// Those that hold the words that tell most come first, of equals the newest.
func promptCandidates(ctx context.Context, db *data.DB, prompt string, scope retrieve.Scope) ([]candidate, []promptWord, error) {
	words := tellingWords(prompt)
	var ids []string
	seen := map[string]bool{}
	for _, w := range words {
		for _, form := range w.forms() {
			found, err := matchingSummaries(ctx, db, quotedWord(form), scope, maxCountedMatches)
			if err != nil {
				return nil, nil, err
			}
			for _, id := range found {
				if !seen[id] {
					seen[id] = true
					ids = append(ids, id)
				}
			}
		}
	}
	found, err := readCandidates(ctx, db, ids)
	if err != nil {
		return nil, nil, err
	}
	texts := make([]string, len(found))
	order := make([]int, len(found))
	for i, c := range found {
		texts[i], order[i] = c.content, i
	}
	weigh(words, texts)
	_, scores := matchesOf(words, texts)
	sorting.Stable(order, func(a, b *int) int {
		return cmp.Or(cmp.Compare(scores[*b], scores[*a]), found[*b].matched.Compare(found[*a].matched), *a-*b)
	})
	var out []candidate
	for _, i := range order[:min(maxMatches, len(order))] {
		out = append(out, found[i])
	}
	return out, words, nil
}

// promptMessageCandidates returns the leaves that hold messages in which a word of a prompt stands,
// those of the most words first.
func promptMessageCandidates(ctx context.Context, db *data.DB, words []promptWord, scope retrieve.Scope) (out []candidate, err error) {
	count := map[string]int{}
	for _, w := range words {
		found, err := messageBackedCandidates(ctx, db, quotedWord(w.text), scope)
		if err != nil {
			return nil, err
		}
		for _, c := range found {
			if count[c.id]++; count[c.id] == 1 {
				out = append(out, c)
			}
		}
	}
	sorting.Stable(out, func(a, b *candidate) int { return count[b.id] - count[a.id] })
	return out[:min(maxMatches, len(out))], nil
}

// weigh gives each word its weight. A word that no text holds tells as much as the rarest that
// one holds.
func weigh(words []promptWord, texts []string) {
	all := make([]*wordText, len(texts))
	for i, text := range texts {
		all[i] = newWordText(text)
	}
	most := 0.0
	for i := range words {
		held := 0
		for _, t := range all {
			if t.holds(words[i]) {
				held++
			}
		}
		if words[i].weight = 0; held > 0 {
			words[i].weight = math.Log(1 + float64(len(texts))/float64(held))
		}
		most = max(most, words[i].weight)
	}
	for i := range words {
		if words[i].weight == 0 {
			words[i].weight = cmp.Or(most, 1)
		}
	}
}

// wordText is a text in which words are looked for.
type wordText struct {
	lower string
	stems map[string]bool
}

func newWordText(text string) *wordText {
	t := &wordText{lower: strings.ToLower(text), stems: map[string]bool{}}
	for w := range strings.FieldsFuncSeq(t.lower, isNoWordRune) {
		t.stems[provenance.Stem(w)] = true
	}
	return t
}

func (t *wordText) holds(w promptWord) bool {
	if w.stem == "" {
		return strings.Contains(t.lower, w.text)
	}
	return t.stems[w.stem] || slices.ContainsFunc(adverbEndings, func(e string) bool {
		shorter, ends := strings.CutSuffix(w.stem, e)
		return len(w.stem) >= minEndedStem && t.stems[w.stem+e] || ends && len(shorter) >= minEndedStem && t.stems[shorter]
	})
}

// adverbEndings are endings that stems keep: slow, slowly, slower, slowest.
var adverbEndings = []string{"li", "er", "est"}

// minEndedStem is how many bytes a stem has at least to which such an ending belongs.
const minEndedStem = 4

// coverage returns the share of the words that a text holds, by their weight, from 0 to 1.
func (t *wordText) coverage(words []promptWord) float64 {
	held, all := 0.0, 0.0
	for _, w := range words {
		all += w.weight
		if t.holds(w) {
			held += w.weight
		}
	}
	if all == 0 {
		return 0
	}
	return held / all
}

// matchesOf returns the coverages of texts, and the scores by which they are ordered: words that stand
// together in one line count more, and a long text, which holds many words by chance, less.
func matchesOf(words []promptWord, texts []string) (shares, scores []float64) {
	const lineFactor, lengthFactor = 0.5, 0.05
	total := 0
	for _, text := range texts {
		total += len(text)
	}
	for _, text := range texts {
		share, line := newWordText(text).coverage(words), 0.0
		if share > 0 {
			for l := range strings.Lines(text) {
				line = max(line, newWordText(l).coverage(words))
			}
		}
		shares = append(shares, share)
		scores = append(scores, share+lineFactor*line-lengthFactor*math.Log1p(float64(len(text)*len(texts))/float64(max(1, total))))
	}
	return shares, scores
}

// tellingWords returns the words of a prompt that may say what it is about, each once. Of a script
// without blanks they are the pairs of neighbouring characters.
func tellingWords(prompt string) (out []promptWord) {
	seen := map[string]bool{}
	add := func(w promptWord) {
		if w.text != "" && !seen[w.text] && !commonWords[w.text] && len(out) < maxPromptWords {
			seen[w.text] = true
			out = append(out, w)
		}
	}
	for chunk := range strings.FieldsFuncSeq(strings.ToLower(prompt), func(r rune) bool { return isNoWordRune(r) && !strings.ContainsRune("_-./:'’", r) }) {
		chunk, _, _ = strings.Cut(strings.ReplaceAll(strings.Trim(chunk, "_-./:'’"), "’", "'"), "'")
		for i, run := range scriptRuns(chunk) {
			switch {
			case i%2 == 1:
				for _, pair := range runePairs(run) {
					add(promptWord{text: pair})
				}
			case strings.ContainsFunc(run, isNoWordRune):
				add(promptWord{text: run})
			case len(run) > 1:
				add(promptWord{text: run, stem: provenance.Stem(run)})
			}
		}
	}
	return out
}

func isNoWordRune(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

// scriptRuns splits a text where scripts with and without blanks meet: first a run with them,
// which may be empty, then one without, and so on.
func scriptRuns(s string) (out []string) {
	for without := false; s != ""; without = !without {
		n := strings.IndexFunc(s, func(r rune) bool { return isUnspaced(r) != without })
		if n < 0 {
			n = len(s)
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

// isUnspaced reports whether a script writes words without blanks between them.
func isUnspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r == 'ー'
}

func runePairs(run string) (out []string) {
	if utf8.RuneCountInString(run) < 2 {
		return []string{run}
	}
	runes := []rune(run)
	for i := range runes[1:] {
		out = append(out, string(runes[i:i+2]))
	}
	return out
}

// forms returns the word and, where that is another, its stem: a search table knows the endings, a
// search without one doesn't.
func (w promptWord) forms() []string {
	if w.stem == "" || w.stem == w.text {
		return []string{w.text}
	}
	return []string{w.text, w.stem}
}

func quotedWord(w string) string { return `"` + w + `"` }

// commonWords say nothing of what a question is about.
var commonWords = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`a about after all also am an and any are as at be been before being between but by can could
		did do does doing done for from get give got had has have having he her him his how i if in into is it its just let long many may me more much
		most my no not of off on or our out over please say she should since so some tell than that the their them then there these
		they this those to up us was we were what when where which while who whom whose why will with would you your`) {
		m[w] = true
	}
	return m
}()
