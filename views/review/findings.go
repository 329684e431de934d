package review

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// newFindingList returns the list of the problems that a plan is about.
func (r *Review) newFindingList() *ui.List[*ops.Item] {
	render := func(i *ops.Item, width int, _ bool) string {
		line := ui.LineN(i.Problem, max(8, width-20))
		if place := r.itemPlace(i); place != "" {
			line = place + "  " + r.env.Styles.Muted.Render(line)
		}
		return ui.Cut(itemStyle(r.env.Styles, i).Render(ui.Pad(r.itemWord(i), 20))+" "+line, width)
	}
	text := func(i *ops.Item) string { return r.itemPlace(i) + " " + i.Problem + " " + r.itemWord(i) }
	return ui.NewList(r.env.Styles, func(i *ops.Item) string { return i.ID }, render, text)
}

// itemPlace returns where an item is, with the name of its conversation where the plan is about
// several.
func (r *Review) itemPlace(i *ops.Item) string {
	if i.Row == "" {
		return ""
	}
	f := findingOf(i)
	return r.env.FindingPlace(r.places, &f, r.several)
}

// setFindings lists the items of the plan.
func (r *Review) setFindings(items []ops.Item) {
	r.several = slices.ContainsFunc(items, func(i ops.Item) bool { return i.Conversation != items[0].Conversation })
	r.findings.SetItems(views.PointersTo(items))
}

// findingOf returns as much of a finding as its item knows: where it is.
func findingOf(i *ops.Item) integrity.Finding {
	return integrity.Finding{Conversation: i.Conversation, Table: i.Table, Row: i.Row}
}

// placesMsg says that the places of the items are read.
type placesMsg struct{}

// readPlaces reads the names and dates of what the items are about.
func (r *Review) readPlaces() tea.Cmd {
	if len(r.plan.Items) == 0 {
		return nil
	}
	found := make([]integrity.Finding, len(r.plan.Items))
	for n := range r.plan.Items {
		found[n] = findingOf(&r.plan.Items[n])
	}
	db, places := r.env.DB, r.places
	return r.env.Jobs.Quiet(r, "places", views.Read(func(ctx context.Context) (placesMsg, error) {
		places.Read(ctx, db, found)
		return placesMsg{}, nil
	}))
}

// itemWord says in words what the plan does with a finding.
func (r *Review) itemWord(i *ops.Item) string {
	switch {
	case i.State == ops.Included && r.state == applied:
		return "✓ repaired"
	case i.State == ops.Included && r.state == undone:
		return "– undone"
	case i.State == ops.Included:
		return "✓ will be repaired"
	case i.State == ops.Estimated:
		return "~ x asks the model"
	case i.State == ops.NeedsModel:
		return "~ needs a model"
	case i.State == ops.Skipped:
		return "– stays as it is"
	case len(i.Choices) > 0 && i.Choice == "":
		return "? needs your choice"
	}
	return "! can't be repaired"
}

func itemStyle(s *ui.Styles, i *ops.Item) lipgloss.Style {
	switch i.State {
	case ops.Included:
		return s.Good
	case ops.Skipped:
		return s.Muted
	}
	return s.Warn
}

// onFindings reports whether the page of findings is shown.
func (r *Review) onFindings() bool { return r.page == pageFindings }

// finding returns the selected one of the page of findings; an empty one where there is none.
func (r *Review) finding() (i *ops.Item, some bool) {
	if i, some = r.findings.Selected(); !some {
		i = &ops.Item{}
	}
	return i, some
}

// findingsPage draws the findings with what there is to say of the selected one: beside the
// list where there is room, else below it.
func (r *Review) findingsPage(width, height int) string {
	s := r.env.Styles
	if ui.Wide(width) {
		left, right, rows := ui.Panes(width, height, 0.58)
		r.findingsHeight = rows
		return ui.Split(s, r.findings.View(left, rows), ui.Fit(r.findingText(right), right, rows), width, height, 0.58, false)
	}
	r.findingsHeight = max(2, min(r.findings.Len()+1, height/2))
	return r.findings.View(width, r.findingsHeight) + "\n" + ui.Fit("\n"+r.findingText(width), width, max(1, height-r.findingsHeight))
}

// findingText returns what there is to say of the selected finding.
func (r *Review) findingText(width int) string {
	i, ok := r.finding()
	if !ok {
		return r.env.Styles.Muted.Render("the plan is about no finding")
	}
	s := r.env.Styles
	var b strings.Builder
	say := func(name, text string) {
		if text != "" {
			b.WriteString(s.Muted.Render(name) + "\n" + ansi.Wrap(ui.Sanitize(text), max(8, width), "") + "\n\n")
		}
	}
	where := "the file"
	if f := findingOf(i); i.Conversation != 0 {
		where = r.env.FindingPlace(r.places, &f, true)
	}
	b.WriteString(s.Title.Render(ansi.Wrap(ui.Sanitize(i.Problem), max(8, width), "")) + "\n" +
		s.Muted.Render(i.Kind+" · "+where) + "\n\n" + itemStyle(s, i).Render(r.itemWord(i)) + "\n\n")
	say("what is done", i.Action)
	if i.State == ops.NeedsModel {
		say("what to do next", "A model has to write its text, and none is chosen. M chooses one; then the repair is planned again.")
	} else {
		say("why not", i.Reason)
	}
	if len(i.Choices) > 0 {
		b.WriteString(s.Muted.Render("choices") + views.TextWhen(r.whyNotChosen() == "", s.Muted.Render(" · c goes through them")) + "\n")
		for _, c := range i.Choices {
			mark := "  "
			if c.Name == i.Choice {
				mark = s.Accent.Render("▸ ")
			}
			b.WriteString(mark + strings.ReplaceAll(ansi.Wrap(ui.Sanitize(c.Name+": "+c.Words), max(8, width-2), ""), "\n", "\n  ") + "\n")
		}
		b.WriteString("\n")
	}
	if n := len(i.Rows); n > 0 {
		say("rows that change", plural.Count(n, "row", "rows")+": "+strings.Join(i.Rows[:min(n, 5)], ", ")+views.TextWhen(n > 5, " …"))
	}
	if len(i.Texts) > 0 {
		say("texts that change", strings.Join(i.Texts, ", ")+" · enter shows them, e edits")
	}
	return b.String()
}

// findingCounts says how many findings the plan repairs, and what becomes of the others.
func findingCounts(p *ops.Plan) string {
	open, undecided := 0, 0
	for _, i := range p.Items {
		switch {
		case i.State != ops.Open:
		case len(i.Choices) > 0 && i.Choice == "":
			undecided++
		default:
			open++
		}
	}
	var words []string
	for _, n := range []struct {
		n    int
		what string
	}{
		{p.CountItems(ops.Included), "to be repaired"},
		{p.CountItems(ops.Estimated), "waiting for the model"},
		{p.CountItems(ops.NeedsModel), "waiting for a model"},
		{undecided, "waiting for your choice"},
		{p.CountItems(ops.Skipped), "left as they are"},
		{open, "can't be repaired"},
	} {
		if n.n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n.n, n.what))
		}
	}
	return plural.Count(len(p.Items), "finding", "findings") + ": " + strings.Join(words, ", ")
}

// whyNotSkipped says why the selected finding can't be left out of the plan or taken in again,
// or is empty.
func (r *Review) whyNotSkipped() string {
	i, some := r.finding()
	_, decider := r.op.(ops.Decider)
	switch {
	case r.generatingNow():
		return "texts are being made: esc cancels"
	case !decider, !some, r.state != proposed:
		return "there is no finding to decide on"
	case i.State == ops.Open || i.State == ops.NeedsModel:
		return "it is not repaired anyway"
	}
	return ""
}

// whyNotChosen says why nothing can be chosen for the selected finding, or is empty.
func (r *Review) whyNotChosen() string {
	i, some := r.finding()
	_, decider := r.op.(ops.Decider)
	switch {
	case !r.onFindings():
		return "it is done on the page of findings"
	case r.generatingNow():
		return "texts are being made: esc cancels"
	case !decider, !some, r.state != proposed:
		return "there is no finding to decide on"
	case len(i.Choices) == 0:
		return "there is nothing to choose"
	}
	return ""
}

// skipFinding leaves the selected finding as it is, or has it repaired nevertheless.
func (r *Review) skipFinding() tea.Cmd {
	i, _ := r.finding()
	c := r.op.(ops.Decider)
	if i.State == ops.Skipped {
		return r.propose("repair "+i.Kind+" nevertheless", c.Back(i.ID))
	}
	return r.propose("leave "+i.Kind+" as it is", c.Without(i.ID))
}

// chooseNext chooses the next alternative for the selected finding; after the last one it is
// undecided again.
func (r *Review) chooseNext() tea.Cmd {
	i, _ := r.finding()
	at := slices.IndexFunc(i.Choices, func(a ops.Alternative) bool { return a.Name == i.Choice })
	next := ""
	if at+1 < len(i.Choices) {
		next = i.Choices[at+1].Name
	}
	return r.propose("plan it with that choice", r.op.(ops.Decider).Decide(i.ID, next))
}

// showFindingText goes to the text of the selected finding.
func (r *Review) showFindingText() tea.Cmd {
	i, _ := r.finding()
	if len(i.Texts) == 0 {
		return nil
	}
	r.turn(pageText)
	r.selected, r.drawn[pageText] = i.Texts[0], 0
	return nil
}

// editFinding edits the text of the selected finding.
func (r *Review) editFinding() tea.Cmd {
	r.showFindingText()
	return r.edit()
}

// findingActions returns the keys of the page of findings.
func (r *Review) findingActions() []views.Action {
	i, some := r.finding()
	skip := ui.Act("s", "s", "leave it as it is")
	if i.State == ops.Skipped {
		skip = ui.Act("s", "s", "repair it nevertheless")
	}
	noText := views.TextWhen(!some || len(i.Texts) == 0, "no text changes for it")
	skipReason, choiceReason := r.whyNotSkipped(), r.whyNotChosen()
	editReason := views.FirstNonEmpty(noText, skipReason, r.env.Uneditable())
	return []views.Action{
		{Action: skip.In("Change").InFooter().Off(skipReason == "", skipReason), Run: r.skipFinding},
		{Action: ui.Act("c", "c", "choose").In("Change").InFooter().Off(choiceReason == "", choiceReason), Run: r.chooseNext},
		{Action: keyEdit.In("Change").Off(editReason == "", editReason), Run: r.editFinding},
		{Action: ui.Act("enter", "⏎", "its text").In("Look").InFooter().Off(noText == "" && r.state == proposed, views.FirstNonEmpty(noText, "it is applied: enter closes")), Run: r.showFindingText},
	}
}

// updateFindings sends a message to the list of findings, whose first line is below what
// stands above the page.
func (r *Review) updateFindings(msg tea.Msg) tea.Cmd {
	frame := 0
	if ui.Wide(r.width) {
		frame = 1
	}
	if m, ok := msg.(tea.MouseMsg); ok {
		if y := m.Mouse().Y - reviewTop; y < frame || y >= r.findingsHeight+frame {
			return nil
		}
		return r.findings.Update(ui.ShiftMouse(m, frame, reviewTop+frame))
	}
	return r.findings.Update(msg)
}
