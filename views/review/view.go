package review

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"lcm-tui/ui"
)

// reviewView is how the pages of texts and of contexts show what changes.
type reviewView int

const (
	viewSides   reviewView = iota // The old text left, the new one right.
	viewUnified                   // Both in one column: lines that go, then lines that come.
	viewSource                    // What the new text is made from left, the new text right.
	reviewViews
)

var viewNames = [reviewViews]string{"side by side", "unified", "with its source"}

// View implements ui.Screen.
func (r *Review) View(width, height int) string {
	top := r.head(width, height)
	r.width, r.top = width, len(top)
	return strings.Join(top, "\n") + "\n" + r.present().draw(width, max(1, height-len(top)))
}

const (
	// headWraps is from which height on a line above the page that is too long takes more lines.
	headWraps = 18
	// headLines is how many lines it takes at most.
	headLines = 2
)

// head returns the lines above the page: what is planned, with which model, what became of it, what it
// comes to, and the pages.
func (r *Review) head(width, height int) (lines []string) {
	for _, l := range append(r.titles(width), r.outcome(width-1), r.impact(width)) {
		wrapped := ui.WrapLines(l, width-1)
		if height < headWraps {
			wrapped = []string{l}
		} else if len(wrapped) > headLines {
			rest := strings.Join(wrapped[headLines-1:], " ")
			wrapped = append(wrapped[:headLines-1], rest)
		}
		for _, l := range wrapped {
			lines = append(lines, ui.Cut(" "+l, width))
		}
	}
	return append(lines, ui.Cut(r.tabs().View(r.env.Styles, width), width))
}

// titles returns the plan's title, and before a model is asked which one it is and whether its key is there:
// beside the title, or below it where there is no room.
func (r *Review) titles(width int) []string {
	what := ui.Line(r.proposal.plan.Title)
	if r.proposal.generatingNow() { // The plan is still that of the estimate.
		what = strings.TrimSuffix(what, ": an estimate")
	}
	title := r.env.Styles.Title.Render(what)
	if r.env.Models == nil || !r.proposal.runnable() && r.question == nil {
		return []string{title}
	}
	model := r.env.ModelLine(modelLineWidth)
	if lipgloss.Width(title)+lipgloss.Width(model)+5 > width {
		return []string{title, model}
	}
	return []string{ui.Justify(title, model, width-2, 0)}
}

func (r *Review) tabs() ui.Tabs {
	notes := "Notes"
	if n := len(r.proposal.plan.Warnings); n > 0 {
		notes += fmt.Sprintf(" ~%d", n)
	}
	text := "Text" // Of an estimate nobody knows how many there will be.
	if !r.proposal.plan.Estimate() {
		text += fmt.Sprintf(" %d", len(r.proposal.plan.Texts))
	}
	names := []string{"Context", text, "Rows " + ui.Num(r.proposal.rowCount()), notes}
	if n := len(r.proposal.plan.Items); n > 0 {
		names = append(names, fmt.Sprintf("Findings %d", n))
	}
	return ui.Tabs{Names: names, Active: r.page}
}

// viewKey returns the key that changes the view, with the present one.
func (r *Review) viewKey() ui.Action {
	return ui.Act("v", "v", "view: "+viewNames[r.pageView()])
}

// pageView returns the view of this page: contexts have no source.
func (r *Review) pageView() reviewView {
	if r.page == pageContext && r.view == viewSource {
		return viewSides
	}
	return r.view
}

// nextView goes on to the next view of this page.
func (r *Review) nextView() tea.Cmd {
	views := reviewViews
	if r.page == pageContext {
		views = viewSource
	}
	r.view = (r.pageView() + 1) % views
	r.pages[pageText].redraw()
	r.pages[pageContext].redraw()
	return r.turn(r.page)
}

// outcome returns the line that says what happened to the plan, or the open question.
func (r *Review) outcome(width int) string {
	s := r.env.Styles
	if r.question != nil && r.proposal.state == proposed {
		return s.Warn.Render("? "+r.question.what) + s.Muted.Render(" · y yes, "+r.question.yesIs+" · esc no")
	}
	return r.proposal.outcome(r.present().place(), width)
}

// impact returns what the plan comes to, or what a yes to the open question takes.
func (r *Review) impact(width int) string {
	if r.question != nil {
		return r.question.takes
	}
	return r.proposal.impact(width)
}
