package views

import (
	"strings"
	"testing"

	"lcm-tui/engine/provenance"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// TestWhereAMessageWent: from a message up its ladder into the context, and back.
func TestWhereAMessageWent(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.open(2, tabMessages)
	d.press("g", "w")
	d.sees("where message 88 went", "● msg:", "└─ d0 sum_", "in context at 0")
	d.golden()
	d.press("G", "enter")
	if c, ok := d.app.Top().(*Context); !ok {
		t.Fatalf("enter opened %T", d.app.Top())
	} else if r, _ := c.list.Selected(); r.Ordinal != 0 {
		t.Errorf("the cursor is on place %d", r.Ordinal)
	}
	d.press("esc")
	d.sees("where message 88 went")
	d.press("s")
	if _, ok := d.app.Top().(*Summaries); !ok {
		t.Errorf("s opened %T", d.app.Top())
	}
	d.press("esc", "g", "enter")
	if _, ok := d.app.Top().(*Messages); !ok {
		t.Errorf("enter on the message opened %T", d.app.Top())
	}
	d.press("esc", "esc")
	if _, ok := d.app.Top().(*Messages); !ok {
		t.Errorf("esc went back to %T", d.app.Top())
	}
}

// TestSourcesOfASummary: from a sentence to its message, where the same words are marked, and
// back to the same sentence.
func TestSourcesOfASummary(t *testing.T) {
	t.Parallel()
	d := driveFile(t, testdb.Sample(t, fakehost.Head))
	summaries := d.open(1, tabSummaries).(*Summaries)
	summaries.show("sum_abf4af7a674beccb")
	d.press("w")
	d.sees("2 sentences from 8 messages", "1 copied", "1 strong", "audit_old")
	d.golden()
	d.press("down", "enter")
	messages, ok := d.app.Top().(*Messages)
	if !ok {
		t.Fatalf("enter opened %T", d.app.Top())
	}
	if m, _ := messages.list.Selected(); m.ID != 7 || !strings.Contains(messages.needle, "audit_old, tmp_refunds") {
		t.Errorf("the cursor is on message %d, %q is marked", m.ID, messages.needle)
	}
	d.press("esc")
	if messages == d.app.Top() {
		d.press("esc")
	}
	trace, ok := d.app.Top().(*SummaryTrace)
	if !ok {
		t.Fatalf("esc went back to %T", d.app.Top())
	}
	if r, _ := trace.list.Selected(); r.Confidence != provenance.Copied {
		t.Errorf("the cursor is on %q", r.Text)
	}
}

// TestTracesOfDamage: what is missing is named, and nothing hangs.
func TestTracesOfDamage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		statement string
		tab       int
		keys      []string
		want      string
	}{
		"sources gone": {"DELETE FROM summary_messages", tabSummaries, []string{"w"}, "its sources are gone"},
		"in nothing":   {"DELETE FROM context_items", tabMessages, []string{"g", "w"}, "the agent has lost it"},
		"cycle": {
			"INSERT INTO summary_parents (summary_id, parent_summary_id, ordinal) SELECT parent_summary_id, summary_id, 99 FROM summary_parents",
			tabMessages,
			[]string{"g", "w"},
			"! a cycle",
		},
		"a number of no source": {
			"UPDATE summaries SET content = 'The pool has 987654 connections in none/where.go.'", tabSummaries,
			[]string{"w"},
			"“987654”, “none/where.go” are in no source message",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Sample(t, fakehost.Head)
			h, err := fakehost.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := h.Exec(c.statement); err != nil {
				t.Fatal(err)
			}
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			d := driveFile(t, path)
			d.open(1, c.tab)
			d.press(c.keys...)
			d.sees(c.want)
		})
	}
}
