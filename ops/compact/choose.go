package compact

import (
	"cmp"
	"maps"

	"lcm-tui/data"
	"lcm-tui/engine/compact"
	"lcm-tui/engine/regenerate"
	"lcm-tui/ops"
)

var _ ops.Keeper = (*Op)(nil)

// choices returns a copy of what the user decided until now.
func (o *Op) choices() compact.Choices {
	c := compact.Choices{Texts: map[string]compact.Text{}, Attempts: map[string]int{}}
	if old := o.Request.Choices; old != nil {
		c.Seed = old.Seed
		maps.Copy(c.Texts, old.Texts)
		maps.Copy(c.Attempts, old.Attempts)
	}
	return c
}

// choosing returns the operation with what the user decided.
func (o *Op) choosing(c compact.Choices) *Op {
	next := *o
	next.Request.Choices = &c
	return &next
}

// With implements ops.Chooser.
func (o *Op) With(id, text, model string) ops.Op {
	c := o.choices()
	c.Texts[id] = compact.Text{Text: text, Model: cmp.Or(model, regenerate.ByHand)}
	return o.choosing(c)
}

// Attempt implements ops.Chooser.
func (o *Op) Attempt(id string, n int) ops.Op {
	c := o.choices()
	delete(c.Texts, id)
	c.Attempts[id] = n
	return o.choosing(c)
}

// Chosen implements ops.Chooser.
func (o *Op) Chosen(id string) (attempt int, given bool) {
	c := o.choices()
	_, given = c.Texts[id]
	return c.Attempts[id], given
}

// Keeping implements ops.Keeper. The model of a leaf is shown the leaf before it, so that without this another text of one
// leaf would ask for all those that follow.
func (o *Op) Keeping(p *ops.Plan, id string) ops.Op {
	c, again, models := o.choices(), map[string]bool{id: true}, map[string]string{}
	for i := range p.Changes { // A summary stands behind those that it is made of.
		switch r := p.Changes[i].After; p.Changes[i].Table {
		case "summaries":
			models[data.CellText(r["summary_id"])] = data.CellText(r["model"])
		case "summary_parents":
			if again[data.CellText(r["parent_summary_id"])] {
				again[data.CellText(r["summary_id"])] = true
			}
		}
	}
	for _, t := range p.Texts {
		if again[t.ID] {
			delete(c.Texts, t.ID)
		} else {
			c.Texts[t.ID] = compact.Text{Text: t.After, Model: models[t.ID]}
		}
	}
	return o.choosing(c)
}
