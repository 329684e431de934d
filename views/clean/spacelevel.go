package clean

import (
	"cmp"
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/internal/sorting"
	"lcm-tui/ops/space"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// spaceLevel is what was opened from a row: the conversations of a table, an agent or a lane, or
// the largest messages of a conversation, a month or a kind.
type spaceLevel struct {
	title string
	bytes int64 // Of the row that was opened.
	// conversations says which conversations are listed, and which of their bytes; nil where
	// messages are.
	conversations func(*space.Group) (rows, bytes int64)
	filter        space.MessageFilter
	found         []space.MessageSize
	reading       bool   // The messages are being read.
	back          func() // Brings the list back to where it was.
}

// spacePlace is what is listed: the groups of a tab, or what was opened from there.
type spacePlace struct {
	tab    int          // Of spaceTabs.
	levels []spaceLevel // What was opened, the innermost last.
}

// innermost returns what was opened last; its zero value is nothing.
func (p *spacePlace) innermost() spaceLevel {
	if n := len(p.levels); n > 0 {
		return p.levels[n-1]
	}
	return spaceLevel{}
}

// rows returns the rows of the present tab or of what was opened.
func (p *spacePlace) rows(report *space.Report) []*spaceRow {
	if report == nil {
		return nil
	}
	if n := len(p.levels); n > 0 {
		return p.levels[n-1].rows(report)
	}
	by := spaceTabs[p.tab].by
	if by == "" {
		return leverRows(report)
	}
	groups := report.Groups(by)
	out := make([]*spaceRow, len(groups))
	for i := range groups {
		out[i] = groupRow(&groups[i], by)
	}
	return out
}

// whole returns the bytes that a full bar stands for: those of what was opened, else the file's.
func (p *spacePlace) whole(report *space.Report) int64 {
	if n := len(p.levels); n > 0 {
		return p.levels[n-1].bytes
	}
	return report.DatabaseBytes()
}

// tabLine draws the tabs.
func (p *spacePlace) tabLine() ui.Tabs {
	t := ui.Tabs{Active: p.tab}
	for _, tab := range spaceTabs {
		t.Names = append(t.Names, tab.name)
	}
	return t
}

// messages reports whether the level lists messages.
func (l spaceLevel) messages() bool { return l.title != "" && l.conversations == nil }

// rows returns those of the level.
func (l spaceLevel) rows(report *space.Report) []*spaceRow {
	if l.messages() {
		return messageRows(l.found)
	}
	var out []*spaceRow
	groups := report.Groups(space.ByConversation)
	for i := range groups {
		if rows, bytes := l.conversations(&groups[i]); bytes > 0 {
			r := groupRow(&groups[i], space.ByConversation)
			r.rows, r.bytes = rows, bytes
			out = append(out, r)
		}
	}
	sorting.Stable(out, func(a, b **spaceRow) int { return cmp.Compare((*b).bytes, (*a).bytes) })
	return out
}

// levelOf returns what a row opens into; ok is false where it doesn't.
func (p *spacePlace) levelOf(r *spaceRow) (l spaceLevel, ok bool) {
	if r.group == nil {
		return l, false
	}
	l = spaceLevel{title: r.name, bytes: r.bytes}
	name, by := r.group.Name, spaceTabs[p.tab].by
	if r.group.Conversation != 0 {
		l.filter.Conversation = r.group.Conversation
		return l, true
	}
	switch by {
	case space.ByTable:
		l.conversations = func(g *space.Group) (int64, int64) { t := g.In(name); return t.Rows, t.Bytes }
	case space.ByAgent:
		l.conversations = func(g *space.Group) (int64, int64) { return wholeIf(g, g.Agent == name) }
	case space.ByLane:
		l.conversations = func(g *space.Group) (int64, int64) { return wholeIf(g, g.Lane == name) }
	case space.ByMonth:
		l.filter.Month = name
		return l, name != ""
	case space.ByKind:
		return l, l.setKind(name)
	}
	return l, true
}

// wholeIf returns all of a conversation, if it is listed.
func wholeIf(g *space.Group, listed bool) (rows, bytes int64) {
	if !listed {
		return 0, 0
	}
	return g.Rows, g.Bytes
}

// setKind limits messages to a kind, and reports whether there are messages of it.
func (l *spaceLevel) setKind(name string) bool {
	table, kind, _ := strings.Cut(name, ": ")
	switch table {
	case "messages":
		l.filter.Role = kind
	case "message_parts":
		l.filter.PartType = kind
	}
	return l.filter.Role != "" || l.filter.PartType != ""
}

// spaceMessages is how many of the largest messages are listed.
const spaceMessages = 500

// spaceMessagesMsg are the largest messages of what was opened.
type spaceMessagesMsg struct {
	filter   space.MessageFilter
	messages []space.MessageSize
}

// openLevel opens a row.
func (v *Space) openLevel(l spaceLevel) tea.Cmd {
	l.back, l.reading = v.list.Place(), l.messages()
	v.place.levels = append(v.place.levels, l)
	v.showLevel()
	if !l.messages() {
		return nil
	}
	db, filter := v.env.DB, l.filter
	return v.env.Jobs.Read(v, "messages", views.Read(func(ctx context.Context) (spaceMessagesMsg, error) {
		found, err := space.LargestMessages(ctx, db, filter, spaceMessages)
		return spaceMessagesMsg{filter, found}, err
	}))
}

// showLevel shows the rows of a level from the first on.
func (v *Space) showLevel() {
	v.list.Escape()
	v.list.Select("")
	v.setRows()
	v.list.Move(-v.list.Len())
}

// closeLevel goes back to what the innermost level was opened from, and reports whether there
// was one.
func (v *Space) closeLevel() bool {
	n := len(v.place.levels)
	if n == 0 {
		return false
	}
	back := v.place.levels[n-1].back
	v.env.Jobs.Cancel(v, "messages")
	v.place.levels = v.place.levels[:n-1]
	v.setRows()
	back()
	return true
}

// receiveMessages shows the messages that were read, if they are still wanted.
func (v *Space) receiveMessages(m spaceMessagesMsg) {
	n := len(v.place.levels)
	if n == 0 || v.place.levels[n-1].filter != m.filter {
		return
	}
	v.place.levels[n-1].found, v.place.levels[n-1].reading = m.messages, false
	v.setRows()
}

// showTab shows the groups of another tab.
func (v *Space) showTab(i int) tea.Cmd {
	v.env.Jobs.Cancel(v, "messages")
	v.place = spacePlace{tab: i}
	v.showLevel()
	if spaceTabs[i].by == "" && v.report != nil && v.report.Measurement != nil && !slices.Equal(v.leversOf, v.env.Marks.IDs()) {
		return v.readLevers()
	}
	return nil
}
