package review

import (
	"slices"

	"lcm-tui/data"
	"lcm-tui/engine/regenerate"
	"lcm-tui/ops"
)

// candidate is a new text that a review had for a summary.
type candidate struct {
	text  string
	model string // Which made it; empty where it was written by hand.
}

// candidates are the new texts that a review had for each summary, in the order in which they came. None is
// lost: each can be chosen again, without another call of a model.
type candidates struct {
	texts map[string][]candidate
	asked map[string]int // How many answers of the model there were for a summary, equal ones included.
}

func newCandidates() candidates {
	return candidates{texts: map[string][]candidate{}, asked: map[string]int{}}
}

// add notes the texts of a plan. It returns the summary whose new answer is equal to an earlier
// candidate, and the number of that one, from 1; 0 is none.
func (c candidates) add(op ops.Op, p *ops.Plan) (id string, equal int) {
	chooser, ok := op.(ops.Chooser)
	if !ok {
		return "", 0
	}
	models := modelsOf(p)
	for _, t := range p.Texts {
		attempt, given := chooser.Chosen(t.ID)
		same := c.indexOf(t.ID, t.After)
		isNew := !given && attempt >= c.asked[t.ID]
		if isNew {
			c.asked[t.ID] = attempt + 1
		}
		switch {
		case same < 0:
			c.texts[t.ID] = append(c.texts[t.ID], candidate{t.After, models[t.ID]})
		case isNew:
			id, equal = t.ID, same+1
		}
	}
	return id, equal
}

// modelsOf returns which models made the new texts of summaries, by id.
func modelsOf(p *ops.Plan) map[string]string {
	out := map[string]string{}
	for _, c := range p.Changes {
		if model := data.CellText(c.After["model"]); c.Table == "summaries" && model != regenerate.ByHand {
			out[data.CellText(c.After["summary_id"])] = model
		}
	}
	return out
}

// indexOf returns where a text is among the candidates of a summary, or -1.
func (c candidates) indexOf(id, text string) int {
	return slices.IndexFunc(c.texts[id], func(k candidate) bool { return k.text == text })
}
