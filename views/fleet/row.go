package fleet

import (
	"cmp"
	"math"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/engine/integrity"
	"lcm-tui/fleet"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// id tells a row from the others: a machine may have a copy here and a source in a replica.
func (r *row) id() string { return r.Replica + " " + r.Name }

// text returns what the filter searches.
func (r *row) text() string { return r.Name + " " + r.Place() + " " + r.Replica + " " + r.Error }

// bytes returns the size of the newest copy, -1 where there is none.
func (r *row) bytes() int64 {
	if r.Newest == nil {
		return -1
	}
	return r.Newest.Bytes
}

// grew returns how much larger the newest copy is than the one before; where that isn't known it is less than any.
func (r *row) grew() int64 {
	if grew, ok := r.Grew(); ok {
		return grew
	}
	return math.MinInt64
}

// damageRank orders machines by how bad their copies are.
func (r *row) damageRank() int {
	switch h := r.Health; {
	case h == nil:
		return -1
	case h.Error != "":
		return 1 << 40
	default:
		return (h.Counts.Fatal+h.Counts.Error)<<20 + h.Counts.Warn
	}
}

func (v *Fleet) columns(width int) views.Columns {
	if len(v.copies)+len(v.sources) == 0 {
		return nil // How to begin stands there.
	}
	return views.Lay([]views.Column{
		{Title: " ", Width: 1},
		{Title: "machine"},
		{Title: "place", Width: 24, From: 96},
		{Title: "size", Width: 8, Right: true, From: 48},
		{Title: "growth", Width: 9, Right: true, From: 66},
		{Title: "health", Width: 12, From: 34},
		{Title: "plans", Width: 5, Right: true, From: 84},
		{Title: "last try", Width: 8, From: 58},
		{Title: "age", Width: 7, Right: true},
	}, width)
}

func (v *Fleet) render(r *row, width int, _ bool) string {
	columns := v.columns(width)
	return columns.Line(func(title string) string { return v.cell(r, title, columns.Width(title)) })
}

func (v *Fleet) cell(r *row, title string, width int) string {
	s := v.env.Styles
	switch title {
	case " ":
		switch {
		case v.marked[r.Name] && !r.IsSource():
			return s.Accent.Render(views.MarkSign)
		case v.isOpen(r):
			return s.Good.Render("●")
		}
	case "machine":
		return ui.CutMiddle(ui.Line(r.Name), width)
	case "place":
		return s.Muted.Render(ui.CutMiddle(ui.Line(r.Place()), width))
	case "size":
		if r.Newest == nil || r.HasDeleted {
			return s.Muted.Render("–")
		}
		return ui.Size(r.Newest.Bytes)
	case "growth":
		return s.Muted.Render(growthCell(r))
	case "health":
		return v.healthCell(r)
	case "plans":
		return v.plansCell(r)
	case "last try":
		return v.tryCell(r)
	case "age":
		return s.Muted.Render(views.FirstNonEmpty(views.Ago(r.CheckedAt, v.env.Now()), "–"))
	}
	return ""
}

func growthCell(r *row) string {
	grew, ok := r.Grew()
	switch {
	case !ok:
		return "–"
	case grew == 0:
		return "="
	case grew < 0:
		return "-" + ui.Size(-grew)
	}
	return "+" + ui.Size(grew)
}

// healthCell says in two words what is known of a copy's health.
func (v *Fleet) healthCell(r *row) string {
	s := v.env.Styles
	switch h := r.Health; {
	case r.Path == "":
		return s.Muted.Render("  no copy")
	case r.HasDeleted:
		return s.Muted.Render("  deleted")
	case h == nil && r.IsSource():
		return s.Faint.Render("· unchecked")
	case h == nil && v.env.Jobs.Running(v, unaskedJob) && v.failed[r.Path]:
		return s.Faint.Render("· checking")
	case h == nil:
		return s.Faint.Render("· unchecked")
	case h.Error != "":
		return s.Bad.Render("! unreadable")
	case h.Counts.Fatal+h.Counts.Error > 0:
		return s.Bad.Render("! " + plural.Count(h.Counts.Fatal+h.Counts.Error, "error", "errors"))
	case h.Counts.Warn > 0:
		return s.Warn.Render("~ " + plural.Count(h.Counts.Warn, "warning", "warnings"))
	}
	return s.Muted.Render("  ok")
}

// plansCell says how many plans were sent home, and whether the newest was written.
func (v *Fleet) plansCell(r *row) string {
	if len(r.Orders) == 0 {
		return ""
	}
	n := ui.Num(int64(len(r.Orders)))
	if r.Orders[0].Outcome != fleet.Applied {
		return v.env.Styles.Warn.Render("~ " + n)
	}
	return n
}

// tryCell says what became of the last try to fetch a copy.
func (v *Fleet) tryCell(r *row) string {
	s := v.env.Styles
	switch {
	case r.IsSource() && r.CheckedAt.IsZero():
		return s.Warn.Render("~ begun")
	case r.IsSource():
		return s.Muted.Render("  synced")
	case r.Error != "":
		return s.Bad.Render("! failed")
	case r.TriedAt.IsZero():
		return s.Muted.Render("  never")
	}
	return s.Muted.Render("  ok")
}

// header asks for a machine; else it says how many there are, or how to begin.
func (v *Fleet) header(width, _ int) []string {
	s := v.env.Styles
	switch {
	case v.add.Typing():
		out := []string{" " + v.add.View(width-1)}
		for _, l := range views.WrapAtMost("such as: box me@box.example · box box:/srv/agent/lcm.db · nas /mnt/nas/agent", max(1, width-1), views.StateLines) {
			out = append(out, s.Muted.Render(" "+strings.TrimLeft(l, " ")))
		}
		return out
	case !v.loaded:
		return []string{"", ""}
	case len(v.copies)+len(v.sources) == 0:
		return v.beginning(width)
	}
	failed, damaged, size := 0, 0, int64(0)
	for _, r := range v.copies {
		if r.Error != "" {
			failed++
		}
		if r.damageRank() >= 1<<20 {
			damaged++
		}
		size += max(0, r.bytes())
	}
	if len(v.copies) == 0 {
		return []string{ui.Cut(v.sourcesText(), width), ""}
	}
	text := s.Muted.Render(" " + plural.Count(len(v.copies), "machine", "machines") + ", " + ui.Size(size))
	if damaged > 0 {
		text += s.Bad.Render("   ! " + plural.Count(damaged, "copy has errors", "copies have errors"))
	}
	if failed > 0 {
		text += s.Warn.Render("   ~ " + plural.Count(failed, "machine", "machines") + " could not be asked")
	}
	if n := len(v.marked); n > 0 {
		text += s.Accent.Render("   " + views.MarkSign + " " + ui.Num(int64(n)) + " marked")
	}
	return []string{ui.Cut(text, width), ui.Cut(v.sourcesText(), width)}
}

// beginning tells how to begin where no machine is known.
func (v *Fleet) beginning(width int) []string {
	s := v.env.Styles
	out := []string{"", " " + s.Title.Render("No machine is known yet"), ""}
	for _, text := range []string{
		"Copies of the databases of other machines can be kept here, to read, search and check them in one place.",
		s.Key.Render("a") + "  adds a machine: a name, and a host as ssh knows it; or a folder that is mounted here.",
		s.Key.Render("p") + "  then fetches the copy. Later only what changed is fetched.",
		"ssh has to work without a question: a key in the agent, and a host that is known. No password is asked for.",
		"The other machine needs lcm-tui, or at least sqlite3.",
		"The databases of a replica in PostgreSQL are listed here too, where LCM_DATABASE_URL or [targets] of config.toml names it.",
	} {
		for line := range strings.SplitSeq(ansi.Wrap(text, max(20, width-4), " "), "\n") {
			out = append(out, "  "+line)
		}
	}
	return append(out, ui.Cut(v.sourcesText(), width))
}

// describe says all that is known of a machine.
func (v *Fleet) describe(r *row, _ views.NoDetail, width int) string {
	s, now := v.env.Styles, v.env.Now()
	var b strings.Builder
	write := func(name, text string) {
		if text == "" {
			return
		}
		const room = 9
		for i, line := range strings.Split(ansi.Wrap(text, max(10, width-room), " /"), "\n") {
			if i > 0 {
				name = ""
			}
			b.WriteString(s.Muted.Render(ui.Pad(name, room)) + line + "\n")
		}
	}
	b.WriteString(s.Title.Render(ui.Line(r.Name)) + "\n\n")
	write("place", ui.Line(r.Place()))
	switch {
	case r.IsSource():
		write("replica", "in "+ui.Line(r.Replica))
		size := ui.Size(r.Newest.Bytes) + ", "
		if r.HasDeleted {
			size = ""
		}
		write("", size+r.AgeSentence(now))
		write("growth", r.GrowthSentence())
	case r.Newest == nil:
		write("copy", "none yet: p fetches it")
	default:
		write("copy", ui.Size(r.Newest.Bytes)+", "+r.AgeSentence(now))
		write("", "came "+ui.Timestamp(r.Newest.PulledAt)+", "+ui.Size(r.Newest.Packed)+" over the line")
		write("growth", r.GrowthSentence())
		write("file", "y copies its path")
	}
	if r.Error != "" {
		write("last try", s.Bad.Render("! ")+"failed "+views.When(r.TriedAt, now)+": "+ui.Line(r.Error))
		write("", s.Muted.Render(ui.Line(r.Hint)))
	} else if !r.TriedAt.IsZero() {
		write("last try", "went well "+views.When(r.TriedAt, now))
	}
	v.describeHealth(r, now, write)
	v.describePlans(r, now, write)
	return b.String()
}

// describeHealth says what a check of the copy found.
func (v *Fleet) describeHealth(r *row, now time.Time, write func(name, text string)) {
	s := v.env.Styles
	switch h := r.Health; {
	case r.Path == "":
	case r.HasDeleted:
		write("rows", "of what the host deleted from its file; nothing checks them")
	case h == nil && r.IsSource():
		write("health", "its machine hasn't checked it yet")
	case h == nil && r.bytes() > maxUnasked:
		write("health", "not checked, because the copy is large: h checks it")
	case h == nil:
		write("health", "not checked yet")
	case h.Error != "":
		write("health", s.Bad.Render("! ")+"it can't be checked: "+ui.Line(h.Error))
	default:
		write("health", views.CheckedSentence(h.Counts)+" ("+views.When(h.CheckedAt, now)+")")
		for _, f := range h.Faults {
			count := plural.Count(f.Count, "finding", "findings")
			if fault, ok := integrity.Lookup(f.Fault); ok {
				count = fault.Count(f.Count)
			}
			write("", severitySign(s, f.Severity)+" "+count+s.Muted.Render(" "+ui.Line(string(f.Fault))))
		}
	}
}

func severitySign(s *ui.Styles, severity integrity.Severity) string {
	switch severity {
	case integrity.Fatal, integrity.Error:
		return s.Bad.Render("!")
	case integrity.Warn:
		return s.Warn.Render("~")
	}
	return s.Muted.Render("·")
}

// describePlans lists the plans that were sent home.
func (v *Fleet) describePlans(r *row, now time.Time, write func(name, text string)) {
	s := v.env.Styles
	name := "plans"
	for _, o := range r.Orders {
		sign := s.Warn.Render("~ ")
		if o.Outcome == fleet.Applied {
			sign = s.Good.Render("✓ ")
		}
		text := sign + ui.Line(o.Plan) + " " + ui.Line(cmp.Or(string(o.Outcome), "unknown")) + " " + views.Ago(o.At, now)
		if o.Answer != "" {
			text += ": " + ui.Line(o.Answer)
		}
		write(name, text)
		name = ""
	}
}
