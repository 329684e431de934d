package extractive

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"lcm-tui/engine/model"
	"lcm-tui/engine/summarize"
)

// Summarizer is a summarize.Model that asks nobody.
//
// The method is TextRank (Mihalcea and Tarau, "TextRank: Bringing Order into
// Text", 2004): sentences recommend those that resemble them, and are worth what
// their recommenders are worth. The resemblance is that of continuous LexRank
// (Erkan and Radev, 2004), the cosine of words weighed by their rarity. On top of
// that sentences count for more that tell of decisions, errors, commands, files,
// identifiers, times or open tasks, and a sentence that repeats a chosen one is
// passed over.
type Summarizer struct {
	Named bool // By a flag or a setting; otherwise it only stands in.
}

// Name implements summarize.Model.
func (Summarizer) Name() string { return model.Extractive + "/textrank" }

// Quotes says that the summaries are made of the source's own sentences, and by
// nobody who would have to be asked.
func (Summarizer) Quotes() bool { return true }

// Unnamed reports whether neither the user nor a setting named it, as
// summarize.CheckNamed asks.
func (s Summarizer) Unnamed() bool { return !s.Named }

// Price implements summarize.Pricer.
func (Summarizer) Price(int64, int64) (dollars float64, known bool) { return 0, true }

// Summarize picks sentences within the target and below the size of the source.
func (s Summarizer) Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	if err := ctx.Err(); err != nil {
		return summarize.Reply{}, context.Cause(ctx)
	}
	reply := summarize.Reply{Model: s.Name(), Priced: true}
	reply.Text = extract(r.Source, sizeLimit(r.Source, r.Target))
	if reply.Text == "" {
		return reply, &model.Error{Kind: model.KindEmpty, Provider: model.Extractive, Message: "the source is blank"}
	}
	return reply, ctx.Err()
}

// sizeLimit returns how long a summary may be, in quarters of a token: the target,
// and always clearly less than the source.
func sizeLimit(source string, target int) int {
	tokens := size(source) / perToken
	most := min(target, tokens*6/10)
	if target <= 0 {
		most = tokens * 35 / 100
	}
	return max(1, most) * perToken
}

// extract makes the summary of a text.
func extract(text string, budget int) string {
	d := read(text)
	files, expand := footerSizes(budget)
	kept := d.pick(budget - files - expand)
	lines := d.lines(kept)
	if len(kept) == 0 { // Even the shortest is too long.
		top := clip(d.best(text), budget-files-expand)
		if top == "" {
			return ""
		}
		lines = []string{top}
	}
	if files > 0 {
		lines = append(lines, d.files(files))
	}
	if expand > 0 {
		lines = append(lines, d.expand(kept, expand))
	}
	return strings.Join(lines, "\n")
}

// footerSizes returns what the last two lines may take: a quarter of the budget or the
// least with which they say something; nothing where that leaves no room.
func footerSizes(budget int) (files, expand int) {
	const (
		least       = 28 * perToken
		leastFiles  = 3 * perToken
		leastExpand = 10 * perToken
	)
	if budget < least {
		return 0, 0
	}
	return max(leastFiles, budget*12/100), max(leastExpand, budget*13/100)
}

// pick takes the best sentences that fit, and gives them in their order. Up to
// three quarters are for decisions and errors before anything else has its turn.
func (d *document) pick(budget int) (kept []int) {
	d.rank()
	order := make([]int, len(d.sentences))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.sentences[b].worth, d.sentences[a].worth) })
	p := selection{document: d, heads: map[int]bool{}}
	p.take(order, budget*3/4, func(s *sentence) bool { return s.vital })
	p.take(order, budget, func(s *sentence) bool { return !s.isTrivial() })
	slices.Sort(p.kept)
	return p.kept
}

// selection is a choice of sentences in the making.
type selection struct {
	*document
	kept  []int
	heads map[int]bool // The blocks whose head is in it.
	spent int
}

// take goes through sentences, and takes those that are wanted, fit and say
// something new.
func (p *selection) take(order []int, budget int, wanted func(*sentence) bool) {
	for _, i := range order {
		cost := p.cost(i, p.heads)
		if p.spent+cost > budget || !wanted(p.sentences[i]) || slices.Contains(p.kept, i) || p.repeats(i, p.kept) {
			continue
		}
		p.spent += cost
		p.heads[p.sentences[i].head] = true
		p.kept = append(p.kept, i)
	}
}

// isTrivial reports whether a sentence says nothing by itself, as "That was easy."
func (s *sentence) isTrivial() bool { return s.signal == 0 && len(s.terms) < 3 }

// cost returns what a sentence takes with its line break, and with the head of its
// block where that isn't there yet.
func (d *document) cost(i int, heads map[int]bool) int {
	s := d.sentences[i]
	n := size(s.text) + size("\n")
	if s.head >= 0 && !heads[s.head] {
		n += size(d.heads[s.head]) + size("[] ")
	}
	return n
}

// repeats reports whether a sentence says what a chosen one says.
func (d *document) repeats(i int, kept []int) bool {
	const same = 0.7
	return slices.ContainsFunc(kept, func(k int) bool { return likeness(d.sentences[i], d.sentences[k]) > same })
}

// lines returns the chosen sentences, with the time of their block before the first
// of each.
func (d *document) lines(kept []int) (out []string) {
	last := -1
	for _, i := range kept {
		s := d.sentences[i]
		line := s.text
		if s.head >= 0 && s.head != last {
			line = "[" + d.heads[s.head] + "] " + line
		}
		last = s.head
		out = append(out, line)
	}
	return out
}

// best returns the sentence to be cut where none fits.
func (d *document) best(text string) string {
	if len(d.sentences) == 0 {
		return joinWords(printable(text))
	}
	top := d.sentences[0]
	for _, s := range d.sentences {
		if s.worth > top.worth {
			top = s
		}
	}
	return top.text
}
