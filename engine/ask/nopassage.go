package ask

import (
	"fmt"
	"strings"
)

// lowCoverage is the share of a question's words below which a passage says little about it.
const lowCoverage = 0.25

// maxNamed is how many summaries are named where none fits.
const maxNamed = 3

// fitsBadly reports whether nothing that was read says much about the question. Only the words of
// a prompt can find such texts: a query finds those that hold all of it. Messages that a search
// found count as they are.
func (r *reading) fitsBadly() bool {
	if len(r.t.words) == 0 || len(r.backed) > 0 || len(r.read) == 0 {
		return false
	}
	r.rate(r.read)
	return r.read[0].score < lowCoverage
}

// answerWithoutPassage returns the answer where nothing fits: it names the summaries that come nearest, and quotes
// nothing.
func (r *reading) answerWithoutPassage() Answer {
	a := Answer{SourceTokens: r.t.Tools.Grant.Consumed(), Truncated: r.skipped}
	var names []string
	for _, s := range r.read {
		a.Expanded++
		if len(names) < maxNamed && s.message == 0 {
			names = append(names, fmt.Sprintf("%s (match %.2f)", s.summary, s.score))
		}
	}
	a.Text = "No model was used, and no passage fits the question well. The nearest summaries are " + strings.Join(names, ", ") +
		". Ask with other words, or name the words to search for."
	return a
}
