package ops

import (
	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
)

// ChangeContext adds to the plan what turns a conversation's context from before into
// after, row by row, and counts the impact. The items of after get the ordinals that they have
// if the plan is applied now (see data.DB.NewOrdinals); the writer decides again.
func (p *Plan) ChangeContext(db *data.DB, conv int64, before, after []lcm.ContextItem) {
	after = change.NewOrdinals(db, before, after)
	p.Contexts = append(p.Contexts, ContextChange{conv, before, after})
	p.Impact.ItemsBefore += len(before)
	p.Impact.ItemsAfter += len(after)
	p.Impact.TokensBefore = lcm.AddTokens(p.Impact.TokensBefore, lcm.SumTokens(before))
	p.Impact.TokensAfter = lcm.AddTokens(p.Impact.TokensAfter, lcm.SumTokens(after))
	p.Guards = append(p.Guards, change.GuardContext(conv, before))
	p.Changes = append(p.Changes, change.ContextChanges(before, after)...)
}
