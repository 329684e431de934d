package review

import (
	"errors"
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"lcm-tui/data/lcm"
	engine "lcm-tui/engine/compact"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/compact"
	"lcm-tui/ui"
	"lcm-tui/views"
)

const (
	labelWidth  = 19 // Of a field's label,
	amountWidth = 14 // and of its value.
	// modelLineWidth is the longest that is said of the model, in several lines.
	modelLineWidth = 240
)

// View implements ui.Screen.
func (c *Compaction) View(width, height int) string {
	s := c.env.Styles
	if !c.loaded {
		return ui.Cut(s.Muted.Render(" "+views.FirstNonEmpty(c.notRead, "reading the context and the settings")), width)
	}
	lines := append([]string{c.nowLine(width), ""}, c.fieldLines(width)...)
	cursor := 2 + c.field
	lines = append(lines, "")
	for i, l := range ui.WrapLines(c.env.ModelLine(modelLineWidth), width-labelWidth-2) {
		lines = append(lines, " "+s.Muted.Render(ui.Pad(views.TextWhen(i == 0, "model"), labelWidth))+l)
	}
	lines = append(lines, "", " "+s.Title.Render("What would happen"))
	for _, l := range c.outcomeLines(width - 3) {
		lines = append(lines, "   "+l)
	}
	if len(lines) > height { // Blank lines go first, then what is above the cursor.
		var dense []string
		for i, l := range lines {
			if i == cursor {
				cursor = len(dense)
			}
			if l != "" {
				dense = append(dense, l)
			}
		}
		lines = dense
	}
	if over := len(lines) - height; over > 0 {
		lines = lines[min(over, max(0, cursor-1)):]
	}
	return ui.Fit(strings.Join(lines, "\n"), width, height)
}

// nowLine returns the context as it is.
func (c *Compaction) nowLine(width int) string {
	s, b, r := c.env.Styles, c.base, c.request
	share := float64(b.tokens) / float64(max(1, r.budget))
	style := lipgloss.NewStyle()
	switch {
	case share > 1:
		style = s.Bad
	case c.due():
		style = s.Warn
	}
	head := " now " + ui.Tokens(b.tokens) + " in " + plural.Count(len(b.items), "item", "items") + ", " + style.Render(ui.Percent(share)+" of the budget") + " "
	end := s.Muted.Render(" fresh tail " + ui.Tokens(lcm.SumTokens(b.items[b.tailStart(r):])) + " ")
	room := width - lipgloss.Width(head) - lipgloss.Width(end)
	if room < 10 {
		return ui.Cut(head+end, width)
	}
	return head + style.Render(ui.Bar(min(room, 40), min(1, share))) + end
}

// fieldLines returns what can be chosen, a line each; the field under the cursor is marked
// without colour too.
func (c *Compaction) fieldLines(width int) []string {
	s := c.env.Styles
	var lines []string
	full := "" // What the value under the cursor means, where there is no room beside it.
	for i, f := range c.fields() {
		mark, value := " ", ui.PadLeft(f.value, amountWidth)
		about := f.about
		if i == c.field {
			mark = s.Accent.Render("▌")
			value = s.Title.Render(value)
			if c.Typing() {
				value, about = c.input.View(amountWidth), views.PresetsLine()
			} else if f.set == nil {
				about = "←→ " + about
			}
		}
		left := mark + s.Muted.Render(ui.Pad(f.label, labelWidth)) + value + "  "
		room := width - lipgloss.Width(left)
		lines = append(lines, left+s.Muted.Render(ui.Cut(about, room)))
		if i == c.field && lipgloss.Width(about) > room {
			full = about
		}
	}
	if full == "" {
		return lines
	}
	for _, l := range ui.WrapLines(full, width-4) {
		lines = append(lines, "   "+s.Muted.Render(l))
	}
	return lines
}

// outcomeLines say what the request leads to.
func (c *Compaction) outcomeLines(width int) []string {
	s, e := c.env.Styles, c.estimate
	switch {
	case e.op == nil || e.request != c.request && c.env.Jobs.Running(c, "estimate"):
		return []string{s.Muted.Render("estimating…")}
	case e.err != nil:
		return c.nothingLines(width)
	}
	i := e.plan.Impact
	share := float64(i.TokensAfter) / float64(max(1, c.request.budget))
	lines := []string{
		s.Title.Render(ui.Num(i.TokensBefore)+" → "+ui.Num(i.TokensAfter)) + fmt.Sprintf(" tokens (%s), %s of the budget; items %d → %d",
			ui.Signed(i.TokensAfter-i.TokensBefore), ui.Percent(share), i.ItemsBefore, i.ItemsAfter),
		plural.Count(i.ModelCalls, "call", "calls") + " of " + ui.Line(e.plan.Model) + ", " + ui.Tokens(i.InputTokens) + " in and " + ui.Tokens(i.OutputTokens) + " out",
		"cost: " + ui.Line(e.plan.Price),
	}
	if len(e.plan.Notes) > 0 {
		lines = append(lines, s.Muted.Render(ui.Line(c.env.WithNames(e.plan.ScreenText(e.plan.Notes[0])))))
	}
	if c.base.err != nil {
		lines = append(lines, s.Bad.Render("! no summaries can be made: ")+ui.Line(c.base.err.Error())+s.Muted.Render(" · M chooses another model"))
	}
	for _, w := range e.plan.Warnings {
		lines = append(lines, s.Warn.Render("~ ")+ui.Line(c.env.WithNames(w)))
	}
	if share > 1 {
		lines = append(lines, s.Warn.Render("~ it would still be over the budget"))
	}
	return wrapAll(lines, width)
}

// nothing says in one line why nothing would happen.
func (c *Compaction) nothing() string {
	var none *compact.NothingError
	if !errors.As(c.estimate.err, &none) {
		return ui.Line(c.estimate.err.Error())
	}
	switch none.Why {
	case engine.BelowThreshold:
		return "the context is below the threshold of " + ui.Num(c.base.config.Threshold(c.request.budget))
	case engine.UnderTarget:
		return "the context is smaller than " + ui.Tokens(c.request.target) + " already"
	case engine.Nothing:
		if c.base.allFresh(c.request) {
			return "every message of the context is in the fresh tail, which is never compacted"
		}
		return "what stands before the fresh tail is too little to be summarized again"
	}
	return string(none.Why)
}

// nothingLines say why nothing would happen, and the way out.
func (c *Compaction) nothingLines(width int) []string {
	var none *compact.NothingError
	isNothing := errors.As(c.estimate.err, &none)
	s, lines := c.env.Styles, []string{c.env.Styles.Warn.Render("~ " + views.TextWhen(isNothing, "nothing: ") + c.nothing())}
	switch shorter := c.estimate.shorter; {
	case none == nil:
	case shorter != nil:
		lines = append(lines, s.Key.Render("f")+" takes a fresh tail of "+plural.Count(shorter.messages, "message", "messages")+
			": the context would have "+ui.Tokens(shorter.tokensAfter)+", "+ui.Percent(float64(shorter.tokensAfter)/float64(max(1, c.request.budget)))+" of the budget")
	case none.Why == engine.BelowThreshold:
		lines = append(lines, "set force to yes to compact it all the same")
	case none.Why == engine.Nothing && c.base.allFresh(c.request) && len(c.base.items) > 0:
		lines = append(lines, "a shorter fresh tail doesn't help: all messages belong to the newest turn. It can be compacted once the user has written again")
	case none.Why == engine.Nothing && !c.request.hard && c.request.mode == engine.Sweep:
		lines = append(lines, "a shorter fresh tail leaves more to summarize; hard condenses summaries sooner")
	}
	return wrapAll(lines, width)
}

// wrapAll wraps styled lines at words.
func wrapAll(lines []string, width int) []string {
	var out []string
	for _, l := range lines {
		out = append(out, ui.WrapLines(l, max(1, width))...)
	}
	return out
}
