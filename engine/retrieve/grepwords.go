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

const (
	// mostMissing is how many texts that the index of a server lacks are read beside it.
	mostMissing = 2000
	// mostRanked is how many texts, the newest ones, are ranked without a search table.
	mostRanked = 5000
	// snippetWords is how many words a snippet of a search table has.
	snippetWords = 32
)

// matchWords works as match on a replica or home. The server's index finds texts by their words, and each is read and compared as
// a search table does it.
func (g *grep) matchWords(index data.WordIndex, t textsearch.GrepTable, table string) (rows []textsearch.GrepRow, ok bool, err error) {
	const others = ", so every text was read: parts of words are found, and not their other forms"
	if table == data.SummaryTrigrams {
		g.note("the server has no search table " + table + others)
		return nil, false, nil
	}
	missing, err := index.Missing(g.ctx, mostMissing)
	if err := g.ctx.Err(); err != nil {
		return nil, false, err
	}
	switch {
	case err != nil:
		g.note("the index of the server couldn't answer" + others + ": " + err.Error())
		return nil, false, nil
	case missing > mostMissing:
		g.note("the index of the server isn't whole yet" + others)
		return nil, false, nil
	}
	w := &wordGrep{db: g.db, index: index, table: t, missing: missing > 0, filter: g.filter, limit: g.filter.Limit}
	w.addPhrases(g.r.Pattern)
	if len(w.phrases) == 0 {
		return nil, true, nil
	}
	isRanked := g.r.Sort == ByRelevance || g.r.Sort == ByBoth
	if isRanked {
		w.limit = mostRanked
	}
	if err := w.find(g.ctx); err != nil {
		return nil, false, err
	}
	if isRanked || g.r.Ranks {
		if err := w.rank(g.ctx); err != nil {
			return nil, false, err
		}
	}
	if isRanked {
		g.note("the server has no ranks: they are estimated from the texts that were found")
		if len(w.found) == mostRanked {
			g.note("only the newest 5,000 texts that were found are ranked")
		}
		w.sort(g)
	}
	for _, f := range w.found[:min(len(w.found), g.filter.Limit)] {
		rows = append(rows, f.row)
	}
	return rows, true, nil
}

// wordGrep is a search for words by the index of a server.
type wordGrep struct {
	db      *data.DB
	index   data.WordIndex
	table   textsearch.GrepTable
	missing bool // The index lacks texts.
	filter  textsearch.GrepFilter
	limit   int // How many texts are looked for, the newest first.
	phrases [][]string
	query   data.WordQuery
	found   []foundText
}

// foundText is a row that has all phrases.
type foundText struct {
	row   textsearch.GrepRow
	words int   // Of its text.
	bytes int   // The same.
	times []int // How often it has each phrase.
}

// addPhrases adds the words and phrases of a pattern. What has no word is left out, as search tables do.
func (w *wordGrep) addPhrases(pattern string) {
	for _, text := range tokens(pattern) {
		text = strings.NewReplacer(`"`, "", "\x00", " ").Replace(text)
		if stems := searchwords.Stems(text); len(stems) > 0 {
			w.phrases = append(w.phrases, stems)
			w.query.Groups = append(w.query.Groups, []data.WordTerm{{Text: text}})
		}
	}
}

// find finds the newest texts.
func (w *wordGrep) find(ctx context.Context) error {
	if w.table != textsearch.GrepMessages {
		ids, err := w.index.Summaries(ctx, w.query, w.missing)
		if err != nil {
			return err
		}
		_, err = w.read(ctx, anyOf(ids))
		return err
	}
	in := data.WordRange{From: math.MinInt64, To: math.MaxInt64, Limit: 4 * w.limit}
	if !w.filter.Scope.All() {
		in.Conversations = [][]int64{w.filter.Scope.IDs()}
	}
	for {
		ids, err := w.index.Messages(ctx, w.query, in, w.missing)
		if err != nil {
			return err
		}
		if isFull, err := w.read(ctx, anyOf(ids)); err != nil || isFull || len(ids) < in.Limit {
			w.newestFirst()
			return err
		}
		in.Skip += len(ids)
		in.Limit *= 4 // The server finds and sorts all of them each time.
	}
}

// read adds the texts of some rows that have all phrases. It says whether there are enough, also of those with the time of the
// last one: rows with the same time come from the server in another order.
func (w *wordGrep) read(ctx context.Context, ids []any) (isFull bool, err error) {
	err = w.table.EachOf(ctx, w.db, ids, w.filter, func(row textsearch.GrepRow) error {
		if len(w.found) >= w.limit && !w.found[w.limit-1].row.At.Equal(row.At.Time) {
			isFull = true
			return data.ErrEndRows
		}
		content := jstext.Decode(row.Text)
		if w.table == textsearch.GrepMessages {
			content = data.IndexText(content)
		}
		text := searchwords.NewText(content)
		f := foundText{words: text.Len(), bytes: len(row.Text)}
		for _, p := range w.phrases {
			n := len(text.Find(p))
			if n == 0 {
				return nil
			}
			f.times = append(f.times, n)
		}
		f.row = row
		f.row.Text = text.Snippet(w.phrases, snippetWords)
		w.found = append(w.found, f)
		return nil
	})
	return isFull, err
}

// newestFirst orders messages by their times, and those with the same time by their ids, as search tables do.
func (w *wordGrep) newestFirst() {
	slices.SortStableFunc(w.found, func(a, b foundText) int {
		return cmp.Or(b.row.At.Compare(a.row.At.Time), cmp.Compare(len(a.row.ID), len(b.row.ID)), cmp.Compare(a.row.ID, b.row.ID))
	})
	w.found = w.found[:min(len(w.found), w.limit)]
}

// rank fills in the ranks as the function bm25 of SQLite computes them. How many words texts have on average is estimated: the
// server knows their bytes.
func (w *wordGrep) rank(ctx context.Context) error {
	const saturation, lengthWeight = 1.2, 0.75
	rows, bytes, err := w.table.Totals(ctx, w.db)
	if err != nil {
		return err
	}
	weights := make([]float64, len(w.phrases))
	for i, group := range w.query.Groups {
		n, err := w.count(ctx, data.WordQuery{Groups: [][]data.WordTerm{group}})
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
func (w *wordGrep) count(ctx context.Context, q data.WordQuery) (int64, error) {
	if w.table == textsearch.GrepMessages {
		return w.index.CountMessages(ctx, q)
	}
	ids, err := w.index.Summaries(ctx, q, false)
	return int64(len(ids)), err
}

// sort puts the best texts first; with ByBoth an older one counts less.
func (w *wordGrep) sort(g *grep) {
	value := func(f *foundText) float64 {
		if g.r.Sort == ByRelevance || f.row.At.IsZero() {
			return f.row.Rank
		}
		return f.row.Rank / (1 + g.db.Now().Sub(f.row.At.Time).Hours()*0.001)
	}
	slices.SortStableFunc(w.found, func(a, b foundText) int { return cmp.Compare(value(&a), value(&b)) })
}

// anyOf returns ids as arguments of a statement.
func anyOf[T any](ids []T) []any {
	out := make([]any, len(ids))
	for i, id := range ids {
		out[i] = id
	}
	return out
}
