package conversation

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// The pieces of the bar of where a budget goes, oldest first.
const (
	pieceD3 = iota
	pieceD2
	pieceD1
	pieceD0
	pieceOlder // Messages before the fresh tail.
	pieceTail
	pieces
)

var pieceNames = [pieces]string{"d3+", "d2", "d1", "d0", "older", "fresh tail"}

// contextSums are the totals of a context's items, and the widths that they need.
type contextSums struct {
	tokens        int64 // Of all items.
	piece         [pieces]int64
	largest       int64 // Tokens of the largest item.
	ordinals      int   // Cells that an ordinal takes,
	names         int   // a role or depth with its id,
	amounts       int   // and a number of tokens.
	tailMessages  int64
	evicted       int64 // Items that the present budget evicts,
	evictedTokens int64 // and their tokens.
}

func sumContext(rows []*contextRow) (s contextSums) {
	for _, r := range rows {
		name := "d0 " + ui.Cut(r.Summary, views.IDWidth)
		if !r.IsSummary() {
			name = r.Role + " #" + views.Itoa(r.Seq)
		}
		s.names = max(s.names, min(len(name), 20))
		s.amounts = max(s.amounts, len(ui.Tokens(r.Tokens)))
		s.ordinals = max(s.ordinals, len(views.Itoa(r.Ordinal)))
		s.tokens = lcm.AddTokens(s.tokens, r.Tokens)
		s.piece[r.piece()] = lcm.AddTokens(s.piece[r.piece()], r.Tokens)
		s.largest = max(s.largest, r.Tokens)
		if r.tail && !r.IsSummary() {
			s.tailMessages++
		}
		if !r.kept {
			s.evicted++
			s.evictedTokens = lcm.AddTokens(s.evictedTokens, r.Tokens)
		}
	}
	return s
}

func (r *contextRow) piece() int {
	switch {
	case r.tail:
		return pieceTail
	case !r.IsSummary():
		return pieceOlder
	}
	return int(pieceD0 - max(0, min(r.Depth, pieceD0)))
}

// header shows the totals, in figures and as a bar, or the input that is open.
func (v *Context) header(width, height int) []string {
	if !v.loaded || v.TextIsPage() || v.Hub.Deleted() {
		return nil
	}
	s := v.Env().Styles
	switch {
	case v.budgetIn.Typing():
		return []string{" " + v.budgetIn.View(width-1), " " + s.Muted.Render(ui.Cut(views.PresetsLine()+"; ↑↓ go through them", width-1))}
	case v.tailIn.Typing():
		return []string{" " + v.tailIn.View(width-1), " " + s.Muted.Render(ui.Cut("the newest messages that are never left out; ↑↓ go through common sizes", width-1))}
	}
	if v.Unreadable() != "" {
		return []string{" " + s.Warn.Render(ui.Cut("~ how full the context is stays unknown: what can't be read isn't counted", width-1))}
	}
	share := float64(v.sums.tokens) / float64(max(1, v.budget))
	style := lipgloss.NewStyle()
	switch {
	case share > 1:
		style = s.Bad
	case share > views.CompactAbove:
		style = s.Warn
	}
	left := " " + style.Render(ui.Num(v.sums.tokens)) + s.Muted.Render(" of "+ui.Num(v.budget)+" tokens ")
	right := " " + style.Render(ui.Percent(share)) + " "
	bar := ui.Stack(max(4, width-lipgloss.Width(left)-lipgloss.Width(right)), v.parts())
	lines := []string{left + bar + right}
	if height >= pictureFrom-4 {
		lines = append(lines, " "+v.legend(width-2))
	}
	lines = append(lines, " "+ui.Cut(v.verdict(share, width), width-1))
	if v.batch != nil {
		lines = append(lines, " "+ui.Cut(v.pendingLine(), width-1))
	}
	return lines
}

func pieceStyle(s *ui.Styles, i int) lipgloss.Style {
	switch i {
	case pieceOlder:
		return s.User
	case pieceTail:
		return s.System
	}
	return s.Depth(pieceD0 - i)
}

// parts returns the pieces of the bar; what is free stays last.
func (v *Context) parts() (out []ui.Part) {
	whole := float64(max(1, v.budget, v.sums.tokens))
	for i, n := range v.sums.piece {
		if n > 0 {
			out = append(out, ui.Part{Label: pieceNames[i], Share: float64(n) / whole, Style: pieceStyle(v.Env().Styles, i)})
		}
	}
	if free := v.budget - v.sums.tokens; free > 0 {
		out = append(out, ui.Part{Label: "free", Share: float64(free) / whole, Fill: '░', Style: v.Env().Styles.Faint})
	}
	return out
}

// legend returns the bar in figures, in thousands where there is no room for more.
func (v *Context) legend(width int) string {
	out := v.legendOf(ui.Num)
	if lipgloss.Width(out) > width {
		out = v.legendOf(func(n int64) string { return fmt.Sprintf("%.1fk", float64(n)/1000) })
	}
	return ui.Cut(out, width)
}

func (v *Context) legendOf(num func(int64) string) string {
	s := v.Env().Styles
	var out []string
	for i, n := range v.sums.piece {
		if n > 0 {
			out = append(out, pieceStyle(v.Env().Styles, i).Render(pieceNames[i])+" "+num(n))
		}
	}
	if free := v.budget - v.sums.tokens; free > 0 {
		out = append(out, s.Faint.Render("free")+" "+num(free))
	}
	return strings.Join(out, s.Faint.Render(" · "))
}

// verdict says what of the items reaches the model, and under which what-if.
func (v *Context) verdict(share float64, width int) string {
	s := v.Env().Styles
	keys := ""
	if width >= 100 {
		keys = s.Faint.Render("  what if: B budget  T fresh tail")
	}
	var out string
	end := s.Muted.Render(" · fresh tail "+ui.Num(int64(v.tailCount))) + keys
	if v.hasWhatIf() {
		end = s.Muted.Render(" · ") + s.Accent.Render("what if: ") + "budget " + ui.Num(v.budget) + ", fresh tail " + ui.Num(int64(v.tailCount)) + s.Faint.Render("; = ends it")
	}
	switch over := v.sums.tokens - v.budget; {
	case v.sums.evicted > 0:
		out = s.Bad.Render("× " + plural.Count(v.sums.evicted, "item falls", "items fall") + " out, " + ui.Tokens(v.sums.evictedTokens))
		if left := v.sums.tokens - v.sums.evictedTokens - v.budget; left > 0 {
			out += s.Bad.Render(", and " + ui.Tokens(left) + " are still too many")
		}
	case over > 0:
		out = s.Bad.Render("! over the budget by " + ui.Tokens(over) + ", all of it fresh tail")
	case share > views.CompactAbove:
		out = s.Warn.Render("~ all of it reaches the model; the host compacts above " + ui.Percent(views.CompactAbove))
	default:
		out = s.Muted.Render("all of it reaches the model")
	}
	return out + end
}
