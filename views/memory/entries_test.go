package memory

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/promoted"
	"lcm-tui/internal/testdb"
	"lcm-tui/views/viewtest"
)

// driveEntries opens the screen of promoted memory on two entries, of which one was made of a summary.
func driveEntries(t *testing.T) *viewtest.Driver {
	t.Helper()
	d := viewtest.DriveDemo(t)
	summary := testdb.Rows(t, d.Path, "SELECT summary_id FROM summaries ORDER BY 1 LIMIT 1")[0]
	d.Exec(promoted.Schema)
	const insert = "INSERT INTO promoted (id, content, tags, source_summary_id, project_id, confidence, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)"
	d.Exec(insert, "mem_1", "Deploys go out on Tuesdays", `["decision"]`, nil, "islander-1a2b3c", 1.0, "2026-01-05 09:00:00")
	d.Exec(insert, "mem_2", "The gateway listens on 7443 \x1b[31m", `["fix","depth"]`, summary, "", 0.5, "2026-01-04 09:00:00")
	d.Press(".", "m", "e")
	d.Sees("Promoted memory", "2 entries in use, 0 archived entries", "Deploys go out on Tuesdays", "100%")
	return d
}

// TestEntries: an entry is edited and archived through a review, and both are undone.
func TestEntries(t *testing.T) {
	t.Parallel()
	d := driveEntries(t)
	d.Misses("\x1b[31m")
	d.GoldenAt([2]int{80, 24}, [2]int{120, 36}, [2]int{200, 50})
	d.Env.Editor = func(text string, done func(string, error) tea.Msg) tea.Cmd {
		return func() tea.Msg { return done(text+" at noon", nil) }
	}
	d.CursorOn("Deploys")
	d.Press("e")
	d.Sees("nothing is written yet", "at noon")
	d.Press("a")
	d.Sees("applied as #1")
	d.Press("enter")
	d.Sees("Deploys go out on Tuesdays at noon")
	d.Press("d")
	d.Sees("nothing is written yet")
	d.Press("a", "enter")
	d.Sees("1 entry in use, 1 archived entry")
	d.Misses("at noon")
	d.Press("v")
	d.Sees("here are archived ones", "at noon")
	if got := testdb.Rows(t, d.Path, "SELECT count(*) FROM promoted WHERE archived_at IS NOT NULL")[0]; got != "1" {
		t.Errorf("%s are archived", got)
	}
}

// TestWhereAnEntryCameFrom: w opens the summary of which it was made; what a person stored has none.
func TestWhereAnEntryCameFrom(t *testing.T) {
	t.Parallel()
	d := driveEntries(t)
	d.CursorOn("Deploys")
	d.Press("w")
	d.Sees("it was stored by hand, or by an agent")
	d.CursorOn("The gateway")
	d.Press("w")
	d.Sees("Summaries", "sum_")
}
