package memory

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/work"
)

// section is a part of the list.
type section int

const (
	sectionHooks section = iota
	sectionFiles
	sectionWork
	sectionLedger
	sections
)

// row is the head of a section, or a row in it.
type row struct {
	section section
	isHead  bool
	isOpen  bool // Of a head: its rows are listed.
	key     string
	what    string
	note    string
	mark    mark
	at      time.Time
	facts   [][2]string // For the text beside the list: a name and a value.

	conversation int64    // 0 is none.
	summaries    []string // That were handed over.
}

// mark says how bad a row is.
type mark int

const (
	good mark = iota
	warning
	bad
)

func (r *row) id() string { return views.Itoa(int64(r.section)) + " " + r.key }

// text returns what the filter searches.
func (r *row) text() string { return r.what + " " + r.note }

// rows returns the head of a section and its rows.
func (s *state) rows(of section, now time.Time) (head *row, inside []*row) {
	switch of {
	case sectionHooks:
		head, inside = s.hookRows()
	case sectionFiles:
		head, inside = s.fileRows(now)
	case sectionWork:
		head, inside = s.workRows(now)
	default:
		head, inside = s.ledgerRows()
	}
	head.isHead = true
	for _, r := range append(inside, head) {
		r.section = of
	}
	return head, inside
}

// hookRows lists when each hook ran last.
func (s *state) hookRows() (head *row, inside []*row) {
	failed := 0
	head = &row{what: "Hooks", note: "none ran yet: lcm-tui status"}
	for _, h := range s.hooks {
		r := &row{
			key: h.Client + " " + h.Event, what: h.Client + " " + h.Event, note: "in " + views.Itoa(h.Milliseconds) + " ms", at: parsed(h.At), conversation: s.ids[h.Session],
			facts: [][2]string{
				{"client", h.Client},
				{"event", h.Event},
				{"last", h.At},
				{"session", h.Session},
				{"took", views.Itoa(h.Milliseconds) + " ms"},
				{"outcome", h.Outcome},
				{"ran", plural.Count(int(h.Times), "time", "times") + ", " + views.Itoa(h.Failures) + " failed"},
			},
		}
		if h.Outcome != "ok" {
			r.mark, r.note = bad, h.Outcome
			failed++
		}
		if inside = append(inside, r); r.at.After(head.at) {
			head.at = r.at
		}
	}
	if len(inside) > 0 {
		head.note = plural.Count(len(inside), "event has", "events have") + " come"
		if failed > 0 {
			head.mark, head.note = bad, plural.Count(failed, "hook", "hooks")+" failed the last time"
		}
	}
	return head, inside
}

// soon is how long before its end an unsaved session file is named.
const soon = 7 * 24 * time.Hour

// fileRows lists the session files.
func (s *state) fileRows(now time.Time) (head *row, inside []*row) {
	behind, dying, leftOut := 0, 0, 0
	head = &row{what: "Session files", note: "no client keeps any here"}
	for i := range s.files {
		f := &s.files[i]
		name := filepath.Base(f.Path)
		r := &row{
			key: f.Path, what: f.client + " " + name, note: "saved", at: f.ModTime, conversation: f.conversation,
			facts: [][2]string{{"client", f.client}, {"file", views.ShortenHome(f.Path)}, {"size", ui.Size(f.Size)}, {"saved", ui.Size(f.saved)}, {"written", ui.Timestamp(f.ModTime)}},
		}
		dies := f.dies()
		if !dies.IsZero() {
			r.facts = append(r.facts, [2]string{"deleted", "by its client after " + ui.Timestamp(dies)})
		}
		switch {
		case f.isWhole():
		case f.leftOut != "":
			leftOut++
			r.note = "left out"
			r.facts = append(r.facts, [2]string{"left out", "on purpose: " + f.leftOut})
		case !dies.IsZero() && dies.Sub(now) < soon:
			dying++
			r.mark, r.note = bad, "unsaved, dies "+untilText(dies.Sub(now))
		case f.saved == 0:
			r.mark, r.note = warning, "unsaved"
		default:
			r.mark, r.note = warning, ui.Size(f.Size-f.saved)+" unsaved"
		}
		if r.mark != good {
			behind++
		}
		if inside = append(inside, r); f.ModTime.After(head.at) {
			head.at = f.ModTime
		}
	}
	switch n := len(inside); {
	case dying > 0:
		head.mark, head.note = bad, plural.Count(dying, "dies", "die")+" unsaved within 7 days"
	case behind > 0:
		head.mark, head.note = warning, ui.Num(int64(behind))+" of "+plural.Count(n, "file", "files")+" not saved whole"
	case n > leftOut:
		head.note = plural.Count(n-leftOut, "file, saved", "files, all saved")
	case n > 0:
		head.note = "nothing to save"
	}
	if leftOut > 0 {
		head.note += ", " + ui.Num(int64(leftOut)) + " left out"
	}
	return head, inside
}

func untilText(left time.Duration) string {
	if left < 24*time.Hour {
		return "within a day"
	}
	return "in " + plural.Count(int(left/(24*time.Hour)), "day", "days")
}

// workRows lists the jobs: those that wait first.
func (s *state) workRows(now time.Time) (head *row, inside []*row) {
	waiting, failed := 0, 0
	head = &row{what: "Work", note: "nothing waits"}
	for i := range s.jobs {
		j := &s.jobs[i]
		r := &row{
			key: views.Itoa(j.ID), what: string(j.Kind) + " of #" + views.Itoa(j.Conversation), note: jobNote(j, now), at: parsed(views.FirstNonEmpty(j.FinishedAt, j.RequestedAt)),
			conversation: j.Conversation,
			facts: [][2]string{
				{"job", views.Itoa(j.ID)},
				{"because of", string(j.Reason)},
				{"state", string(j.State)},
				{"requested", j.RequestedAt},
				{"not before", j.NotBefore},
				{"attempts", views.Itoa(int64(j.Attempts))},
				{"finished", j.FinishedAt},
				{"did", j.Result},
				{"error", j.Error},
			},
		}
		switch j.State {
		case work.Failed:
			failed++
			r.mark = bad
		case work.Queued:
			waiting++
			if j.Error != "" {
				r.mark = warning
			}
		}
		if inside = append(inside, r); r.at.After(head.at) {
			head.at = r.at
		}
	}
	if waiting > 0 {
		head.note = plural.Count(waiting, "job waits", "jobs wait")
	}
	if failed > 0 {
		head.mark = warning
		head.note += ", " + plural.Count(failed, "job", "jobs") + " failed"
	}
	return head, inside
}

// jobNote says how far a job is, and what it did.
func jobNote(j *work.Job, now time.Time) string {
	note := string(j.State)
	if at := parsed(j.NotBefore); j.State == work.Queued && at.After(now) {
		note = "waits until " + at.In(now.Location()).Format("15:04")
	}
	return strings.TrimSuffix(note+": "+views.FirstNonEmpty(j.Error, j.Result), ": ")
}

// ledgerRows lists what was handed to sessions.
func (s *state) ledgerRows() (head *row, inside []*row) {
	characters := 0
	head = &row{what: "Recalled", note: "nothing handed over yet"}
	for i, in := range s.ledger {
		characters += in.Characters
		inside = append(inside, &row{
			key: views.Itoa(int64(i)) + " " + in.At, what: in.Client + " " + in.Event, at: parsed(in.At), conversation: s.ids[in.Session], summaries: in.IDs,
			note:  ui.Num(int64(in.Characters)) + " characters, " + plural.Count(len(in.IDs), "id", "ids"),
			facts: [][2]string{{"client", in.Client}, {"event", in.Event}, {"at", in.At}, {"session", in.Session}, {"characters", ui.Num(int64(in.Characters))}, {"ids", strings.Join(in.IDs, " ")}},
		})
	}
	if len(inside) > 0 {
		head.at = inside[0].at
		head.note = ui.Num(int64(characters)) + " characters in the last " + plural.Count(len(inside), "time", "times")
	}
	return head, inside
}

func (v *Memory) columns(width int) views.Columns {
	return views.Lay([]views.Column{
		{Title: "what"},
		{Title: "state", Width: max(12, width/2-4)},
		{Title: "last", Width: 6, Right: true, From: 50},
	}, width)
}

func (v *Memory) render(r *row, width int, _ bool) string {
	s := v.env.Styles
	return v.columns(width).Line(func(title string) string {
		switch title {
		case "what":
			switch {
			case r.isHead && r.isOpen:
				return s.Title.Render("▾ " + r.what)
			case r.isHead:
				return s.Title.Render("▸ " + r.what)
			}
			return "  " + ui.Line(r.what)
		case "state":
			switch note := ui.Line(r.note); r.mark {
			case bad:
				return s.Bad.Render("! " + note)
			case warning:
				return s.Warn.Render("~ " + note)
			default:
				return s.Muted.Render(note)
			}
		}
		if r.at.IsZero() {
			return ""
		}
		return s.Muted.Render(views.Ago(r.at, v.env.Now()))
	})
}

// about explains the sections.
var about = map[section]string{
	sectionHooks:  "A hook is a call of lcm-tui by a coding agent: at the start of a session, before a compaction, after an answer, at the end. What fails there is no problem of the agent's turn; the next hook catches up.",
	sectionFiles:  "Agents write what is said into session files, and some delete them after a time. What is saved stays in the database, word for word.",
	sectionWork:   "Hooks ask for compactions and for promotions. They run by themselves within the limits of a day, and each is a record that can be undone.",
	sectionLedger: "What sessions got of the memory, and when. Nothing is handed over twice between two compactions. The ids open with enter.",
}

// describe says all that is known of a row.
func (v *Memory) describe(r *row, _ views.NoDetail, width int) string {
	s := v.env.Styles
	var b strings.Builder
	write := func(text string) { b.WriteString(ansi.Wrap(text, max(1, width), " ") + "\n") }
	b.WriteString(s.Title.Render(ui.Line(r.what)) + "\n\n")
	if r.isHead {
		write(about[r.section])
		b.WriteString("\n")
		write(s.Muted.Render(ui.Line(r.note)))
		return b.String()
	}
	for _, f := range r.facts {
		if f[1] != "" {
			write(s.Muted.Render(f[0]+" ") + ui.Line(f[1]))
		}
	}
	return b.String()
}
