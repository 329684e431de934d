package hints

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/promoted"
	"lcm-tui/data/searchwords"
	"lcm-tui/data/textsearch"
)

// Hint is a passage of what was recorded.
type Hint struct {
	// ID is that of a summary, or of an entry of promoted memory.
	ID       string    `json:"id"`
	Text     string    `json:"text"` // On one line.
	At       data.Time `json:"at"`   // When it was current last.
	Coverage float64   `json:"coverage"`
}

// Request asks for the hints of a prompt.
type Request struct {
	Prompt string
	// Conversations are those whose summaries may be shown.
	Conversations []int64
	// Entries of promoted memory that may be shown.
	Entries []promoted.Entry
	// Known says which ids the session knows already; nil is none.
	Known map[string]bool
	// Before is the time from which on nothing is recorded yet; zero is none. It is for a replay.
	Before time.Time
	// Safe takes out of a text what isn't to be shown, before a passage is cut out of it: a part of a secret looks like
	// other text. Nil takes nothing out.
	Safe func(text string) string
	// Least is the coverage from which on a passage is a hint; 0 is DefaultCoverage.
	Least float64

	index *serverIndex // Of a replica or home.
}

// The rule of a hint: how much of the prompt's weight it holds at least, how much
// its terms say that it isn't by chance, and how many hints a
// prompt gets.
const (
	DefaultCoverage = 0.6
	leastEvidence   = 2
	mostHints       = 3
)

// How many terms of a prompt are looked for, those that tell most; how many summaries may have one of them, since to
// rank what most have takes too long; and how many summaries are read.
const (
	lookedFor      = 6
	mostDocuments  = 5000
	mostCandidates = 32
)

// Find returns the hints of a prompt, the best first; none for a prompt that can't have one, and for a file without the
// search table of summaries.
func (r Request) Find(ctx context.Context, db *data.DB) (out []Hint, err error) {
	if !IsQuestion(r.Prompt) || len(r.Conversations) == 0 && len(r.Entries) == 0 {
		return nil, nil
	}
	r.index, err = indexOf(ctx, db)
	if err != nil || r.index == nil && !db.Schema().Searchable(data.SummaryIndex) {
		return nil, err
	}
	terms := termsOf(r.Prompt)
	if err := r.weigh(ctx, db, terms); err != nil {
		return nil, err
	}
	slices.SortStableFunc(terms, func(a, b term) int { return cmp.Compare(b.weight, a.weight) })
	terms = terms[:min(len(terms), r.counted(terms))]
	texts, err := r.candidates(ctx, db, terms)
	if err != nil {
		return nil, err
	}
	for _, e := range r.Entries {
		if at := e.CreatedAt; r.Before.IsZero() || at.Valid() && at.Before(r.Before) {
			texts = append(texts, Hint{ID: cmp.Or(e.Summary, e.ID), Text: e.Content, At: at})
		}
	}
	for _, h := range texts {
		if r.Known[h.ID] || slices.ContainsFunc(out, func(o Hint) bool { return o.ID == h.ID }) {
			continue
		}
		p, ok := r.passageOf(h.Text, terms)
		if ok && r.Safe != nil {
			p, ok = r.passageOf(r.Safe(h.Text), terms)
		}
		if ok {
			h.Text, h.Coverage = p.text, p.coverage
			out = append(out, h)
		}
	}
	slices.SortStableFunc(out, func(a, b Hint) int {
		return cmp.Or(cmp.Compare(b.Coverage, a.Coverage), b.At.Compare(a.At.Time))
	})
	out = slices.CompactFunc(out, func(a, b Hint) bool { return a.Text == b.Text })
	return out[:min(len(out), mostHints)], nil
}

// passageOf returns the passage of a text that is a hint, if it has one.
func (r Request) passageOf(text string, terms []term) (p passage, ok bool) {
	p, ok = bestPassage(text, terms)
	return p, ok && !isRepeated(p.text, r.Prompt) && p.coverage >= cmp.Or(r.Least, DefaultCoverage)
}

// counted returns how many terms say what a prompt is about: a pair of characters tells a part of a word only.
func (r Request) counted(terms []term) int {
	for _, t := range terms {
		if t.isPair() {
			return 2 * lookedFor
		}
	}
	return lookedFor
}

// candidates returns the summaries that may hold what a prompt is about, with whole texts.
func (r Request) candidates(ctx context.Context, db *data.DB, terms []term) (out []Hint, err error) {
	if len(r.Conversations) == 0 {
		return nil, nil
	}
	var words []textsearch.IndexTerm
	for _, t := range terms {
		if t.isTelling() {
			words = append(words, textsearch.IndexTerm{Text: t.text})
		}
	}
	filter := textsearch.GrepFilter{Scope: textsearch.Conversations(r.Conversations...), Before: r.Before, Limit: mostCandidates}
	rows := []textsearch.GrepRow{}
	if r.index != nil {
		if rows, err = r.index.candidates(ctx, db, terms, trigrams(r.Prompt), filter); err != nil {
			return nil, err
		}
	}
	for index, terms := range map[string][]textsearch.IndexTerm{data.SummaryIndex: words, data.SummaryTrigrams: trigrams(r.Prompt)} {
		if len(terms) == 0 || !db.Schema().Searchable(index) {
			continue
		}
		query := textsearch.GrepQuery{Index: index, Expression: textsearch.IndexExpression([][]textsearch.IndexTerm{terms}, nil)}
		found, err := textsearch.GrepSummaries.Match(ctx, db, query, filter, textsearch.GrepOrder{Rank: true}, false)
		if err != nil {
			return nil, err
		}
		rows = append(rows, found...)
	}
	var ids []string
	at := map[string]data.Time{}
	for _, row := range rows {
		if _, twice := at[row.ID]; !twice && !r.Known[row.ID] {
			ids, at[row.ID] = append(ids, row.ID), row.At
		}
	}
	found, err := textsearch.Summaries(ctx, db, ids, data.WholeText)
	for _, s := range found {
		out = append(out, Hint{ID: s.ID, Text: s.Text, At: at[s.ID]})
	}
	return out, err
}

// trigrams returns what the search table of trigrams is asked: each three neighbouring characters of a prompt in a
// script without blanks.
func trigrams(prompt string) (out []textsearch.IndexTerm) {
	for _, run := range runs(strings.ToLower(prompt)) {
		runes := []rune(run)
		if !textsearch.IsCJK(runes[0]) {
			continue
		}
		for i := 0; i+3 <= len(runes) && len(out) < mostTerms; i++ {
			out = append(out, textsearch.IndexTerm{Text: string(runes[i : i+3])})
		}
	}
	return out
}

// passage is a part of a text, and how much of a prompt it holds.
type passage struct {
	text     string
	coverage float64
}

// longestPassage is how long a passage is at most, in characters.
const longestPassage = 220

// bestPassage returns the passage of a text that holds most of some terms: a sentence, or two that stand together. ok is
// false where it holds so few of them that they may stand there by chance.
func bestPassage(text string, terms []term) (best passage, ok bool) {
	all := 0.0
	for _, t := range terms {
		all += t.weight
	}
	if all == 0 {
		return best, false
	}
	before := ""
	for _, s := range sentences(text) {
		for _, candidate := range []string{s, strings.TrimSpace(before + " " + s)} {
			if len([]rune(candidate)) > longestPassage {
				continue
			}
			held, evidence := holds(candidate, terms)
			if evidence >= leastEvidence && held/all > best.coverage {
				best, ok = passage{candidate, held / all}, true
			}
		}
		before = s
	}
	return best, ok
}

// holds returns the weight and the evidence of the terms that a text has.
func holds(text string, terms []term) (weight, evidence float64) {
	lower := strings.ToLower(text)
	stems := map[string]bool{}
	for _, s := range searchwords.Stems(text) {
		stems[s] = true
	}
	for _, t := range terms {
		if t.stem != "" && stems[t.stem] || t.stem == "" && strings.Contains(lower, t.text) {
			weight += t.weight
			evidence += t.evidence
		}
	}
	return weight, evidence
}

// isRepeated reports whether a prompt has all the words of a passage: it tells nothing then.
func isRepeated(passage, prompt string) bool {
	return strings.Contains(" "+strings.Join(searchwords.Stems(prompt), " ")+" ", " "+strings.Join(searchwords.Stems(passage), " ")+" ")
}

// sentences returns the sentences of a text, each on one line and not longer than a passage.
func sentences(text string) (out []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(strings.Join(strings.Fields(line), " "), "-*•#> ")
		from := 0
		for i, r := range line {
			end := i + len(string(r))
			if strings.ContainsRune("。！？", r) || strings.ContainsRune(".!?;", r) && strings.HasPrefix(line[end:], " ") {
				out, from = append(out, strings.TrimSpace(line[from:end])), end
			}
		}
		if rest := strings.TrimSpace(line[from:]); rest != "" {
			out = append(out, rest)
		}
	}
	for i, s := range out {
		if r := []rune(s); len(r) > longestPassage {
			out[i] = strings.TrimSpace(string(r[:longestPassage]))
		}
	}
	return out
}
