package hints

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/textsearch"
)

// serverIndex is the index of words of a replica or home, which takes the place of the search tables of a file.
type serverIndex struct {
	words   data.WordIndex
	missing bool // It lacks a few texts.
}

// indexOf returns the index of a replica or home, or nil: for a file, and where the index isn't whole yet.
func indexOf(ctx context.Context, db *data.DB) (*serverIndex, error) {
	of, ok := db.Replica()
	if !ok {
		return nil, nil //nolint:nilnil // A file has none.
	}
	missing, err := of.Words.Missing(ctx, textsearch.MostMissing)
	if err != nil || missing > textsearch.MostMissing {
		return nil, err
	}
	return &serverIndex{of.Words, missing > 0}, nil
}

// with returns the summaries that have a text, and with missing those that the index lacks.
func (x *serverIndex) with(ctx context.Context, text data.WordTerm, missing bool) ([]string, error) {
	return x.words.Summaries(ctx, data.WordQuery{Groups: [][]data.WordTerm{{text}}}, missing)
}

// counts returns how many summaries have each of some words, which are given by their stems.
func (x *serverIndex) counts(ctx context.Context, words map[string]string) (map[string]int64, error) {
	stems := slices.Sorted(maps.Keys(words))
	var texts []data.WordTerm
	for _, stem := range stems {
		texts = append(texts, data.WordTerm{Text: words[stem]})
	}
	found, err := x.words.CountSummaries(ctx, texts)
	counts := map[string]int64{}
	for i, n := range found {
		counts[stems[i]] = n
	}
	return counts, err
}

// candidates returns the summaries that have most of some terms, and those that have most of some trigrams. The server has no ranks: the
// weights of the terms take their place.
func (x *serverIndex) candidates(ctx context.Context, db *data.DB, terms []term, trigrams []textsearch.IndexTerm, f textsearch.GrepFilter) ([]textsearch.GrepRow, error) {
	byTerms, byTrigrams := map[string]float64{}, map[string]float64{}
	add := func(to map[string]float64, text data.WordTerm, weight float64) error {
		ids, err := x.with(ctx, text, x.missing)
		for _, id := range ids {
			to[id] += weight
		}
		return err
	}
	for _, t := range terms {
		if !t.isTelling() || t.isPair() {
			continue
		}
		if err := add(byTerms, data.WordTerm{Text: t.text}, t.weight); err != nil {
			return nil, err
		}
	}
	for _, t := range trigrams {
		if err := add(byTrigrams, data.WordTerm{Text: t.Text, Part: true}, 1); err != nil {
			return nil, err
		}
	}
	rows, err := best(ctx, db, byTerms, f)
	if err != nil {
		return nil, err
	}
	more, err := best(ctx, db, byTrigrams, f)
	return append(rows, more...), err
}

// How many summaries are looked up, the best first, and how many at once: most may lie in conversations of others.
const (
	mostLookedUp = 2000
	lookedUp     = 200
)

// best returns the summaries of greatest weight that a filter lets pass, as many as are read.
func best(ctx context.Context, db *data.DB, weights map[string]float64, f textsearch.GrepFilter) (rows []textsearch.GrepRow, err error) {
	heavier := func(a, b string) int { return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b)) }
	ids := slices.SortedFunc(maps.Keys(weights), heavier)
	for some := range slices.Chunk(ids[:min(len(ids), mostLookedUp)], lookedUp) {
		these := make([]any, len(some))
		for i, id := range some {
			these[i] = id
		}
		err = textsearch.GrepSummaries.EachOf(ctx, db, these, f, func(row textsearch.GrepRow) error {
			rows = append(rows, row)
			return nil
		})
		if err != nil || len(rows) >= f.Limit {
			break
		}
	}
	slices.SortFunc(rows, func(a, b textsearch.GrepRow) int { return heavier(a.ID, b.ID) })
	return rows[:min(len(rows), f.Limit)], err
}
