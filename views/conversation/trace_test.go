package conversation

import (
	"strings"
	"testing"

	"lcm-tui/engine/provenance"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// TestWhereAMessageWent: from a message up its ladder into the context, and back.
func TestWhereAMessageWent(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Open(2, views.TabMessages)
	d.Press("g", "w")
	d.Sees("where message 88 went", "● msg:", "└─ d0 sum_", "in context at 0")
	d.Golden()
	d.Press("G", "enter")
	if c, ok := d.App.Top().(*Context); !ok {
		t.Fatalf("enter opened %T", d.App.Top())
	} else if r, _ := c.List.Selected(); r.Ordinal != 0 {
		t.Errorf("the cursor is on place %d", r.Ordinal)
	}
	d.Press("esc")
	d.Sees("where message 88 went")
	d.Press("s")
	if _, ok := d.App.Top().(*Summaries); !ok {
		t.Errorf("s opened %T", d.App.Top())
	}
	d.Press("esc", "g", "enter")
	if _, ok := d.App.Top().(*Messages); !ok {
		t.Errorf("enter on the message opened %T", d.App.Top())
	}
	d.Press("esc", "esc")
	if _, ok := d.App.Top().(*Messages); !ok {
		t.Errorf("esc went back to %T", d.App.Top())
	}
}

// TestSourcesOfASummary: from a sentence to its message, where the same words are marked, and
// back to the same sentence.
func TestSourcesOfASummary(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, testdb.Sample(t, fakehost.Head))
	summaries := d.Open(1, views.TabSummaries).(*Summaries)
	summaries.show("sum_abf4af7a674beccb")
	d.Press("w")
	d.Sees("2 sentences from 8 messages", "1 copied", "1 strong", "audit_old")
	d.Golden()
	d.Press("down", "enter")
	messages, ok := d.App.Top().(*Messages)
	if !ok {
		t.Fatalf("enter opened %T", d.App.Top())
	}
	if m, _ := messages.List.Selected(); m.ID != 7 || !strings.Contains(messages.needle, "audit_old, tmp_refunds") {
		t.Errorf("the cursor is on message %d, %q is marked", m.ID, messages.needle)
	}
	d.Press("esc")
	if messages == d.App.Top() {
		d.Press("esc")
	}
	trace, ok := d.App.Top().(*SummaryTrace)
	if !ok {
		t.Fatalf("esc went back to %T", d.App.Top())
	}
	if r, _ := trace.List.Selected(); r.Confidence != provenance.Copied {
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
		"sources gone": {"DELETE FROM summary_messages", views.TabSummaries, []string{"w"}, "its sources are gone"},
		"in nothing":   {"DELETE FROM context_items", views.TabMessages, []string{"g", "w"}, "the agent has lost it"},
		"cycle": {
			"INSERT INTO summary_parents (summary_id, parent_summary_id, ordinal) SELECT parent_summary_id, summary_id, 99 FROM summary_parents",
			views.TabMessages,
			[]string{"g", "w"},
			"! a cycle",
		},
		"a number of no source": {
			"UPDATE summaries SET content = 'The pool has 987654 connections in none/where.go.'", views.TabSummaries,
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
			d := viewtest.DriveFile(t, path)
			d.Open(1, c.tab)
			d.Press(c.keys...)
			d.Sees(c.want)
		})
	}
}
