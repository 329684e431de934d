package search

import (
	"strings"
	"testing"

	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// TestAHitIsSeenInItsRow: wherever the walk along the hits leads, the row under the cursor shows the match, underlined,
// at every size.
func TestAHitIsSeenInItsRow(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	far := strings.Repeat("Nothing of note here. ", 400) + "The lighthouse is dark." + strings.Repeat(" Nothing of note.", 400)
	for _, c := range []struct {
		name, query string
		open        func() *viewtest.Driver
	}{
		{"rich", "deploy", func() *viewtest.Driver {
			return viewtest.DriveFile(t, testdb.Copy(t, testdb.Fixture(t, "v0.15.3/rich.db")))
		}},
		{"long texts", "lighthouses", func() *viewtest.Driver { return viewtest.DriveFile(t, fileWith(t, []string{far, "One.\n\n" + far})) }},
		{"demo", "e*", func() *viewtest.Driver { return viewtest.DriveDemo(t) }},
		{"calls", "kind:part e*", func() *viewtest.Driver { return viewtest.DriveDemo(t) }},
		{"files", "kind:file e*", func() *viewtest.Driver { return viewtest.DriveDemo(t) }},
		{"briefs", "kind:focus e*", func() *viewtest.Driver { return viewtest.DriveDemo(t) }},
	} {
		d := c.open()
		v := searchFor(d, c.query)
		hits := min(v.List.Len(), 12)
		if hits == 0 {
			t.Fatalf("%s: %s is not found", c.name, c.query)
		}
		d.Press("enter")
		for i := range hits {
			for _, size := range [][2]int{{80, 24}, {100, 30}, {120, 36}, {200, 50}} {
				if row := cursorRow(d.Raw(size[0], size[1])); !views.IsMarked(row) {
					t.Errorf("%s: hit %d isn't in its row:\n%s", c.name, i+1, d.Screen(size[0], size[1]))
				}
			}
			d.Press("n")
		}
	}
}

// cursorRow returns the line of a screen with the cursor, as far as it belongs to the list.
func cursorRow(screen string) string {
	for l := range strings.Lines(screen) {
		if _, row, found := strings.Cut(l, "▌"); found {
			row, _, _ = strings.Cut(row, "│")
			return row
		}
	}
	return ""
}

// TestOneNumberOfHits: the head, the footer and the walk count the same, also where a row stands for equal texts.
func TestOneNumberOfHits(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, fileWith(t, []string{"The lighthouse.", "A lighthouse.", "A lighthouse.", "A lighthouse.", "One lighthouse."}))
	searchFor(d, "lighthouse")
	d.Sees("5 hits", "1 of 5")
	d.Press("down")
	d.Sees("×3", "2–4 of 5")
	d.Press("enter")
	d.Sees("hit 2–4 of 5")
	d.Press("n")
	d.Sees("hit 5 of 5")
}

// TestCallsReadAsAmongTheMessages: a hit in a call shows the tool and its arguments, also where the host stored them as a
// JSON string, and a message that has only calls shows the first.
func TestCallsReadAsAmongTheMessages(t *testing.T) {
	t.Parallel()
	path := fileWith(t, []string{"Look."})
	testdb.Execute(t, path, `INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at) VALUES
		(91, 1, 91, 'assistant', '', 9, '2026-03-01 00:00:00'), (92, 1, 92, 'assistant', '', 9, '2026-03-01 00:00:01');
		INSERT INTO message_parts (part_id, message_id, session_id, part_type, ordinal, tool_name, tool_input, tool_output) VALUES
		('p1', 91, 's', 'tool', 0, 'bash', '"{\"cmd\":\"cat src/retry.ts\"}"', NULL),
		('p2', 92, 's', 'tool', 0, 'exec', '{"command":"make retry","timeout":30}', NULL),
		('p3', 92, 's', 'tool', 1, 'exec', NULL, '"one: retry later"')`)
	d := viewtest.DriveFile(t, path)
	searchFor(d, "retry")
	d.Sees("[bash] cat src/retry.ts", "[exec] make retry", "↳ one: retry later", "┃ make retry")
	d.Misses("cmd", "\\\"")
	d.Press("ctrl+u")
	d.Write("role:assistant kind:message")
	d.Sees("2 hits", "[bash] cat src/retry.ts", "┃ [exec] make retry")
	d.Press("enter")
	d.Sees("[bash] cat src/retry.ts", "[exec] make retry  ↳ one: retry la")
}
