package ops

import (
	"fmt"
	"slices"
)

// Join adds the plan of one conversation to that of many, so that all is written or
// nothing.
func Join(all *Plan, p Plan, conv int64) {
	all.Changes = append(all.Changes, p.Changes...)
	all.Guards = append(all.Guards, p.Guards...)
	all.Texts = append(all.Texts, p.Texts...)
	all.Contexts = append(all.Contexts, p.Contexts...)
	for _, n := range p.Notes {
		all.Note(fmt.Sprintf("conversation %d: %s", conv, n))
	}
	for _, w := range p.Warnings {
		all.Warn(fmt.Sprintf("conversation %d: %s", conv, w))
	}
	for _, r := range p.Rebuild {
		if !slices.Contains(all.Rebuild, r) {
			all.Rebuild = append(all.Rebuild, r)
		}
	}
	if all.Backup == "" {
		all.Backup = p.Backup
	}
	all.Away, all.Force = append(all.Away, p.Away...), all.Force || p.Force
	all.Forgets, all.More = all.Forgets || p.Forgets, all.More || p.More
	all.Leaves = append(all.Leaves, p.Leaves...)
	if all.Refused == nil {
		all.Refused = p.Refused
	}
	a, b := &all.Impact, p.Impact
	a.ItemsBefore, a.ItemsAfter = a.ItemsBefore+b.ItemsBefore, a.ItemsAfter+b.ItemsAfter
	a.TokensBefore, a.TokensAfter = a.TokensBefore+b.TokensBefore, a.TokensAfter+b.TokensAfter
	a.ModelCalls, a.InputTokens, a.OutputTokens = a.ModelCalls+b.ModelCalls, a.InputTokens+b.InputTokens, a.OutputTokens+b.OutputTokens
}
