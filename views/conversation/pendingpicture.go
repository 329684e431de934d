package conversation

import (
	"context"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/pending"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// contextPicture is which places of a context are raw, planned, prepared, published and in the
// fresh tail, oldest first.
type contextPicture struct {
	stretches []pending.Stretch
	items     int // Of all stretches.
}

// pictureStates are the states of a picture, in the order in which they stand in a context. Where
// one cell stands for several places, that of the lowest rank is drawn: what is still to be done
// matters most.
var pictureStates = [...]struct {
	state, sign string
	rank        int
}{
	{pending.StretchPublished, "█", 4},
	{pending.StretchPrepared, "▓", 3},
	{pending.StretchPlanned, "░", 1},
	{pending.StretchRaw, "·", 2},
	{pending.StretchFreshTail, "─", 5},
}

// pictureState returns the index of a state in pictureStates.
func pictureState(state string) int {
	for i, st := range pictureStates {
		if st.state == state {
			return i
		}
	}
	return len(pictureStates) - 1
}

// readPicture returns the picture of a context. The stretches of the batch on which the host works
// know it; without one the context is read.
func readPicture(ctx context.Context, env *views.Env, conv int64, batches []*pendingBatch) (p contextPicture, err error) {
	if b := activeOf(batches); b != nil {
		p.stretches = b.Stretches(b.verdict.FreshTail)
	} else {
		items, err := lcm.Context(ctx, env.DB, conv)
		if err != nil {
			return p, err
		}
		tail := env.FreshTail()
		counted, err := tail.Counted(ctx, env.DB, conv, items)
		if err != nil {
			return p, err
		}
		p.stretches = contextStates(items, assemble.FreshTail(counted, tail))
	}
	for _, s := range p.stretches {
		p.items += s.Items
	}
	return p, nil
}

// view draws the picture and what its signs mean, or nothing.
func (p contextPicture) view(s *ui.Styles, width int) []string {
	if p.items == 0 || width < 20 {
		return nil
	}
	return []string{" " + p.cells(s, width-2), " " + ui.Cut(p.legend(s, width-2), width-2)}
}

// cells returns the places of the context, as many to a cell as fit.
func (p contextPicture) cells(s *ui.Styles, width int) string {
	const empty = -1
	cells := make([]int, width)
	for i := range cells {
		cells[i] = empty
	}
	at := 0
	for _, st := range p.stretches {
		state := pictureState(st.State)
		from, to := at*width/p.items, (at+st.Items)*width/p.items
		for c := from; c < max(to, from+1); c++ {
			if cells[c] == empty || pictureStates[state].rank < pictureStates[cells[c]].rank {
				cells[c] = state
			}
		}
		at += st.Items
	}
	var out strings.Builder
	for i := 0; i < width; {
		n := i
		for n < width && cells[n] == cells[i] {
			n++
		}
		if cells[i] != empty {
			st := pictureStates[cells[i]]
			out.WriteString(pictureStyle(s, st.state).Render(strings.Repeat(st.sign, n-i)))
		}
		i = n
	}
	return out.String()
}

func pictureStyle(s *ui.Styles, state string) lipgloss.Style {
	switch state {
	case pending.StretchPlanned:
		return s.Accent
	case pending.StretchPrepared:
		return s.Good
	case pending.StretchPublished:
		return s.D1
	case pending.StretchFreshTail:
		return s.System
	}
	return s.Muted
}

// legend says how many places are in each state, and as far as there is room in how many tokens
// they are and become.
func (p contextPicture) legend(s *ui.Styles, width int) string {
	var sums [len(pictureStates)]pending.Stretch
	for _, st := range p.stretches {
		sum := &sums[pictureState(st.State)]
		sum.Items, sum.Tokens, sum.Becomes = sum.Items+st.Items, sum.Tokens+st.Tokens, sum.Becomes+st.Becomes
	}
	text := func(full bool) string {
		var out []string
		for i, st := range pictureStates {
			if sums[i].Items == 0 {
				continue
			}
			part := pictureStyle(s, st.state).Render(st.sign) + " " + st.state + " " + ui.Num(int64(sums[i].Items))
			if full {
				part += s.Muted.Render(" " + ui.Tokens(sums[i].Tokens))
			}
			if full && sums[i].Becomes > 0 {
				part += s.Muted.Render(" → " + ui.Tokens(sums[i].Becomes))
			}
			out = append(out, part)
		}
		return strings.Join(out, "  ")
	}
	if full := text(true); ansi.StringWidth(full) <= width {
		return full
	}
	return text(false)
}
