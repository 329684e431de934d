package sessionkey

import (
	"context"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
)

// A summary moves with its messages where all of them move, and all summaries that it was made of. One that was made of
// messages that move and of others can be in one conversation only: in the other one it would be missing.

// fate is what becomes of a summary, by what it was made of.
type fate int

const (
	undecided fate = iota
	stays
	moves
	torn // Of both.
)

// summaryMove finds the summaries that move.
type summaryMove struct {
	messages map[string][]int64  // By summary, those that it was made of.
	sources  map[string][]string // By summary, the summaries that it was made of.
	moved    map[int64]bool      // The messages that move.
	fates    map[string]fate
}

// of returns what becomes of a summary. A summary that was made of nothing stays, as does one of another conversation.
func (s *summaryMove) of(summary string) fate {
	if f, known := s.fates[summary]; known {
		return f
	}
	s.fates[summary] = stays // While its sources are looked at: summaries may go round in a circle.
	out := undecided
	add := func(f fate) {
		switch {
		case out == undecided:
			out = f
		case out != f:
			out = torn
		}
	}
	for _, id := range s.messages[summary] {
		if s.moved[id] {
			add(moves)
		} else {
			add(stays)
		}
	}
	for _, source := range s.sources[summary] {
		add(s.of(source))
	}
	if out == undecided {
		out = stays
	}
	s.fates[summary] = out
	return out
}

// chooseSummaries finds the summaries that move with their messages, and refuses where one of them can't.
func (m *rowMove) chooseSummaries(ctx context.Context) error {
	links, err := lcm.MessageLinks(ctx, m.db, m.to.ID)
	if err != nil {
		return err
	}
	between, err := lcm.Links(ctx, m.db, m.to.ID)
	if err != nil {
		return err
	}
	s := summaryMove{messages: map[string][]int64{}, sources: map[string][]string{}, moved: m.moves, fates: map[string]fate{}}
	for _, l := range links {
		s.messages[l.Summary] = append(s.messages[l.Summary], l.Message)
	}
	for _, l := range between {
		s.sources[l.Summary] = append(s.sources[l.Summary], l.Source)
	}
	for _, summary := range append(sortedKeys(s.messages), sortedKeys(s.sources)...) {
		switch s.of(summary) {
		case torn:
			return m.refuseSummary(fmt.Sprintf("the summary %s of conversation %d was made of messages that would move, and of others that stay", summary, m.to.ID))
		case moves:
			m.summaries[summary] = true
		}
	}
	return m.checkBriefs(ctx)
}

// refuseSummary refuses a move for a reason, and names another way.
func (m *rowMove) refuseSummary(why string) error {
	return &RefusedError{
		What: m.what, Why: why,
		Next:         fmt.Sprintf("lcm-tui transplant %d %d copies the memory of conversation %d into the living one instead", m.c.ID, m.to.ID, m.c.ID),
		NextOnScreen: fmt.Sprintf("transplant the memory of conversation %d into the living one instead", m.c.ID),
	}
}

// checkBriefs refuses summaries of which a focus brief was made: it stays in the conversation that is replaced.
func (m *rowMove) checkBriefs(ctx context.Context) error {
	const table, column = "focus_brief_sources", "summary_id"
	if !m.db.Schema().Has(table, column) || len(m.summaries) == 0 {
		return nil
	}
	rows, err := data.ImagesIn(ctx, m.db, table, column, anySlice(sortedKeys(m.summaries)), column)
	if err != nil || len(rows) == 0 {
		return err
	}
	return m.refuseSummary(fmt.Sprintf("a focus brief of conversation %d was made of the summary %s, which would move", m.to.ID, data.CellText(rows[0][column])))
}

// moveSummaries adds the changes that move the summaries.
func (m *rowMove) moveSummaries() {
	for _, summary := range sortedKeys(m.summaries) {
		m.p.Changes = append(m.p.Changes, change.Update(m.db, "summaries", data.Row{"summary_id": summary, "conversation_id": m.to.ID}, data.Row{"conversation_id": m.c.ID}))
	}
}

// anySlice returns values for a statement.
func anySlice(values []string) (out []any) {
	for _, v := range values {
		out = append(out, v)
	}
	return out
}
