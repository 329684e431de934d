package review

import (
	"context"
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

// findingsPage lists the problems that a plan is about, where it lists them, with what is done
// about each.
type findingsPage struct {
	proposal *proposal
	planner  *planner
	showText func(id string) // Goes to a text of the page of texts.
	editText func() tea.Cmd  // Opens the editor on it.

	list          *ui.List[*ops.Item]
	places        *views.FindingPlaces
	several       bool // They are of more than one conversation.
	width, height int  // Of the list, as drawn last.
}

func newFindingsPage(pl *planner, showText func(id string), editText func() tea.Cmd) *findingsPage {
	v := &findingsPage{proposal: pl.proposal, planner: pl, showText: showText, editText: editText, places: views.NewFindingPlaces()}
	text := func(i *ops.Item) string { return v.itemPlace(i) + " " + i.Problem + " " + v.itemWord(i) }
	v.list = ui.NewList(pl.proposal.env.Styles, func(i *ops.Item) string { return i.ID }, v.render, text)
	v.redraw()
	return v
}

// render returns the line of an item.
func (v *findingsPage) render(i *ops.Item, width int, _ bool) string {
	line := ui.LineN(i.Problem, max(8, width-20))
	if place := v.itemPlace(i); place != "" {
		line = place + "  " + v.proposal.env.Styles.Muted.Render(line)
	}
	return ui.Cut(itemStyle(v.proposal.env.Styles, i).Render(ui.Pad(v.itemWord(i), 20))+" "+line, width)
}

// itemPlace returns where an item is, with the name of its conversation where the plan is about
// several.
func (v *findingsPage) itemPlace(i *ops.Item) string {
	if i.Row == "" {
		return ""
	}
	f := findingOf(i)
	return v.proposal.env.FindingPlace(v.places, &f, v.several)
}

// redraw lists the items of the plan.
func (v *findingsPage) redraw() {
	items := v.proposal.plan.Items
	v.several = slices.ContainsFunc(items, func(i ops.Item) bool { return i.Conversation != items[0].Conversation })
	v.list.SetItems(views.PointersTo(items))
}

// findingOf returns as much of a finding as its item knows: where it is.
func findingOf(i *ops.Item) integrity.Finding {
	return integrity.Finding{Conversation: i.Conversation, Table: i.Table, Row: i.Row}
}

// placesMsg says that the places of the items are read.
type placesMsg struct{}

// load reads the names and dates of what the items are about.
func (v *findingsPage) load() tea.Cmd {
	if len(v.proposal.plan.Items) == 0 {
		return nil
	}
	found := make([]integrity.Finding, len(v.proposal.plan.Items))
	for n := range v.proposal.plan.Items {
		found[n] = findingOf(&v.proposal.plan.Items[n])
	}
	db, places := v.proposal.env.DB, v.places
	return v.proposal.env.Jobs.Quiet(v.proposal.owner, "places", views.Read(func(ctx context.Context) (placesMsg, error) {
		places.Read(ctx, db, found)
		return placesMsg{}, nil
	}))
}

// itemWord says in words what the plan does with a finding.
func (v *findingsPage) itemWord(i *ops.Item) string {
	switch {
	case i.State == ops.Included && v.proposal.state == applied:
		return "✓ repaired"
	case i.State == ops.Included && v.proposal.state == undone:
		return "– undone"
	case i.State == ops.Included:
		return "✓ will be repaired"
	case i.State == ops.Estimated:
		return "~ ctrl+x asks the model"
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

// The page has no changes to go through.
func (v *findingsPage) enter()        {}
func (v *findingsPage) place() string { return "" }

func (v *findingsPage) Typing() bool          { return v.list.Typing() }
func (v *findingsPage) Escape() bool          { return v.list.Escape() }
func (v *findingsPage) moveKeys() []ui.Action { return v.list.Actions() }

// finding returns the selected finding; an empty one where there is none.
func (v *findingsPage) finding() (i *ops.Item, some bool) {
	if i, some = v.list.Selected(); !some {
		i = &ops.Item{}
	}
	return i, some
}

// draw draws the findings with what there is to say of the selected one: beside the
// list where there is room, else below it.
func (v *findingsPage) draw(width, height int) string {
	s := v.proposal.env.Styles
	v.width = width
	if ui.Wide(width) {
		left, right, rows := ui.Panes(width, height, 0.58)
		v.height = rows
		return ui.Split(s, v.list.View(left, rows), ui.Fit(v.findingText(right), right, rows), width, height, 0.58, false)
	}
	v.height = max(2, min(v.list.Len()+1, height/2))
	return v.list.View(width, v.height) + "\n" + ui.Fit("\n"+v.findingText(width), width, max(1, height-v.height))
}

// findingText returns what there is to say of the selected finding.
func (v *findingsPage) findingText(width int) string {
	i, ok := v.finding()
	if !ok {
		return v.proposal.env.Styles.Muted.Render("the plan is about no finding")
	}
	s := v.proposal.env.Styles
	var b strings.Builder
	say := func(name, text string) {
		if text != "" {
			b.WriteString(s.Muted.Render(name) + "\n" + ansi.Wrap(ui.Sanitize(text), max(8, width), "") + "\n\n")
		}
	}
	where := "the file"
	if f := findingOf(i); i.Conversation != 0 {
		where = v.proposal.env.FindingPlace(v.places, &f, true)
	}
	b.WriteString(s.Title.Render(ansi.Wrap(ui.Sanitize(i.Problem), max(8, width), "")) + "\n" +
		s.Muted.Render(i.Kind+" · "+where) + "\n\n" + itemStyle(s, i).Render(v.itemWord(i)) + "\n\n")
	say("what is done", i.Action)
	if i.State == ops.NeedsModel {
		say("what to do next", "A model has to write its text, and none is chosen. M chooses one; then the repair is planned again.")
	} else {
		say("why not", i.Reason)
	}
	if len(i.Choices) > 0 {
		b.WriteString(s.Muted.Render("choices") + views.TextWhen(v.whyNotChosen() == "", s.Muted.Render(" · c goes through them")) + "\n")
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

// whyNotSkipped says why the selected finding can't be left out of the plan or taken in again,
// or is empty.
func (v *findingsPage) whyNotSkipped() string {
	i, some := v.finding()
	_, decider := v.proposal.op.(ops.Decider)
	switch {
	case v.proposal.generatingNow():
		return v.proposal.whyBusy()
	case !decider, !some, v.proposal.state != proposed:
		return "there is no finding to decide on"
	case i.State == ops.Open || i.State == ops.NeedsModel:
		return "it is not repaired anyway"
	}
	return ""
}

// whyNotChosen says why nothing can be chosen for the selected finding, or is empty.
func (v *findingsPage) whyNotChosen() string {
	i, some := v.finding()
	_, decider := v.proposal.op.(ops.Decider)
	switch {
	case v.proposal.generatingNow():
		return v.proposal.whyBusy()
	case !decider, !some, v.proposal.state != proposed:
		return "there is no finding to decide on"
	case len(i.Choices) == 0:
		return "there is nothing to choose"
	}
	return ""
}

// skipFinding leaves the selected finding as it is, or has it repaired nevertheless.
func (v *findingsPage) skipFinding() tea.Cmd {
	i, _ := v.finding()
	c := v.proposal.op.(ops.Decider)
	if i.State == ops.Skipped {
		return v.planner.propose("repair "+i.Kind+" nevertheless", c.Back(i.ID))
	}
	return v.planner.propose("leave "+i.Kind+" as it is", c.Without(i.ID))
}

// chooseNext chooses the next alternative for the selected finding; after the last one it is
// undecided again.
func (v *findingsPage) chooseNext() tea.Cmd {
	i, _ := v.finding()
	at := slices.IndexFunc(i.Choices, func(a ops.Alternative) bool { return a.Name == i.Choice })
	next := ""
	if at+1 < len(i.Choices) {
		next = i.Choices[at+1].Name
	}
	return v.planner.propose("plan it with that choice", v.proposal.op.(ops.Decider).Decide(i.ID, next))
}

// showFindingText goes to the text of the selected finding.
func (v *findingsPage) showFindingText() tea.Cmd {
	i, _ := v.finding()
	if len(i.Texts) == 0 {
		return nil
	}
	v.showText(i.Texts[0])
	return nil
}

// editFinding edits the text of the selected finding.
func (v *findingsPage) editFinding() tea.Cmd {
	v.showFindingText()
	return v.editText()
}

// actions returns the keys of the page of findings.
func (v *findingsPage) actions() []views.Action {
	i, some := v.finding()
	skip := ui.Act("s", "s", "leave it as it is")
	if i.State == ops.Skipped {
		skip = ui.Act("s", "s", "repair it nevertheless").Named(skip.ID())
	}
	noText := views.TextWhen(!some || len(i.Texts) == 0, "no text changes for it")
	skipReason, choiceReason := v.whyNotSkipped(), v.whyNotChosen()
	editReason := views.FirstNonEmpty(noText, skipReason, v.proposal.env.Uneditable())
	return []views.Action{
		{Action: skip.In("Change").InFooter().Off(skipReason == "", skipReason), Run: v.skipFinding},
		{Action: ui.Act("c", "c", "choose").In("Change").InFooter().Off(choiceReason == "", choiceReason), Run: v.chooseNext},
		{Action: keyEdit.In("Change").Off(editReason == "", editReason), Run: v.editFinding},
		{Action: ui.Act("enter", "⏎", "its text").In("Look").InFooter().Off(noText == "" && v.proposal.state == proposed, views.FirstNonEmpty(noText, "it is applied: enter closes")), Run: v.showFindingText},
	}
}

// update sends a message to the list of findings.
func (v *findingsPage) update(msg tea.Msg) tea.Cmd {
	line := 0 // The one above two panes.
	if ui.Wide(v.width) {
		line = 1
	}
	if m, ok := msg.(tea.MouseMsg); ok {
		if y := m.Mouse().Y; y < line || y >= v.height+line {
			return nil
		}
		return v.list.Update(ui.ShiftMouse(m, 0, line))
	}
	return v.list.Update(msg)
}
