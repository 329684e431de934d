package review

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
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

// dialogLine is a line of the dialog, and the field that stands there.
type dialogLine struct {
	text  string
	field int
}

// noField is the field of a line where none stands.
const noField = -1

// View implements ui.Screen. Where there is no room, blank lines go first, then the explanations of fields that are
// not under the cursor are cut, then what is above the cursor goes.
func (c *Compaction) View(width, height int) string {
	c.drawn = nil
	if !c.loaded {
		return ui.Cut(c.env.Styles.Muted.Render(" "+views.FirstNonEmpty(c.notRead, "reading the context and the settings")), width)
	}
	c.drawn = c.lines(width, true)
	if dense := withoutBlanks(c.drawn); len(c.drawn) > height {
		if c.drawn = dense; len(dense) > height {
			c.drawn = c.lines(width, false)
		}
		if len(c.drawn) > height {
			c.drawn = withoutBlanks(c.drawn)
		}
	}
	if over := len(c.drawn) - height; over > 0 {
		cursor := slices.IndexFunc(c.drawn, func(l dialogLine) bool { return l.field == c.field })
		c.drawn = c.drawn[min(over, max(0, cursor-1)):]
	}
	texts := make([]string, len(c.drawn))
	for i, l := range c.drawn {
		texts[i] = l.text
	}
	return ui.Fit(strings.Join(texts, "\n"), width, height)
}

// mouse moves the cursor to the field that is clicked, or by the wheel. A click on the field under the cursor changes
// it: the number is typed, and what has no number goes on to its next value. While a number is typed, the field stays.
func (c *Compaction) mouse(msg tea.MouseMsg) tea.Cmd {
	m := msg.Mouse()
	_, click := msg.(tea.MouseClickMsg)
	switch {
	case c.Typing():
	case m.Button == tea.MouseWheelUp:
		c.move(-1)
	case m.Button == tea.MouseWheelDown:
		c.move(1)
	case !click || m.Button != tea.MouseLeft || m.Y < 0 || m.Y >= len(c.drawn) || c.drawn[m.Y].field == noField:
	case c.drawn[m.Y].field != c.field:
		c.field = c.drawn[m.Y].field
	case c.fields()[c.field].set != nil:
		c.input.Open("")
	default:
		return c.change(false)
	}
	return nil
}

func withoutBlanks(lines []dialogLine) []dialogLine {
	return slices.DeleteFunc(slices.Clone(lines), func(l dialogLine) bool { return l.text == "" })
}

// lines returns the dialog. Explanations of fields are wrapped beside them, or cut.
func (c *Compaction) lines(width int, wrapped bool) []dialogLine {
	s := c.env.Styles
	out := append([]dialogLine{{c.nowLine(width), noField}, {"", noField}}, c.fieldLines(width, wrapped)...)
	out = append(out, dialogLine{"", noField})
	for i, l := range ui.WrapLines(c.env.ModelLine(modelLineWidth), width-labelWidth-2) {
		out = append(out, dialogLine{" " + s.Muted.Render(ui.Pad(views.TextWhen(i == 0, "model"), labelWidth)) + l, noField})
	}
	out = append(out, dialogLine{"", noField}, dialogLine{" " + s.Title.Render("What would happen"), noField})
	for _, l := range c.outcomeLines(width - 3) {
		out = append(out, dialogLine{"   " + l, noField})
	}
	return out
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

// fieldLines returns what can be chosen; the field under the cursor is marked without colour too. What a value means
// stands beside it, wrapped. Where it is cut, that of the field under the cursor stands below the fields in full.
func (c *Compaction) fieldLines(width int, wrapped bool) []dialogLine {
	s := c.env.Styles
	const left = 1 + labelWidth + amountWidth + 2
	room := max(1, width-left)
	var out []dialogLine
	full := ""
	for i, f := range c.fields() {
		mark, value, about := " ", ui.PadLeft(f.value, amountWidth), f.about
		if i == c.field {
			mark, value = s.Accent.Render("▌"), s.Title.Render(value)
			if c.Typing() {
				value, about = c.input.View(amountWidth), views.PresetsLine()
			} else if f.set == nil {
				about = "←→ " + about
			}
		}
		texts := ui.WrapLines(about, room)
		if !wrapped && len(texts) > 1 {
			texts = []string{ui.Cut(about, room)}
			if i == c.field {
				full = about
			}
		}
		for n, l := range texts {
			head := mark + s.Muted.Render(ui.Pad(f.label, labelWidth)) + value + "  "
			if n > 0 {
				head = strings.Repeat(" ", left)
			}
			out = append(out, dialogLine{head + s.Muted.Render(l), i})
		}
	}
	if full == "" {
		return out
	}
	for _, l := range ui.WrapLines(full, width-4) {
		out = append(out, dialogLine{"   " + s.Muted.Render(l), noField})
	}
	return out
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
