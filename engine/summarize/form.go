package summarize

import (
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
)

// Form is how source texts are written.
type Form struct {
	// Zone is that of the times in it; nil is UTC.
	Zone *time.Location
	// StripTags name the blocks that the host's plugins put into messages and
	// that aren't the user's words: <tag>…</tag> is left out.
	StripTags []string
	// Untimed leaves out the times of messages and sources.
	Untimed bool
}

// DefaultStripTags returns the reference engine's.
func DefaultStripTags() []string {
	return []string{"active_memory_plugin", "relevant-memories", "relevant_memories", "hindsight_memories"}
}

// Leaf returns the text that a leaf is made of: each message below its time and role,
// with a blank line between. Messages without text are left out, so it is empty
// when all of them are.
func (f Form) Leaf(messages []lcm.Message) string {
	var out []string
	for _, m := range messages {
		if body := f.Body(m); body != "" {
			out = append(out, f.heading(m)+"\n"+body)
		}
	}
	return strings.Join(out, "\n\n")
}

// Condensed returns the text that a condensed summary is made of: each source below
// the stretch of time that it covers. Blank ones are left out.
func (f Form) Condensed(sources []lcm.Summary) string {
	var out []string
	for _, s := range sources {
		if text := f.Summary(s.Content); text != "" {
			if !f.Untimed {
				text = "[" + f.Range(s) + "]\n" + text
			}
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n\n")
}

// Summary returns the text of a stored summary as a model sees it: cleaned as a message, and without
// reasoning.
func (f Form) Summary(content string) string { return summaryText.of(content) }

// Range returns the stretch of time that a summary covers, as it stands above its text.
func (f Form) Range(s lcm.Summary) string {
	return f.stamp(orCreated(s.EarliestAt, s)) + " - " + f.stamp(orCreated(s.LatestAt, s))
}

func orCreated(t data.Time, s lcm.Summary) time.Time {
	if t.Valid() {
		return t.Time
	}
	return s.CreatedAt.Time
}

// heading returns the line above a message. Who spoke is the host's note, which a user
// may have had a hand in, and says so.
func (f Form) heading(m lcm.Message) string {
	var notes []string
	if !f.Untimed {
		notes = append(notes, f.stamp(m.CreatedAt.Time))
	}
	if m.Role != "" {
		notes = append(notes, m.Role)
	}
	if s := jstext.Decode(trim(m.Sender)); s != "" && m.Role == "user" {
		notes = append(notes, assemble.SenderLabel+s)
	}
	if len(notes) == 0 {
		notes = []string{"unknown"}
	}
	return "[" + strings.Join(notes, " | ") + "]"
}
