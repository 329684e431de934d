package ask

import (
	"context"
	"errors"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data/lcm"
	engine "lcm-tui/engine/ask"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// source is a row of what an answer relies on: a summary, or a message below it.
type source struct {
	summary *lcm.Summary
	message *lcm.Message // Nil for the summary itself.
}

func (s *source) id() string {
	if s.message != nil {
		return s.summary.ID + "/" + views.Itoa(s.message.ID)
	}
	return s.summary.ID
}

// sourcesOf returns the rows of the sources of an answer.
func sourcesOf(found []engine.Source) (out []*source) {
	for i := range found {
		out = append(out, &source{summary: &found[i].Summary})
		for j := range found[i].Messages {
			out = append(out, &source{&found[i].Summary, &found[i].Messages[j]})
		}
	}
	return out
}

func (a *Ask) row(s *source, width int, _ bool) string {
	st := a.env.Styles
	if m := s.message; m != nil {
		head := "  " + st.Role(m.Role).Render(ui.Pad(views.RoleText(m.Role, 5), 5)) + " " + st.Muted.Render(a.env.Local(m.CreatedAt.Time).Format("Jan 2")) + " "
		return ui.Cut(head+ui.Line(m.Content), width)
	}
	head := st.Depth(int(s.summary.Depth)).Render("d"+views.Itoa(s.summary.Depth)) + " " + st.Muted.Render(views.ShortID(s.summary.ID, views.IDWidth)) + " "
	return ui.Cut(head+ui.Line(s.summary.Content), width)
}

// answerShare is the share of the width that the answer has.
const answerShare = 0.6

// View implements ui.Screen.
func (a *Ask) View(width, height int) string {
	head := a.head(width)
	rows := max(1, height-len(head))
	if a.question == "" {
		return views.JoinLines(append(head, ui.Fit(a.guide(width), width, rows)))
	}
	if a.running() {
		a.drawn = 0 // It grows.
	}
	if !ui.Wide(width) {
		list := min(max(rows/3, 3), a.sources.Len()+1)
		a.fill(width - 2)
		body := ui.Indent(a.answer.View(width-2, max(1, rows-list)))
		if a.sources.Len() == 0 {
			return views.JoinLines(append(head, ui.Fit(body, width, rows)))
		}
		return views.JoinLines(append(head, ui.Fit(body, width, rows-list), a.env.Styles.Muted.Render(" relies on"), a.sources.View(width, list-1)))
	}
	if a.sources.Len() == 0 {
		a.fill(width - 2)
		return views.JoinLines(append(head, ui.Indent(a.answer.View(width-2, rows))))
	}
	left, right, inner := ui.Panes(width, rows, answerShare)
	a.fill(left - 2)
	list := a.env.Styles.Muted.Render(" relies on") + "\n" + a.sources.View(right, max(1, inner-1))
	return views.JoinLines(append(head, ui.Split(a.env.Styles, ui.Indent(a.answer.View(left-2, inner)), list, width, rows, answerShare, true)))
}

// head returns the line of the question, and which conversations are asked by what.
func (a *Ask) head(width int) []string {
	s := a.env.Styles
	line := " " + a.input.View(width-2)
	if !a.input.Typing() {
		line = " " + s.Accent.Render("Ask ") + s.Title.Render(ui.Line(a.question))
	}
	where, _ := a.inScope()
	by := "no model: passages are quoted; after that M chooses one" // While the question is typed, M is text.
	if name := a.paidModel(); name != "" {
		by = "by " + name
	}
	if a.reply != nil && !a.input.Typing() {
		by = a.facts()
	}
	return []string{ui.Cut(line, width), ui.Cut(" "+s.Muted.Render("in "+ui.Line(where)+"   "+by), width)}
}

// guide says what can be asked, before the first question.
func (a *Ask) guide(width int) string {
	s := a.env.Styles
	text := "\n" + s.Title.Render("Ask in your own words") + "\n\n" +
		"Why was the deploy stopped in January?\nWhich port does the gateway use?\nWhat was decided about backups?\n\n" +
		s.Muted.Render("The words of the question find summaries. A model reads these and what they are made of, and answers; without a model passages are quoted, the best match first. What the answer relies on stands beside it. F searches for words instead.")
	return ui.Indent(ansi.Wrap(text, max(10, width-3), ""))
}

// fill draws the answer for a width.
func (a *Ask) fill(width int) {
	if a.drawn == width {
		return
	}
	a.drawn = width
	a.answer.SetText(a.text(width))
}

// text returns the answer, what is being done for it, or why there is none.
func (a *Ask) text(width int) string {
	s := a.env.Styles
	var out []string
	switch {
	case a.running():
		out = append([]string{s.Muted.Render("reading the memory …")}, a.stepLines(width)...)
	case errors.Is(a.err, context.Canceled):
		out = append([]string{s.Warn.Render("~ it was ended before there was an answer") + s.Muted.Render(" · / asks again")}, a.stepLines(width)...)
	case a.err != nil:
		out = append(out, s.Bad.Render("! "+ansi.Wrap(ui.Sanitize(a.err.Error()), max(4, width-2), "")), "", ansi.Wrap(ui.Sanitize(a.nextStep()), max(4, width), ""))
	case a.reply != nil:
		if a.noModel != nil {
			out = append(out, s.Warn.Render("~ no model could be asked: "+ansi.Wrap(ui.Sanitize(a.noModel.Error()), max(4, width-2), ""))+s.Muted.Render(" · M chooses another"), "")
		}
		out = append(out, ui.Markdown(a.reply.Answer, width, s.DarkBackground))
	}
	return strings.Join(out, "\n")
}

// stepLines returns what was done for the answer until now.
func (a *Ask) stepLines(width int) (out []string) {
	for _, step := range a.steps.all() {
		out = append(out, a.env.Styles.Faint.Render("· "+ui.LineN(step, max(10, width-2))))
	}
	return out
}

// nextStep says what helps where there is no answer.
func (a *Ask) nextStep() string {
	if h := hint.OnScreen(a.err); h != "" {
		return h
	}
	return "ask with other words, or search for words with F; M chooses another model"
}

// facts says what was read for the answer, and by what.
func (a *Ask) facts() string {
	r := a.reply
	line := plural.Count(int(r.ExpandedSummaryCount), "summary", "summaries") + " read, " + ui.Tokens(r.TotalSourceTokens)
	if r.Truncated {
		line += "; not everything could be read"
	}
	if a.by != "" {
		line += " · answered by " + ui.Line(a.by)
	}
	if n := len(r.DroppedIDs); n > 0 {
		line += " · " + plural.Count(n, "source that it named and never read is", "sources that it named and never read are") + " left out"
	}
	return line
}
