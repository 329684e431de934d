package search

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/searchwords"
	"lcm-tui/data/textsearch"
	"lcm-tui/internal/sorting"
)

// maxSimilar is how many similar words are offered.
const maxSimilar = 3

// Advice says what to try where nothing was found, by no other query either that could be
// offered.
func (q Query) Advice() string {
	switch {
	case len(q.Excluded) > 0 && q.HasText():
		minus := q.Excluded[0]
		return "-" + minus.String() + " takes away what has " + minus.String() + "; put a command in quotation marks: " + q.quote().typed()
	case len(q.Filters) == 0:
		return "try fewer words, or others"
	case !q.HasText():
		return "take one of the filters away"
	}
	return "try other words; the filters aren't the reason"
}

// suggestions offers other queries in place of one that found nothing.
type suggestions struct {
	db      *data.DB
	query   Query
	options Options
	out     *collector
	unknown []string // Queries that were tried for as long as they may be, and found nothing until then.
}

// suggest offers other queries that find something, each as soon as that is known.
func (s *suggestions) suggest(ctx context.Context) error {
	if err := s.offerAll(ctx); err != nil || len(s.unknown) == 0 {
		return err
	}
	s.out.send(Noted{fmt.Sprintf("after %s it isn't known whether %s finds anything: search for it to see", s.options.UnaskedTime, strings.Join(s.unknown, " or "))})
	return nil
}

func (s *suggestions) offerAll(ctx context.Context) error {
	if len(s.query.Excluded) > 0 {
		if err := s.offer(ctx, "in quotation marks", s.query.quote()); err != nil {
			return err
		}
	}
	if len(s.query.Filters) > 0 {
		q := s.query
		q.Filters = nil
		if err := s.offer(ctx, "without filters", q); err != nil {
			return err
		}
	}
	if err := s.offer(ctx, "words that begin so", s.query.replaceWords(func(t Term) string { return t.Text + "*" })); err != nil {
		return err
	}
	if err := s.offer(ctx, "anywhere in words", s.query.replaceWords(func(t Term) string { return "/" + regexp.QuoteMeta(t.Text) + "/" })); err != nil {
		return err
	}
	return s.suggestSimilar(ctx)
}

// quote returns the query with all that is no filter as one phrase: in a command, such as rg -n foo,
// a minus is no operator.
func (q Query) quote() Query {
	var inside []string
	for _, t := range tokens(q.Text) {
		if t.name != "" && Parse(t.text, q.options).Filters != nil {
			continue
		}
		if t.text = strings.ReplaceAll(t.text, `"`, " "); t.not {
			t.text = "-" + t.text
		}
		inside = append(inside, t.text)
	}
	phrase := Parse(`"`+strings.Join(inside, " ")+`"`, q.options)
	q.Groups, q.Excluded = phrase.Groups, nil
	return q
}

// replaceWords returns the query with other terms in place of its words; what fn leaves empty stays.
func (q Query) replaceWords(fn func(Term) string) Query {
	var groups []Group
	for _, g := range q.Groups {
		var terms []Term
		for _, t := range g {
			if typed := fn(t); t.Kind == Word && isIndexable(t.Text) && typed != "" {
				if other := Parse(typed, q.options); len(other.Groups) == 1 {
					t = other.Groups[0][0]
				}
			}
			terms = append(terms, t)
		}
		groups = append(groups, terms)
	}
	q.Groups = groups
	return q
}

// typed returns the query as it could be typed.
func (q Query) typed() string {
	return strings.ReplaceAll(q.String(), " AND ", " ")
}

// offer reports another query if it differs and finds something.
func (s *suggestions) offer(ctx context.Context, reason string, q Query) error {
	q.Text, q.Notes = q.typed(), nil
	if q.Text == s.query.typed() || q.IsEmpty() {
		return nil
	}
	n, ended, err := s.countHits(ctx, q)
	if !ended && n.Total == 0 {
		s.unknown = append(s.unknown, q.Text)
	}
	if err != nil || n.Total == 0 {
		return err
	}
	s.out.send(Suggested{Suggestion{Reason: reason, Query: q.Text, Count: n.Total, More: n.More}})
	return nil
}

// countHits returns how many hits another query has. A search that reads texts one by one stops at
// the first of them, or where its time is over: then it hasn't ended.
func (s *suggestions) countHits(ctx context.Context, q Query) (n Counted, ended bool, err error) {
	counting, stop := context.WithCancel(ctx)
	defer stop()
	if s.options.UnaskedTime > 0 {
		counting, stop = context.WithTimeout(counting, s.options.UnaskedTime)
		defer stop()
	}
	other := newRun(s.db, q, s.options)
	other.isTrial = true
	other.out = newCollector(counting, func(e Event) {
		switch e := e.(type) {
		case Counted:
			n = e
		case Progress:
			if n.Total > 0 {
				stop()
			}
		}
	}, s.options)
	err = other.search(counting)
	ended = counting.Err() == nil
	if ctx.Err() == nil && !ended {
		err = nil
	}
	return n, ended, err
}

// suggestSimilar offers words of the search table that are spelled almost like one of the query
// that it doesn't have.
func (s *suggestions) suggestSimilar(ctx context.Context) error {
	if _, ok := s.db.Replica(); ok || indexProblem(s.db, messageIndex) != "" {
		return nil
	}
	similar := map[string][]string{}
	most := 0
	for _, g := range s.query.Groups {
		for _, t := range g {
			ws := searchwords.All(t.Text)
			if t.Kind != Word || !isIndexable(t.Text) || len(ws) != 1 {
				continue
			}
			found, err := s.similarWords(ctx, ws[0])
			if err != nil {
				return err
			}
			similar[t.Text] = found
			most = max(most, len(found))
		}
	}
	for i := range most {
		q := s.query.replaceWords(func(t Term) string {
			if found := similar[t.Text]; len(found) > 0 {
				return found[min(i, len(found)-1)]
			}
			return ""
		})
		if err := s.offer(ctx, "a similar word", q); err != nil {
			return err
		}
	}
	return nil
}

// similarWords returns words of the search table that differ from a word by one slip of the pen, or
// in a long word by two: the likeliest first. A word that is there has none.
func (s *suggestions) similarWords(ctx context.Context, word string) ([]string, error) {
	wanted := searchwords.Stem(word)
	letters := []rune(wanted)
	if len(letters) < 3 {
		return nil, nil
	}
	type candidate struct {
		word     string
		distance int
		messages int64
	}
	allowed := 1
	if len(letters) > 5 {
		allowed = 2
	}
	var found []candidate
	known := false
	err := textsearch.EachWord(ctx, s.db, string(letters[:2]), func(w textsearch.WordCount) error {
		known = known || w.Word == wanted
		if d := similarity(word, letters, []rune(w.Word), allowed); d <= allowed {
			found = append(found, candidate{w.Word, d, w.Messages})
		}
		return ctx.Err()
	})
	if err != nil || known {
		if ctx.Err() == nil {
			err = nil // A table without a list of its words has no similar ones.
		}
		return nil, err
	}
	sorting.Stable(found, func(a, b *candidate) int {
		return cmp.Or(a.distance-b.distance, cmp.Compare(b.messages, a.messages), strings.Compare(a.word, b.word))
	})
	var out []string
	for _, c := range found[:min(len(found), maxSimilar)] {
		typed, err := s.formOf(ctx, c.word)
		if err != nil {
			return nil, err
		}
		out = append(out, typed)
	}
	return out, nil
}

// formOf returns a word of the texts that the search table knows under a stem, or the stem where no hit
// has one: people know inventory, and not inventori.
func (s *suggestions) formOf(ctx context.Context, stemmed string) (form string, err error) {
	form = stemmed
	searching, stop := context.WithCancel(ctx)
	defer stop()
	o := s.options
	o.Sort, o.Ordered = Newest, false
	other := newRun(s.db, Parse(stemmed, ParseOptions{}), o)
	other.isTrial = true
	other.out = newCollector(searching, func(e Event) {
		if found, ok := e.(Found); ok {
			form = firstForm(found.Hits, stemmed)
			stop()
		}
	}, other.Options)
	if err = other.search(searching); ctx.Err() == nil && searching.Err() != nil {
		err = nil
	}
	return form, err
}

// firstForm returns the first word of hits that has a stem, or the stem.
func firstForm(hits []Hit, stemmed string) string {
	for i := range hits {
		for _, w := range searchwords.All(hits[i].Snippet) {
			if searchwords.Stem(w) == stemmed {
				return w
			}
		}
	}
	return stemmed
}

// similarity returns by how many slips a word differs from one of the table, which has stems: of
// what was typed the stem or only the beginning may be like it.
func similarity(typed string, stemmed, known []rune, most int) int {
	d := editDistance(stemmed, known, most)
	if start := []rune(typed); len(known) > 3 && len(start) > len(known) {
		d = min(d, editDistance(start[:len(known)], known, most)+1)
	}
	return d
}

// editDistance returns how many letters have to be put in, left out, changed or exchanged with their
// neighbour to make one word of another. Above most it is any number above most.
func editDistance(a, b []rune, most int) int {
	if d := len(a) - len(b); d > most || -d > most {
		return most + 1
	}
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, row, two := rows[(i-1)%3], rows[i%3], rows[(i+1)%3]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(before[j]+1, row[j-1]+1, before[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], two[j-2]+1)
			}
		}
		if slices.Min(row) > most+1 {
			return most + 1
		}
	}
	return rows[len(a)%3][len(b)]
}
