package ops

import (
	"fmt"
	"maps"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/hint"
)

// conflict says that the plans of two conversations can't be one, since both change what: a row, or a context.
func conflict(what string, first, second int64) error {
	return hint.New(fmt.Sprintf("the changes of conversation %d and of conversation %d are both about %s", first, second, what),
		fmt.Sprintf("apply those of conversation %d first, and plan those of conversation %d again after that", first, second))
}

// joinedRows is where a plan of many has a row from.
type joinedRows struct {
	at   int // The index of its change.
	conv int64
}

// Join adds the plan of one conversation, which texts call name, to that of many, so that all is written or
// nothing. Changes of the same row become one where they are the same or touch different
// columns. Else nothing is added and it fails.
func Join(all *Plan, p Plan, conv int64, name string) error {
	if err := all.combine(p, conv); err != nil {
		return err
	}
	all.absorb(p, name+": ")
	return nil
}

// Follow adds a plan to those that were written before it, to show them together.
func Follow(all *Plan, p Plan) {
	all.Title += "; " + p.Title
	all.Changes = append(all.Changes, p.Changes...)
	all.absorb(p, "")
}

// absorb adds all of a plan but its changes. lead stands before its notes and warnings.
func (p *Plan) absorb(more Plan, lead string) {
	p.Guards = append(p.Guards, more.Guards...)
	p.Texts = append(p.Texts, more.Texts...)
	p.Contexts = append(p.Contexts, more.Contexts...)
	p.Items = append(p.Items, more.Items...)
	for _, n := range more.Notes {
		p.NoteFlag(lead+n, lead+more.ScreenText(n))
	}
	for _, w := range more.Warnings {
		p.Warn(lead + w)
	}
	for _, r := range more.Rebuild {
		if !slices.Contains(p.Rebuild, r) {
			p.Rebuild = append(p.Rebuild, r)
		}
	}
	if p.Backup == "" {
		p.Backup = more.Backup
	}
	p.Force = p.Force || more.Force
	p.Sources = append(p.Sources, more.Sources...)
	p.Forgets, p.More = p.Forgets || more.Forgets, p.More || more.More
	p.Leaves = append(p.Leaves, more.Leaves...)
	if p.Refused == nil {
		p.Refused = more.Refused
	}
	if p.Partial == nil {
		p.Partial = more.Partial
	}
	p.Model = firstNonEmpty(p.Model, more.Model)
	if p.Price = firstNonEmpty(p.Price, more.Price); more.Price != "" && more.Price != p.Price {
		p.Price = "what the notes say of each conversation"
	}
	a, b := &p.Impact, more.Impact
	a.ItemsBefore, a.ItemsAfter = a.ItemsBefore+b.ItemsBefore, a.ItemsAfter+b.ItemsAfter
	a.TokensBefore, a.TokensAfter = a.TokensBefore+b.TokensBefore, a.TokensAfter+b.TokensAfter
	a.Unknown = a.Unknown || b.Unknown
	a.ModelCalls, a.InputTokens, a.OutputTokens = a.ModelCalls+b.ModelCalls, a.InputTokens+b.InputTokens, a.OutputTokens+b.OutputTokens
}

// combine adds the changes of one more plan to those of many, each row once.
func (p *Plan) combine(more Plan, conv int64) error {
	if p.rows == nil {
		p.rows = map[string]joinedRows{}
	}
	var fresh []change.Change
	changed, contexts := map[int]change.Change{}, map[string]joinedRows{}
	for _, c := range more.Changes {
		row, context := c.Label(), contextOf(c)
		if was, known := p.rows[context]; known && context != "" {
			return conflict(context, was.conv, conv)
		}
		if context != "" {
			contexts[context] = joinedRows{conv: conv}
		}
		was, known := p.rows[row]
		if !known {
			fresh = append(fresh, c)
			continue
		}
		both, ok := combined(p.Changes[was.at], c)
		if !ok {
			return conflict(row, was.conv, conv)
		}
		changed[was.at] = both
	}
	for at, c := range changed {
		p.Changes[at] = c
	}
	for _, c := range fresh {
		p.rows[c.Label()] = joinedRows{len(p.Changes), conv}
		p.Changes = append(p.Changes, c)
	}
	maps.Copy(p.rows, contexts)
	return nil
}

// contextOf names the context that a change is about, of which the places belong
// together; empty for other rows.
func contextOf(c change.Change) string {
	for _, r := range []data.Row{c.Before, c.After} {
		if id, ok := r["conversation_id"]; ok && c.Table == "context_items" {
			return fmt.Sprintf("the context of conversation %v", id)
		}
	}
	return ""
}

// combined returns the change that does what two do; not ok where they contradict each other.
func combined(a, b change.Change) (change.Change, bool) {
	if (a.After == nil) != (b.After == nil) || (a.Before == nil) != (b.Before == nil) {
		return a, false
	}
	if a.After == nil || a.Before == nil {
		return a, a.Before.Equal(b.Before) && a.After.Equal(b.After)
	}
	a.Before, a.After = maps.Clone(a.Before), maps.Clone(a.After)
	for column, v := range b.After {
		was, known := a.Before[column]
		before := data.Row{column: b.Before[column]}
		switch same := (data.Row{column: v}).Equal(before); {
		case known && !before.Equal(data.Row{column: was}):
			return a, false // They saw different rows.
		case !known || (data.Row{column: a.After[column]}).Equal(before):
			a.Before[column], a.After[column] = b.Before[column], v
		case !same && !(data.Row{column: a.After[column]}).Equal(data.Row{column: v}):
			return a, false
		}
	}
	return a, true
}

// firstNonEmpty returns the first that isn't empty.
func firstNonEmpty(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
