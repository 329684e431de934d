package clean

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ops"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/selector"
	"lcm-tui/ops/space"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// spaceKeys are the screen's own keys.
var spaceKeys = struct{ Open, Review, Reclaim, EmptyWAL, Trash, Visit, Next, Again ui.Action }{
	Open:     ui.Act("enter", "⏎", "open"),
	Review:   ui.Act("enter", "⏎", "review what would go"),
	Reclaim:  ui.Act("enter", "⏎", "give it back"),
	EmptyWAL: ui.Act("enter", "⏎", "empty it"),
	Trash:    ui.Act("enter", "⏎", "look into the trash"),
	Visit:    ui.Act("g", "g", "go to the conversation"),
	Next:     ui.Act("tab", "tab", "next grouping"),
	Again:    ui.Act("ctrl+r", "ctrl+r", "measure again"),
}

// spaceTabKeys show a tab.
var spaceTabKeys = func() (out []ui.Action) {
	for i, t := range spaceTabs {
		n := views.Itoa(int64(i + 1))
		out = append(out, ui.Act(n, n, t.name).Named("tab-"+strings.ToLower(t.name)).In("Tabs").AsKeyOnly())
	}
	return out
}()

// Actions implements ui.Screen.
func (v *Space) Actions() (out []ui.Action) {
	for _, a := range v.actions() {
		out = append(out, a.Action)
	}
	out = append(out, spaceTabKeys...)
	return append(out, v.list.Actions()...)
}

func (v *Space) actions() []views.Action {
	r, some := v.list.Selected()
	if !some {
		r = &spaceRow{}
	}
	none := views.TextWhen(!some, "nothing is listed")
	k := spaceKeys
	marked := views.FirstNonEmpty(views.TextWhen(len(v.env.Marks) == 0, views.NoneMarked), views.TextWhen(v.report == nil || v.report.Measurement == nil, "not everything is measured yet"))
	return []views.Action{
		v.enterAction(r, none),
		{Action: k.Visit.In("Look").InFooter().Off(r.conversation() != 0, views.FirstNonEmpty(none, "the row is of no single conversation")), Run: func() tea.Cmd { return v.visit(r) }},
		{Action: k.Next.In("Look").InFooter().AsKeyOnly(), Run: func() tea.Cmd { return v.showTab((v.place.tab + 1) % len(spaceTabs)) }},
		v.env.MarkAction(r.markable(), func() { v.list.Move(1) }),
		{Action: views.KeyPrune.In("Change").InFooter().Off(marked == "", marked), Run: func() tea.Cmd { return v.showTab(len(spaceTabs) - 1) }},
		{Action: views.KeyUnmark.In("Change").Off(len(v.env.Marks) > 0, views.NoneMarked), Run: func() tea.Cmd { clear(v.env.Marks); return nil }},
		{Action: views.KeyTrash.In("Look"), Run: func() tea.Cmd { return ui.Say(ui.PushMsg{Screen: NewTrash(v.env, "")}) }},
		{Action: k.Again.In("Look").InFooter().Off(v.running == nil, "it is being measured: esc ends that"), Run: v.measure},
	}
}

// enterAction opens a row, goes to a message, or reviews what a lever would remove.
func (v *Space) enterAction(r *spaceRow, none string) views.Action {
	k := spaceKeys
	if r.lever != nil {
		switch verb := r.lever.Verb; verb {
		case space.Reclaim, space.ReclaimWAL:
			c, key := v.env.ReclaimCommand(verb == space.ReclaimWAL), k.Reclaim
			if verb == space.ReclaimWAL {
				key = k.EmptyWAL
			}
			return views.Action{Action: key.In("Change").InFooter().Off(c.Why == "", c.Why), Run: c.Run}
		case space.TrashEmpty:
			return views.Action{Action: k.Trash.In("Look").InFooter(), Run: func() tea.Cmd { return ui.Say(ui.PushMsg{Screen: NewTrash(v.env, "")}) }}
		}
		batches := r.lever.Verb == space.PruneBatches
		why := views.FirstNonEmpty(v.env.ReadOnly(), views.TextWhen(r.lever.Bytes == 0, "nothing qualifies"),
			views.TextWhen(len(r.lever.Conversations) == 0 && !batches, "it is a command of its own and no change of rows"))
		if batches {
			return views.Action{Action: k.Review.In("Change").InFooter().Off(why == "", why), Run: func() tea.Cmd {
				op := &prune.BatchesOp{}
				return v.env.Planned(v, op.Name(), func(context.Context) (ops.Op, error) { return op, nil })
			}}
		}
		return views.Action{Action: k.Review.In("Change").InFooter().Off(why == "", why), Run: func() tea.Cmd { return v.review(r.lever) }}
	}
	level, opens := v.place.levelOf(r)
	return views.Action{Action: k.Open.In("Look").InFooter().Off(opens || r.message != nil, views.FirstNonEmpty(none, "there is nothing smaller in it")), Run: func() tea.Cmd {
		if r.message != nil {
			return v.visit(r)
		}
		return v.openLevel(level)
	}}
}

// review plans the prune that a lever stands for; nothing is written before the review.
func (v *Space) review(l *space.Lever) tea.Cmd {
	op := &prune.Op{
		Verb: prune.Verb(strings.TrimPrefix(l.Verb, "prune ")), Selector: selector.Selector{Conversations: l.Conversations},
		Payload: prune.DefaultPayload, StateFolder: v.env.State,
	}
	db, folder := v.env.DB, v.env.Files
	return v.env.Planned(v, op.Name(), func(context.Context) (ops.Op, error) {
		op.FilesFolder = prune.FilesFolder(db, folder) // It looks at the disk.
		return op, nil
	})
}

// markable returns the conversation that a row marks, or 0.
func (r *spaceRow) markable() int64 {
	if r.group == nil {
		return 0
	}
	return r.group.Conversation
}

// conversation returns the conversation of a row, or 0.
func (r *spaceRow) conversation() int64 {
	switch {
	case r.message != nil:
		return r.message.Conversation
	case r.group != nil:
		return r.group.Conversation
	}
	return 0
}

// visit shows the conversation of a row; of a message its place in it.
func (v *Space) visit(r *spaceRow) tea.Cmd {
	row := ""
	if r.message != nil {
		row = views.Itoa(r.message.ID)
	}
	return v.env.Visit(v, r.conversation(), views.Target{Tab: views.TabMessages, ID: row})
}
