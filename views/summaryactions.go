package views

import (
	tea "charm.land/bubbletea/v2"

	"lcm-tui/ops/rewrite"
	"lcm-tui/ui"
)

// summaryKeys are the screen's own keys.
var summaryKeys = struct {
	Open, Unfold, Fold, UnfoldAll, FoldAll, Damaged, Dissolve, Rewrite, Branch, Edit, Resume, Repair, Prompt, Messages, Picture, Text ui.Action
}{
	Open:      ui.Act("enter space", "⏎", "open"),
	Unfold:    ui.Act("right l", "→", "unfold"),
	Fold:      ui.Act("left h", "←", "fold, or go up"),
	UnfoldAll: ui.Act("*", "*", "unfold all below"),
	FoldAll:   ui.Act("-", "-", "fold all below"),
	Damaged:   ui.Act("!", "!", "next damaged"),
	Dissolve:  ui.Act("d", "d", "dissolve"),
	Rewrite:   ui.Act("r", "r", "rewrite"),
	Branch:    ui.Act("W", "W", "rewrite branch"),
	Edit:      ui.Act("e", "e", "edit"),
	Resume:    ui.Act("E", "E", "edit your unapplied text"),
	Repair:    ui.Act("R", "R", "repair"),
	Prompt:    ui.Act("p", "p", "previous context and prompt"),
	Messages:  ui.Act("m", "m", "messages"),
	Picture:   ui.Act("v", "v", "picture of coverage"),
	Text:      ui.Act("Y", "Y", "copy text"),
}

func (v *Summaries) OwnActions() []Action {
	b, some := v.list.Selected()
	if !some {
		b = &branch{}
	}
	const none, nothingBelow = "there is no summary", "nothing is below it"
	k, inTree := summaryKeys, some && !v.filtered && !v.textFocused
	off := "the text has the keys: esc goes back to the tree"
	if v.filtered {
		off = "a filter is on: esc clears it"
	} else if !some {
		off = none
	}
	seq, unmade := v.firstSeq(b), b.reasonOff(v.env().summarizerMissing())
	unwritten, unrepaired := b.reasonOff(v.env().uneditable()), b.reasonOff(v.env().readOnly())
	return []Action{
		{v.openKey(b).In("Tree").Off(some && !v.textFocused, off), func() tea.Cmd { return v.open(b) }},
		{v.unfoldKey(b).In("Tree").InFooter().Off(inTree && b.hasSources(), firstNonEmpty(textWhen(!inTree, off), nothingBelow)), func() tea.Cmd { return v.unfold(b) }},
		{v.foldKey(b).In("Tree").Off(inTree && (b.open || !b.isRoot()), firstNonEmpty(textWhen(!inTree, off), "it stands at the top, with nothing unfolded")), func() tea.Cmd { return v.fold(b) }},
		{k.Dissolve.In("Change").InFooter().Off(v.dissolveReason(b) == "", v.dissolveReason(b)), func() tea.Cmd { return v.dissolve(b) }},
		{k.Rewrite.In("Change").InFooter().Off(unmade == "", unmade), func() tea.Cmd {
			return v.env().rewrite(v, v.hub.row.ID, rewrite.Pick{Summary: b.id})
		}},
		{k.Branch.In("Change").Off(unmade == "" && b.hasSources(), firstNonEmpty(unmade, nothingBelow)), func() tea.Cmd {
			return v.env().rewrite(v, v.hub.row.ID, rewrite.Pick{Subtree: b.id})
		}},
		{k.Edit.In("Change").Off(unwritten == "", unwritten), func() tea.Cmd { return v.edit(b) }},
		{k.Resume.In("Change").Off(unwritten == "" && v.env().handTexts[b.id] != nil, firstNonEmpty(unwritten, "every text that you wrote for it is applied")), func() tea.Cmd { return v.resumeEdit(b) }},
		{k.Repair.In("Change").Off(unrepaired == "", unrepaired), func() tea.Cmd {
			return v.env().repair(repairPlace{conversation: v.hub.row.ID, summary: b.id})
		}},
		{k.Prompt.In("Look").Off(b.node != nil && v.env().Summarizer != nil, firstNonEmpty(textWhen(v.env().Summarizer == nil, "no model is set up"), none)), func() tea.Cmd {
			return v.env().prompt(v, v.hub.row.ID, b.id)
		}},
		v.env().chooseModelAction(),
		{k.Messages.In("Look").InFooter().Off(seq != 0, "its messages aren't known"), func() tea.Cmd { return v.jumpTo(seq) }},
		{k.Damaged.In("Tree").InFooter().Off(some && v.hasDamage(), "no damaged summary is known here"), v.nextDamaged},
		{keyTraceSummaryText.In("Look").InFooter().Off(b.node != nil, none), func() tea.Cmd { return v.env().traceSummary(v.hub.row, v.hub.budget, b.id) }},
		{k.UnfoldAll.In("Tree").Off(inTree && b.hasSources(), firstNonEmpty(textWhen(!inTree, off), nothingBelow)), func() tea.Cmd { return v.unfoldBelow(b, true) }},
		{k.FoldAll.In("Tree").Off(inTree && b.hasSources(), firstNonEmpty(textWhen(!inTree, off), nothingBelow)), func() tea.Cmd { return v.unfoldBelow(b, false) }},
		{k.Picture.In("Look"), func() tea.Cmd { v.pictureHidden = !v.pictureHidden; return nil }},
		{k.Text.In("Look").Off(b.node != nil, none), func() tea.Cmd { return v.copyText(b) }},
	}
}

// unfoldKey is → with what it does on this row.
func (*Summaries) unfoldKey(b *branch) ui.Action {
	if b.open {
		return ui.Act("right l", "→", "its first source")
	}
	return summaryKeys.Unfold
}

// foldKey is ← with what it does on this row.
func (*Summaries) foldKey(b *branch) ui.Action {
	switch {
	case b.open:
		return ui.Act("left h", "←", "fold")
	case b.node != nil && !b.isRoot():
		return ui.Act("left h", "←", "the summary above")
	}
	return summaryKeys.Fold
}

// openKey is enter with what it does on this row.
func (v *Summaries) openKey(b *branch) ui.Action {
	const keys, label = "enter space", "⏎"
	switch {
	case v.filtered:
		return ui.Act(keys, label, "show it in the tree")
	case b.node == nil:
		return summaryKeys.Open
	case ui.Wide(v.width) && b.hasSources() && b.open:
		return ui.Act(keys, label, "fold")
	case ui.Wide(v.width) && b.hasSources():
		return ui.Act(keys, label, "unfold")
	case !ui.Wide(v.width):
		return ui.Act(keys, label, "read").InFooter() // The text isn't in view.
	}
	return ui.Act(keys, label, "read")
}

// reasonOff is why nothing can be done with b, or else why.
func (b *branch) reasonOff(why string) string {
	if b.node == nil {
		return "there is no summary"
	}
	return why
}

// dissolveReason says why b can't be dissolved, or is empty.
func (v *Summaries) dissolveReason(b *branch) string {
	switch {
	case b.node == nil:
		return "there is no summary"
	case v.env().readOnly() != "":
		return v.env().readOnly()
	case !b.node.Condensed():
		return "it was made of messages; only a summary of summaries can be dissolved"
	case len(b.node.Sources) == 0:
		return "nothing that it was made of is left"
	case !b.node.InContext():
		if above, ok := v.tree.graph.ContextAncestor(b.node); ok {
			return "it isn't in the context: " + shortID(above.ID, idInList) + " stands there for it"
		}
		return "it isn't in the context"
	}
	return ""
}
