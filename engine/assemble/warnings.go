package assemble

import (
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
)

// maxWarnings is how many warnings are listed one by one.
const maxWarnings = 50

// warnings collects what is wrong with rows.
type warnings struct {
	texts []string
	more  int
}

func (w *warnings) addf(format string, args ...any) {
	if len(w.texts) == maxWarnings {
		w.more++
		return
	}
	w.texts = append(w.texts, fmt.Sprintf(format, args...))
}

// join appends what was collected elsewhere.
func (w *warnings) join(others warnings) {
	for _, texts := range others.texts {
		w.addf("%s", texts)
	}
	w.more += others.more
}

// omit leaves out an item that was deleted meanwhile or can't be read.
func (w *warnings) omit(it *item, what string) {
	it.gone = true
	w.addf("%s can't be read and is left out", what)
}

func (w *warnings) list() []string {
	if w.more > 0 {
		return append(w.texts, fmt.Sprintf("and %d more like these", w.more))
	}
	return w.texts
}

// turn warns of cells of a message that can't be understood.
func (w *warnings) turn(t *lcm.RawMessage, parts []part) {
	if t.Content.Blob {
		w.addf("message %d: its content is a BLOB, shown as text", t.ID)
	}
	for i := range parts {
		p := &parts[i]
		if !p.Metadata.Null && !p.meta.IsObject() {
			w.addf("message %d: the metadata of part %d are no JSON object, so it is rebuilt from its columns", t.ID, p.Ordinal)
		}
		for _, s := range []*data.Stored{&p.Text, &p.ToolInput, &p.ToolOutput} {
			if s.Blob {
				w.addf("message %d: part %d holds a BLOB, shown as text", t.ID, p.Ordinal)
			}
		}
	}
}

// sender warns of a sender that can't be understood.
func (w *warnings) sender(t *lcm.RawMessage, sender jstext.Value) {
	if !t.Sender.Null && !sender.IsObject() {
		w.addf("message %d: who sent it is no JSON object, so it is left out", t.ID)
	}
}

// summary warns of times that can't be understood: the reference engine would assemble
// nothing at all.
func (w *warnings) summary(s *lcm.Summary) {
	w.time("summary "+s.ID, "earliest_at", s.EarliestAt)
	w.time("summary "+s.ID, "latest_at", s.LatestAt)
}

func (w *warnings) brief(b *lcm.FocusBrief) {
	w.time("focus brief "+b.ID, "created_at", b.CreatedAt)
	w.time("focus brief "+b.ID, "covered_latest_at", b.CoveredAt)
}

func (w *warnings) time(what, column string, t data.Time) {
	if !t.Null && t.Raw != "" && !t.Valid() {
		w.addf("%s: %s is no time, so it is left out", what, column)
	}
}
