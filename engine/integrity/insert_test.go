package integrity_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lcm-tui/engine/integrity"
)

// inserted is a message of the sample's first conversation that a test adds, with one text
// part and a context item.
type inserted struct {
	id         int64 // Also its seq, and with it its position.
	role, text string
	at         string // When it was created.
	part       string // The text of its part where that isn't text.
	event      string // Its stable event key.
	more       string // More members of the metadata of its part, each behind a comma.
	noPart     bool
	hidden     bool // It has no context item.
}

// statements insert the message.
func (m inserted) statements() (out []string) {
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	event := "NULL"
	if m.event != "" {
		event = quote(m.event)
	}
	out = append(out, fmt.Sprintf(`INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at, stable_event_key)
		VALUES (%d, 1, %d, %s, %s, %d, %s, %s)`, m.id, m.id, quote(m.role), quote(m.text), len(m.text)/4+1, quote(m.at), event))
	if !m.noPart {
		text := m.text
		if m.part != "" {
			text = m.part
		}
		out = append(out, fmt.Sprintf(`INSERT INTO message_parts (part_id, message_id, session_id, part_type, ordinal, text_content, metadata)
			VALUES ('part-%d', %d, 's', 'text', 0, %s, '{"originalRole":"%s"%s}')`, m.id, m.id, quote(text), m.role, m.more))
	}
	if !m.hidden {
		out = append(out, fmt.Sprintf("INSERT INTO context_items (conversation_id, ordinal, item_type, message_id) VALUES (1, %d, 'message', %d)", m.id, m.id))
	}
	return out
}

// scene is one of many groups of messages in one file, so that many cases need one check.
// The texts of a scene occur in no other.
type scene struct {
	messages []inserted
	want     []string // What is found of its rows: "9001 error", with " decided" where nothing is to be chosen.
	more     []string // Further statements.
	rows     []string // The keys of rows that they insert.
}

// checkScenes puts all scenes into one file, and compares what a check finds in each.
func checkScenes(t *testing.T, scenes map[string]scene, faults ...integrity.FaultID) {
	t.Helper()
	var statements []string
	owner := map[string]string{}
	for name, s := range scenes {
		rows := s.rows
		for _, m := range s.messages {
			rows = append(rows, fmt.Sprint(m.id))
			statements = append(statements, m.statements()...)
		}
		for _, row := range rows {
			if other := owner[row]; other != "" {
				t.Fatalf("%q and %q both use %s", name, other, row)
			}
			owner[row] = name
		}
		statements = append(statements, s.more...)
	}
	got := map[string][]string{}
	for _, f := range check(t, altered(t, statements...), integrity.Request{Conversation: 1, Faults: faults}).Findings {
		found := f.Row + " " + string(f.Severity)
		if f.NeedsNoChoice {
			found += " decided"
		}
		name := owner[f.Row]
		got[name] = append(got[name], found)
		for _, row := range f.Rows { // A finding of many rows is of one scene.
			if owner[row] != name {
				t.Errorf("%s: the finding of %s names %s", name, f.Row, row)
			}
		}
	}
	for name, s := range scenes {
		slices.Sort(got[name])
		if !slices.Equal(got[name], s.want) {
			t.Errorf("%s: found %q, want %q", name, got[name], s.want)
		}
	}
}

// damage is what is done to the sample, and how bad a fault is then.
type damage struct {
	statements []string
	fault      integrity.FaultID
	want       integrity.Severity // Of the worst finding; empty: nothing is found.
}

// checkDamages checks a copy of the sample for each case: the first conversation, or the
// file where conversation is 0.
func checkDamages(t *testing.T, conversation int64, cases map[string]damage) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := check(t, altered(t, c.statements...), integrity.Request{Conversation: conversation, Faults: []integrity.FaultID{c.fault}})
			got := integrity.Severity("")
			if len(d.Findings) > 0 {
				got = integrity.Worst(d.Findings)
			}
			if got != c.want {
				t.Errorf("%s is %q, want %q: %+v", c.fault, got, c.want, d.Findings)
			}
		})
	}
}
