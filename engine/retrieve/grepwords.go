package retrieve

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/searchwords"
	"lcm-tui/data/textsearch"
)

// snippetWords is how many words a snippet of a search table has.
const snippetWords = 32

// matchWords works as match on a replica or home: words and phrases are compared as a search table does it.
func (g *grep) matchWords(of *data.Replica, t textsearch.GrepTable) (rows []textsearch.GrepRow, ok bool, err error) {
	const others = ", so every text was read: parts of words are found, and not their other forms"
	rows, problem, err := g.matchIndex(of, t, func(w *indexGrep) { w.lookForPhrases(g.r.Pattern) })
	if problem != "" {
		g.note(problem + others)
	}
	return rows, problem == "" && err == nil, err
}

// matchIndex finds what look tells a search to find, in the order of the request. problem says why the index can't be asked, or is empty.
func (g *grep) matchIndex(of *data.Replica, t textsearch.GrepTable, look func(*indexGrep)) (rows []textsearch.GrepRow, problem string, err error) {
	w, problem, err := g.newIndexGrep(of, t)
	if err != nil || problem != "" {
		return nil, problem, err
	}
	isRanked := g.r.Sort == ByRelevance || g.r.Sort == ByBoth
	if isRanked {
		w.limit = mostRanked
	}
	if look(w); w.query.IsEmpty() {
		return nil, "", nil
	}
	if err := w.find(g.ctx); err != nil {
		return nil, "", err
	}
	if isRanked || g.r.Ranks {
		if err := w.rank(g.ctx); err != nil {
			return nil, "", err
		}
	}
	if isRanked {
		g.noteRanks(len(w.found))
		w.sortByRank(g)
	}
	for _, f := range w.found[:min(len(w.found), g.filter.Limit)] {
		rows = append(rows, f.row)
	}
	return rows, "", nil
}

// noteRanks says what ranks are worth.
func (g *grep) noteRanks(found int) {
	g.note("the server has no ranks: they are estimated from the texts that were found")
	if found == mostRanked {
		g.note("only the newest 5,000 texts that were found are ranked")
	}
}

// phrasesOf returns the words and phrases of a pattern as they are written, and their stems. What has no word is left out, as search
// tables do.
func phrasesOf(pattern string) (texts []string, phrases [][]string) {
	for _, text := range tokens(pattern) {
		text = strings.NewReplacer(`"`, "", "\x00", " ").Replace(text)
		if stems := searchwords.Stems(text); len(stems) > 0 {
			texts, phrases = append(texts, text), append(phrases, stems)
		}
	}
	return texts, phrases
}

// lookForPhrases lets texts be found that have all words and phrases of a pattern.
func (w *indexGrep) lookForPhrases(pattern string) {
	texts, phrases := phrasesOf(pattern)
	for _, text := range texts {
		w.phrases = append(w.phrases, data.WordTerm{Text: text})
		w.query.Groups = append(w.query.Groups, []data.WordTerm{{Text: text}})
	}
	w.accept = func(f *foundText) bool {
		content := jstext.Decode(f.row.Text)
		if w.table == textsearch.GrepMessages {
			content = data.IndexText(content)
		}
		text := searchwords.NewText(content)
		for _, p := range phrases {
			n := len(text.Find(p))
			if n == 0 {
				return false
			}
			f.times = append(f.times, n)
		}
		f.words, f.row.Text = text.Len(), text.Snippet(phrases, snippetWords)
		return true
	}
}

// rank fills in the ranks as the function bm25 of SQLite computes them. How many words texts have on average is estimated: the
// server knows their bytes.
func (w *indexGrep) rank(ctx context.Context) error {
	const saturation, lengthWeight = 1.2, 0.75
	rows, bytes, err := w.table.Totals(ctx, w.db)
	if err != nil {
		return err
	}
	weights := make([]float64, len(w.phrases))
	for i, phrase := range w.phrases {
		n, err := w.count(ctx, data.WordQuery{Groups: [][]data.WordTerm{{phrase}}})
		if err != nil {
			return err
		}
		weights[i] = max(math.Log((float64(max(rows-n, 0))+0.5)/(float64(n)+0.5)), 1e-6)
	}
	var foundWords, foundBytes float64
	for _, f := range w.found {
		foundWords, foundBytes = foundWords+float64(f.words), foundBytes+float64(f.bytes)
	}
	average := float64(bytes) / float64(rows) * foundWords / foundBytes
	for i := range w.found {
		f := &w.found[i]
		for p, n := range f.times {
			times := float64(n)
			f.row.Rank -= weights[p] * times * (saturation + 1) / (times + saturation*(1-lengthWeight+lengthWeight*float64(f.words)/average))
		}
	}
	return nil
}

// count returns how many texts of the whole database a query finds.
func (w *indexGrep) count(ctx context.Context, q data.WordQuery) (int64, error) {
	if w.table == textsearch.GrepMessages {
		return w.index.CountMessages(ctx, q)
	}
	ids, err := w.index.Summaries(ctx, q, false)
	return int64(len(ids)), err
}

// sortByRank puts the best texts first; with ByBoth an older one counts less.
func (w *indexGrep) sortByRank(g *grep) {
	value := func(f *foundText) float64 {
		if g.r.Sort == ByRelevance || f.row.At.IsZero() {
			return f.row.Rank
		}
		return f.row.Rank / (1 + g.db.Now().Sub(f.row.At.Time).Hours()*0.001)
	}
	slices.SortStableFunc(w.found, func(a, b foundText) int { return cmp.Compare(value(&a), value(&b)) })
}
