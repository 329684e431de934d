package review

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/token"
	"lcm-tui/ops"
	"lcm-tui/ui"
	"lcm-tui/views"
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

// twoColumns is the width from which two texts stand beside each other.
const twoColumns = 72

// viewed reports whether the page has more than one view.
func (r *Review) viewed() bool { return r.page == pageContext || r.page == pageText }

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
	r.view, r.change = (r.pageView()+1)%views, -1
	r.drawn[pageText], r.drawn[pageContext] = 0, 0
	return nil
}

// textHeading names the columns of a text, with the tokens of each.
func (r *Review) textHeading(t ops.Text, width int) string {
	s, count := r.env.Styles, token.Of(r.env.DB.Kind().Level).Count
	old, fresh := count(t.Before), count(t.After)
	tokens := ui.Tokens(fresh)
	if !t.Made {
		tokens += fmt.Sprintf(" (%s)", ui.Signed(fresh-old))
	}
	before, after := "before  "+ui.Tokens(old), "after  "+tokens
	wide := width >= twoColumns
	switch {
	case t.After == "" && !t.Made:
		after = "after  nothing: it is deleted"
	case t.Made && !wide:
		before, after = "", "new text  "+tokens
	case t.Made:
		before, after = "made from", "new text  "+tokens
	case r.view == viewSource && wide:
		before = "made from"
	case r.view == viewSource:
		before = ""
	}
	if wide && (r.view != viewUnified || t.Made) {
		half := (width - 3) / 2
		return s.Muted.Render(ui.Pad(before, half)) + s.Faint.Render(" │ ") + s.Muted.Render(ui.Cut(after, half))
	}
	if before == "" || r.view == viewSource {
		return s.Muted.Render(after)
	}
	return s.Removed.Render(views.SignRemoved) + s.Muted.Render(before) + "   " + s.Added.Render(views.SignAdded) + s.Muted.Render(after)
}

// contextHeading names the two columns of contexts.
func (r *Review) contextHeading(width int) string {
	s := r.env.Styles
	if r.pageView() == viewUnified || width < twoColumns {
		return s.Removed.Render(views.SignRemoved) + s.Muted.Render("before") + "   " + s.Added.Render(views.SignAdded) + s.Muted.Render("after") + "\n"
	}
	half := (width - 3) / 2
	return s.Muted.Render(ui.Pad("  before", half)) + s.Faint.Render(" │ ") + s.Muted.Render("  after") + "\n"
}
