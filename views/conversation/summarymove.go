package conversation

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/ops/dissolve"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// buildRows gives the list its rows.
func (v *Summaries) buildRows() {
	rows := v.tree.rows
	if v.filtered {
		rows = v.tree.all
	}
	items := rows()
	v.List.Head = ""
	if len(items) > 0 && items[0].outside && !v.filtered {
		v.List.Head = v.Env().Styles.Muted.Render(outsideOfAll)
	}
	v.List.SetItems(items)
}

// followFilter goes from the tree to the list of all nodes when a filter comes, and back
// to the node that was found when it goes.
func (v *Summaries) followFilter() tea.Cmd {
	flat := v.List.Typing() || v.List.Filter() != ""
	if flat == v.filtered {
		return nil
	}
	b, _ := v.List.Selected()
	v.filtered, v.Dirty = flat, true
	v.buildRows()
	if b == nil {
		return nil
	}
	if !flat {
		v.show(b.id)
		return nil
	}
	for _, o := range v.List.Items() {
		if o.id == b.id {
			v.List.Select(o.key)
			break
		}
	}
	return nil
}

// show goes to a summary and unfolds what is above it, as soon as it's loaded.
func (v *Summaries) show(id string) {
	v.target = id
	if v.tree.graph == nil {
		return
	}
	v.target = ""
	v.List.Escape()
	v.filtered = false
	v.goToPlace(v.tree.find(id))
}

func (v *Summaries) goToPlace(place int) {
	if place == 0 {
		return
	}
	v.tree.unfoldTo(place)
	v.buildRows()
	v.List.Select(placeKey(place))
}

func (v *Summaries) toggle(b *branch, open bool) tea.Cmd {
	if open {
		v.tree.open[b.place] = true
	} else {
		delete(v.tree.open, b.place)
	}
	v.buildRows()
	return nil
}

func (v *Summaries) unfold(b *branch) tea.Cmd {
	switch {
	case b.hasSources() && !b.open:
		return v.toggle(b, true)
	case b.hasSources():
		v.List.Move(1)
	}
	return nil
}

func (v *Summaries) fold(b *branch) tea.Cmd {
	if b.open {
		return v.toggle(b, false)
	}
	if !b.isRoot() {
		v.List.Select(placeKey(b.above))
	}
	return nil
}

// open leaves the filter for what was found, or unfolds or folds; where there is nothing to unfold, or no room for the text
// beside the tree, it goes to the text.
func (v *Summaries) open(b *branch) tea.Cmd {
	switch {
	case b == nil:
		return nil
	case v.filtered:
		v.show(b.id)
		return nil
	}
	if ui.Wide(v.Width) && b.hasSources() {
		return v.toggle(b, !b.open)
	}
	return v.Focus(true)
}

func (v *Summaries) unfoldBelow(b *branch, unfold bool) tea.Cmd {
	if unfold {
		v.tree.unfoldAll(b)
	} else {
		v.tree.foldAll(b)
	}
	v.buildRows()
	return nil
}

func (v *Summaries) dissolve(b *branch) tea.Cmd {
	return v.Env().Plan(v, &dissolve.Op{Conversation: v.Hub.Row.ID, Summary: b.id, Budget: v.Hub.Budget})
}

func (v *Summaries) copyText(b *branch) tea.Cmd {
	db, id := v.Env().DB, b.id
	return v.Env().Jobs.Start(v, "copy text", views.Read(func(ctx context.Context) (copyMsg, error) {
		s, err := lcm.ReadSummary(ctx, db, id)
		return copyMsg{id, s.Content}, err
	}))
}

// nextDamaged goes to the next row that stands for damage, in the order of the
// tree with everything unfolded.
func (v *Summaries) nextDamaged() tea.Cmd {
	b, _ := v.List.Selected()
	rows, at := v.tree.all(), 0
	for i, r := range rows {
		if r.place == b.place {
			at = i
			break
		}
		if r.id == b.id && at == 0 {
			at = i
		}
	}
	for i := range rows {
		if r := rows[(at+1+i)%len(rows)]; v.isDamaged(r) {
			v.List.Escape()
			v.filtered = false
			v.goToPlace(r.place)
			return nil
		}
	}
	return nil
}

// jumpTo shows a message in the tab of messages.
func jumpTo(t *views.Tab, seq int64) tea.Cmd {
	to := t.Hub.Show(views.TabMessages)
	if m, ok := t.Hub.Tab(views.TabMessages).(interface{ goTo(seq int64) tea.Cmd }); ok {
		return tea.Batch(to, m.goTo(seq))
	}
	return to
}

// GoTo unfolds the tree to a summary and puts the cursor on it.
func (v *Summaries) GoTo(to views.Target) tea.Cmd {
	v.show(to.ID)
	if to.Marked {
		v.MarkedRef = to.ID
	}
	return nil
}
