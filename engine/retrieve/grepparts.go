package retrieve

import (
	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/searchwords"
	"lcm-tui/data/textsearch"
)

// partsOfSummaries searches on a replica or home for runs of CJK as the search table of trigrams does. What the index can't be asked for is
// looked for in every text, and comes by its time.
func (g *grep) partsOfSummaries(of *data.Replica, q cjkQuery) error {
	isAskable := false
	rows, problem, err := g.matchIndex(of, textsearch.GrepSummaries, func(w *indexGrep) {
		w.lookForParts(q)
		isAskable = !w.query.IsEmpty()
	})
	if err == nil && (problem != "" || !isAskable) {
		groups, _ := q.groups(trigramPart)
		rows, err = g.like(textsearch.GrepSummaries, groups)
		for i := range rows {
			rows[i].Text = searchwords.NewTrigrams(jstext.Decode(rows[i].Text)).Snippet(q.phrases(), snippetWords)
		}
	}
	for _, row := range rows {
		g.addSummary(row, row.Text)
	}
	return err
}

// phrases returns the trigrams of each part of the runs.
func (q cjkQuery) phrases() (out [][]string) {
	for _, run := range q.runs {
		for _, part := range parts(run, trigramPart) {
			out = append(out, searchwords.Trigrams(part))
		}
	}
	return out
}

// lookForParts lets texts be found that have one part of each run, and all Latin words.
func (w *indexGrep) lookForParts(q cjkQuery) {
	for _, run := range q.runs {
		for _, part := range parts(run, trigramPart) {
			w.phrases = append(w.phrases, data.WordTerm{Text: part, Part: true})
		}
		if terms, ok := pairTerms(parts(run, trigramPart)); ok {
			w.query.Groups = append(w.query.Groups, terms)
		}
	}
	phrases := q.phrases()
	groups, _ := q.groups(trigramPart)
	w.accept = func(f *foundText) bool {
		content := jstext.Decode(f.row.Text)
		if !hasOneOfEach(lowerASCII(content), groups) {
			return false
		}
		text := searchwords.NewTrigrams(content)
		for _, p := range phrases {
			f.times = append(f.times, len(text.Find(p)))
		}
		f.words, f.row.Text = text.Len(), text.Snippet(phrases, snippetWords)
		return true
	}
}
