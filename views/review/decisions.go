package review

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/regenerate"
	"lcm-tui/ops"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// edit opens the editor on the selected text: the new one, or the stored one where no new
// one was made.
func (v *textPage) edit() tea.Cmd {
	e, _ := v.current()
	if e.text == nil {
		return v.proposal.env.ReadText(v.proposal.owner, e.id)
	}
	return v.proposal.env.Edit(e.id, e.text.Before, e.text.After)
}

// edited plans again with a text that came back from the editor.
func (v *textPage) edited(m views.EditedMsg) tea.Cmd {
	if say, unchanged := m.Unchanged(); unchanged {
		return say
	}
	v.proposal.env.KeepHandText(m.ID, m.Stored, m.Text)
	return v.planner.propose("write "+ui.Line(m.ID)+" by hand and rewrite what is made from it", v.chooser(m.ID).With(m.ID, m.Text, ""))
}

// chooser returns the operation, of which another text is to be taken for an id and for what is made of it.
func (v *textPage) chooser(id string) ops.Chooser {
	if k, ok := v.proposal.op.(ops.Keeper); ok {
		return k.Keeping(&v.proposal.plan, id).(ops.Chooser)
	}
	return v.proposal.op.(ops.Chooser)
}

// skip leaves the selected text as it is, or has one made nevertheless that was left.
func (v *textPage) skip() tea.Cmd {
	e, _ := v.current()
	c := v.proposal.op.(ops.Skipper)
	if e.state == regenerate.StateSkipped {
		return v.planner.propose("make "+ui.Line(e.id)+" and what is made of it", c.Back(e.id))
	}
	return v.planner.propose("skip "+ui.Line(e.id)+" and rewrite what is made of it", c.Without(e.id))
}

// nextCandidate asks for another text in place of the selected one.
func (v *textPage) nextCandidate() tea.Cmd {
	e, _ := v.current()
	op := v.chooser(e.id)
	attempt, _ := op.Chosen(e.id)
	return v.planner.proposeAnswer("another text for "+ui.Line(e.id)+", beside those that there are, and what is made of it", op.Attempt(e.id, max(attempt+1, v.had.asked[e.id])))
}

// addCandidates notes the texts of another plan, and says where an answer is not new.
func (v *textPage) addCandidates() tea.Cmd {
	id, equal := v.had.add(v.proposal.op, &v.proposal.plan)
	if equal == 0 {
		return nil
	}
	return ui.Say(ui.StatusMsg{Kind: ui.Warn, Text: fmt.Sprintf("the new answer for %s is equal to candidate %d", ui.Line(id), equal)})
}

// compareCandidates shows the texts that there were for the selected summary.
func (v *textPage) compareCandidates() tea.Cmd {
	e, _ := v.current()
	texts, op := v.had.texts[e.id], v.chooser(e.id)
	choose := func(n int) tea.Cmd {
		return v.planner.propose(fmt.Sprintf("take candidate %d of %s and make what is made of it", n+1, ui.Line(e.id)), op.With(e.id, texts[n].text, texts[n].model))
	}
	return ui.Say(ui.PushMsg{Screen: newCandidatesScreen(v.proposal.env, e.id, e.text, texts, v.had.indexOf(e.id, e.text.After), choose)})
}

// whyNoCandidates says why there is nothing to compare, or is empty.
func (v *textPage) whyNoCandidates(here bool) string {
	if why := v.whyNotDecidable(here); why != "" {
		return why
	}
	if e, _ := v.current(); e.text == nil || len(v.had.texts[e.id]) < 2 {
		return "there is one new text only: r asks for another, e writes one"
	}
	return ""
}

// whyNotDecidable says why the selected text can't be skipped or asked for again, or is
// empty.
func (v *textPage) whyNotDecidable(here bool) string {
	_, chooser := v.proposal.op.(ops.Chooser)
	_, there := v.current()
	switch {
	case v.proposal.generatingNow():
		return v.proposal.whyBusy()
	case v.proposal.runnable() && v.proposal.plan.Estimate():
		return "no text is made yet: ctrl+x runs it"
	case !here:
		return "it is done on the page of texts: 2"
	case !chooser, !there, v.proposal.state != proposed:
		return "there is no text to decide on"
	}
	return ""
}

// whyNotEditable says why the selected text can't be changed by hand, or is empty.
func (v *textPage) whyNotEditable(here bool) string {
	if why := views.FirstNonEmpty(v.whyNotDecidable(here), v.proposal.env.Uneditable()); why != "" {
		return why
	}
	return ""
}

// textKeys returns the keys that skip the selected text and ask for another one, with what they
// would do to it.
func (v *textPage) textKeys() (skip, candidate ui.Action) {
	e, there := v.current()
	skip, candidate = keySkip, keyCandidate
	if e.state == regenerate.StateSkipped {
		skip = keyUnskip
	}
	if there && e.text == nil {
		candidate = keyRetry
	}
	return skip, candidate
}

// decisions returns the keys that decide on the selected text; here is false while another page is
// shown, where they say why they do nothing.
func (v *textPage) decisions(here bool) []views.Action {
	reason, noEdit := v.whyNotDecidable(here), v.whyNotEditable(here)
	skip, candidate := v.textKeys()
	noCandidates, noSkip := v.whyNoCandidates(here), reason
	if _, ok := v.proposal.op.(ops.Skipper); !ok && noSkip == "" {
		noSkip = "a compaction makes every text: another fresh tail or budget makes fewer"
	}
	return []views.Action{
		{Action: skip.In("Change").InFooter().Off(noSkip == "", noSkip), Run: v.skip},
		{Action: candidate.In("Change").InFooter().Off(reason == "", reason), Run: v.nextCandidate},
		{Action: keyEdit.In("Change").InFooter().Off(noEdit == "", noEdit), Run: v.edit},
		{Action: keyCandidates.In("Change").InFooter().Off(noCandidates == "", noCandidates), Run: v.compareCandidates},
	}
}
