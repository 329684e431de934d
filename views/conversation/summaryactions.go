package conversation

import (
	tea "charm.land/bubbletea/v2"

	"lcm-tui/ops/rewrite"
	"lcm-tui/ui"
	"lcm-tui/views"
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

// OwnActions implements views.ListOwner.
func (v *Summaries) OwnActions() []views.Action {
	b, some := v.List.Selected()
	if !some {
		b = &branch{}
	}
	const none, nothingBelow = "there is no summary", "nothing is below it"
	k, inTree := summaryKeys, some && !v.filtered && !v.TextFocused
	off := "the text has the keys: esc goes back to the tree"
	if v.filtered {
		off = "a filter is on: esc clears it"
	} else if !some {
		off = none
	}
	seq, unmade := v.firstSeq(b), b.reasonOff(v.Env().SummarizerMissing())
	unwritten, unrepaired := b.reasonOff(v.Env().Uneditable()), b.reasonOff(v.Env().ReadOnly())
	return []views.Action{
		{Action: v.openKey(b).In("Tree").Off(some && !v.TextFocused, off), Run: func() tea.Cmd { return v.open(b) }},
		{Action: unfoldKey(b).In("Tree").InFooter().Off(inTree && b.hasSources(), views.FirstNonEmpty(views.TextWhen(!inTree, off), nothingBelow)), Run: func() tea.Cmd { return v.unfold(b) }},
		{Action: foldKey(b).In("Tree").Off(inTree && (b.open || !b.isRoot()), views.FirstNonEmpty(views.TextWhen(!inTree, off), "it stands at the top, with nothing unfolded")), Run: func() tea.Cmd { return v.fold(b) }},
		{Action: k.Dissolve.In("Change").InFooter().Off(v.dissolveReason(b) == "", v.dissolveReason(b)), Run: func() tea.Cmd { return v.dissolve(b) }},
		{Action: k.Rewrite.In("Change").InFooter().Off(unmade == "", unmade), Run: func() tea.Cmd {
			return v.Env().Rewrite(v, v.Hub.Row.ID, rewrite.Pick{Summary: b.id})
		}},
		{Action: k.Branch.In("Change").Off(unmade == "" && b.hasSources(), views.FirstNonEmpty(unmade, nothingBelow)), Run: func() tea.Cmd {
			return v.Env().Rewrite(v, v.Hub.Row.ID, rewrite.Pick{Subtree: b.id})
		}},
		{Action: k.Edit.In("Change").Off(unwritten == "", unwritten), Run: func() tea.Cmd { return v.edit(b) }},
		{Action: k.Resume.In("Change").Off(unwritten == "" && v.Env().HandTexts[b.id] != nil, views.FirstNonEmpty(unwritten, "every text that you wrote for it is applied")), Run: func() tea.Cmd { return v.resumeEdit(b) }},
		{Action: k.Repair.In("Change").Off(unrepaired == "", unrepaired), Run: func() tea.Cmd {
			return v.Env().Repair(views.RepairPlace{Conversation: v.Hub.Row.ID, Summary: b.id})
		}},
		{Action: k.Prompt.In("Look").Off(b.node != nil && v.Env().Summarizer != nil, views.FirstNonEmpty(views.TextWhen(v.Env().Summarizer == nil, "no model is set up"), none)), Run: func() tea.Cmd {
			return v.Env().Prompt(v, v.Hub.Row.ID, b.id)
		}},
		v.Env().ChooseModelAction(),
		{Action: k.Messages.In("Look").InFooter().Off(seq != 0, "its messages aren't known"), Run: func() tea.Cmd { return jumpTo(&v.Tab, seq) }},
		{Action: k.Damaged.In("Tree").InFooter().Off(some && v.hasDamage(), "no damaged summary is known here"), Run: v.nextDamaged},
		{Action: keyTraceSummaryText.In("Look").InFooter().Off(b.node != nil, none), Run: func() tea.Cmd { return traceSummary(v.Env(), v.Hub.Row, v.Hub.Budget, b.id) }},
		{Action: k.UnfoldAll.In("Tree").Off(inTree && b.hasSources(), views.FirstNonEmpty(views.TextWhen(!inTree, off), nothingBelow)), Run: func() tea.Cmd { return v.unfoldBelow(b, true) }},
		{Action: k.FoldAll.In("Tree").Off(inTree && b.hasSources(), views.FirstNonEmpty(views.TextWhen(!inTree, off), nothingBelow)), Run: func() tea.Cmd { return v.unfoldBelow(b, false) }},
		{Action: k.Picture.In("Look"), Run: func() tea.Cmd { v.pictureHidden = !v.pictureHidden; return nil }},
		{Action: k.Text.In("Look").Off(b.node != nil, none), Run: func() tea.Cmd { return v.copyText(b) }},
	}
}

// unfoldKey returns → with what it does on this row.
func unfoldKey(b *branch) ui.Action {
	if b.open {
		return ui.Act("right l", "→", "its first source").Named(summaryKeys.Unfold.ID())
	}
	return summaryKeys.Unfold
}

// foldKey returns ← with what it does on this row.
func foldKey(b *branch) ui.Action {
	switch {
	case b.open:
		return ui.Act("left h", "←", "fold").Named(summaryKeys.Fold.ID())
	case b.node != nil && !b.isRoot():
		return ui.Act("left h", "←", "the summary above").Named(summaryKeys.Fold.ID())
	}
	return summaryKeys.Fold
}

// openKey returns enter with what it does on this row.
func (v *Summaries) openKey(b *branch) ui.Action {
	const keys, label = "enter space", "⏎"
	switch {
	case v.filtered:
		return ui.Act(keys, label, "show it in the tree").Named(summaryKeys.Open.ID())
	case b.node == nil:
		return summaryKeys.Open
	case ui.Wide(v.Width) && b.hasSources() && b.open:
		return ui.Act(keys, label, "fold").Named(summaryKeys.Open.ID())
	case ui.Wide(v.Width) && b.hasSources():
		return ui.Act(keys, label, "unfold").Named(summaryKeys.Open.ID())
	case !ui.Wide(v.Width):
		return ui.Act(keys, label, "read").Named(summaryKeys.Open.ID()).InFooter() // The text isn't in view.
	}
	return ui.Act(keys, label, "read").Named(summaryKeys.Open.ID())
}

// reasonOff returns why nothing can be done with b, or else why.
func (b *branch) reasonOff(why string) string {
	if b.node == nil {
		return "there is no summary"
	}
	return why
}
