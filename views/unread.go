package views

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// unread is what of a conversation can't be read, as far as it is known.
type unread struct {
	asked int // How many tables were incomplete when it was asked for.
	rows  []lcm.ReadableRows
}

// tabTables are the tables that a tab shows.
var tabTables = [TabCount][]string{
	TabMessages:  {"messages", "message_parts"},
	TabSummaries: {"summaries", "summary_messages", "summary_parents"},
	TabContext:   {"context_items", "messages", "summaries"},
	TabFiles:     {"large_files"},
}

// rowNames are what a row and the rows of a table are called.
var rowNames = map[string][2]string{
	"conversations": {"conversation", "conversations"}, "messages": {"message", "messages"}, "summaries": {"summary", "summaries"},
	"context_items": {"item of the context", "items of the context"}, "large_files": {"large file", "large files"},
}

type unreadMsg []lcm.ReadableRows

// countUnread counts what can't be read once a read has met damage; its message goes to
// setUnread.
func (t *Tab) countUnread(owner ui.Screen) tea.Cmd {
	db, conv := t.Env().DB, t.Hub.Row.ID
	n := len(db.IncompleteTables())
	if n == t.Hub.unread.asked {
		return nil
	}
	t.Hub.unread.asked = n
	return t.Env().Jobs.Quiet(owner, "unread", Read(func(ctx context.Context) (unreadMsg, error) { return lcm.ReadReadableRows(ctx, db, conv) }))
}

func (t *Tab) setUnread(m unreadMsg) { t.Hub.unread.rows = m }

// Unreadable says what of the tab's rows can't be read, or is empty.
func (t *Tab) Unreadable() string {
	if t.Hub.deleted {
		return "this conversation was deleted while it was open: there is nothing to show"
	}
	tables, schema := tabTables[t.index], t.Env().DB.Schema()
	if t.Env().DB.Kind().Relative {
		return ""
	}
	for _, table := range schema.Missing() {
		if slices.Contains(tables, table) {
			return "the table " + table + " is missing: this tab has nothing to show"
		}
	}
	for _, column := range schema.MissingColumns() {
		if table, _, _ := strings.Cut(column, "."); slices.Contains(tables, table) {
			return "the column " + column + " is missing: this tab can't show all of it"
		}
	}
	var parts []string
	for _, r := range t.Hub.unread.rows {
		if slices.Contains(tables, r.Table) && r.Lost() {
			parts = append(parts, lostRows(r))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + " can't be read · :salvage looks for them in every page of the file"
}

// lostRows returns how many rows of a table can't be read.
func lostRows(r lcm.ReadableRows) string {
	one, many := rowNames[r.Table][0], rowNames[r.Table][1]
	switch lost := r.Tried - r.Read; {
	case r.Counted < 0:
		return "an unknown number of " + many
	case r.Tried < r.Counted:
		return ui.Num(lost) + " of the first " + ui.Num(r.Tried) + " of " + ui.Num(r.Counted) + " " + many
	case lost == r.Counted:
		return "all " + plural.Count(r.Counted, one, many)
	default:
		return ui.Num(lost) + " of " + ui.Num(r.Counted) + " " + many
	}
}

// unreadLine returns what can't be read, in a line under the tabs, or nothing.
func (t *Tab) unreadLine(width int) []string {
	say := t.Unreadable()
	if say == "" {
		return nil
	}
	return []string{t.Env().Styles.Bad.Render(ui.Cut(" ! "+say, width))}
}
