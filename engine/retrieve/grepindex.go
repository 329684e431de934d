package retrieve

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/searchwords"
	"lcm-tui/data/textsearch"
)

// mostRanked is how many texts, the newest ones, are ranked without a search table.
const mostRanked = 5000

// indexGrep is a search by the index of a server, which finds texts by their words. Each text is read and looked at.
type indexGrep struct {
	db      *data.DB
	index   data.WordIndex
	table   textsearch.GrepTable
	missing bool // The index lacks texts.
	filter  textsearch.GrepFilter
	limit   int // How many texts are looked for, the newest first.
	query   data.WordQuery
	phrases []data.WordTerm // That are ranked.
	// accept reports whether a text is what is looked for, and notes what is known of it then.
	accept func(*foundText) bool
	found  []foundText
}

// foundText is a row that was accepted.
type foundText struct {
	row   textsearch.GrepRow
	words int   // Of its text.
	bytes int   // The same.
	times []int // How often it has each phrase.
}

// newIndexGrep returns a search in a table; problem says why the index can't be asked, or is empty. Its error is that of the context.
func (g *grep) newIndexGrep(of *data.Replica, t textsearch.GrepTable) (w *indexGrep, problem string, err error) {
	missing, problem, err := textsearch.ReplicaMissing(g.ctx, of)
	if err != nil || problem != "" {
		return nil, problem, err
	}
	return &indexGrep{db: g.db, index: of.Words, table: t, missing: missing > 0, filter: g.filter, limit: g.filter.Limit}, "", nil
}

// find finds the newest texts.
func (w *indexGrep) find(ctx context.Context) error {
	if w.table != textsearch.GrepMessages {
		ids, err := w.index.Summaries(ctx, w.query, w.missing)
		if err == nil {
			_, err = w.read(ctx, anyOf(ids))
		}
		w.found = w.found[:min(len(w.found), w.limit)]
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
			w.sortMessages()
			return err
		}
		in.Skip += len(ids)
		in.Limit *= 4 // The server finds and sorts all of them each time.
	}
}

// read adds the texts of some rows that are accepted. It says whether there are enough, also of those with the time of the last one:
// rows with the same time come from the server in another order.
func (w *indexGrep) read(ctx context.Context, ids []any) (isFull bool, err error) {
	err = w.table.EachOf(ctx, w.db, ids, w.filter, func(row textsearch.GrepRow) error {
		if len(w.found) >= w.limit && textsearch.NewestFirst(w.found[w.limit-1].row.At, row.At) != 0 {
			isFull = true
			return data.ErrEndRows
		}
		if f := (foundText{row: row, bytes: len(row.Text)}); w.accept(&f) {
			w.found = append(w.found, f)
		}
		return nil
	})
	return isFull, err
}

// sortMessages puts the newest messages first, and of those with the same time that with the lowest id, as search tables do.
func (w *indexGrep) sortMessages() {
	slices.SortStableFunc(w.found, func(a, b foundText) int {
		return cmp.Or(textsearch.NewestFirst(a.row.At, b.row.At), cmp.Compare(len(a.row.ID), len(b.row.ID)), cmp.Compare(a.row.ID, b.row.ID))
	})
	w.found = w.found[:min(len(w.found), w.limit)]
}

// like finds the newest rows with one or more texts of each group. On a replica or home the index finds writings without blanks.
func (g *grep) like(t textsearch.GrepTable, groups [][]string) (rows []textsearch.GrepRow, err error) {
	of, isReplica := g.db.Replica()
	if !isReplica {
		return t.Like(g.ctx, g.db, groups, g.filter)
	}
	var query data.WordQuery
	for _, group := range groups {
		if terms, ok := pairTerms(group); ok {
			query.Groups = append(query.Groups, terms)
		}
	}
	if query.IsEmpty() {
		return t.Like(g.ctx, g.db, groups, g.filter)
	}
	w, problem, err := g.newIndexGrep(of, t)
	switch {
	case err != nil:
		return nil, err
	case problem != "":
		return t.Like(g.ctx, g.db, groups, g.filter)
	}
	w.query = query
	w.accept = func(f *foundText) bool { return hasOneOfEach(lowerASCII(f.row.Text), groups) }
	err = w.find(g.ctx)
	for _, f := range w.found {
		rows = append(rows, f.row)
	}
	return rows, err
}

// pairTerms returns texts as the index of a server takes them; ok is false if one of them has no two characters in a row of a writing
// without blanks.
func pairTerms(group []string) (terms []data.WordTerm, ok bool) {
	for _, text := range group {
		if len(searchwords.Pairs(text)) == 0 {
			return nil, false
		}
		terms = append(terms, data.WordTerm{Text: text, Part: true})
	}
	return terms, true
}

// hasOneOfEach reports whether a text has one or more texts of each group. The ASCII letters of all are small.
func hasOneOfEach(text string, groups [][]string) bool {
	for _, group := range groups {
		if !slices.ContainsFunc(group, func(one string) bool { return strings.Contains(text, one) }) {
			return false
		}
	}
	return true
}

// lowerASCII returns a text with small letters in the place of the large ones of ASCII, as LIKE compares texts.
func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, text)
}

// anyOf returns ids as arguments of a statement.
func anyOf[T any](ids []T) []any {
	out := make([]any, len(ids))
	for i, id := range ids {
		out[i] = id
	}
	return out
}
