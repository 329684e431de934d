package views

import (
	"strings"

	"lcm-tui/engine/integrity"
	"lcm-tui/ui"
)

// healthRow is a row of the health screen: a symptom, a fault, or one finding.
type healthRow struct {
	key     string
	symptom string
	fault   integrity.Fault     // Empty for a symptom.
	finding *integrity.Finding  // Nil but for a finding.
	list    []integrity.Finding // All that it stands for.
	open    bool
}

func (a *healthRow) id() string { return a.key }

// ref is what y copies.
func (a *healthRow) ref() string {
	if a.finding != nil && a.finding.Row != "" {
		return a.finding.Row
	}
	return first(string(a.fault.ID), a.symptom)
}

func (a *healthRow) text() string {
	out := []string{a.symptom, string(a.fault.ID), a.fault.Title}
	if a.finding != nil {
		out = append(out, a.finding.Row, a.finding.Detail, "#"+itoa(a.finding.Conversation))
	}
	return strings.Join(out, " ")
}

// single is the one finding that it stands for, or nil.
func (a *healthRow) single() *integrity.Finding {
	if a.finding == nil && len(a.list) == 1 {
		return &a.list[0]
	}
	return a.finding
}

// faults are those of its faults that can be mended.
func (a *healthRow) faults() (ids []integrity.FaultID) {
	seen := map[integrity.FaultID]bool{}
	for _, f := range a.list {
		page, _ := integrity.Lookup(f.Fault)
		if page.RepairKind != integrity.NoRepair && !seen[f.Fault] {
			seen[f.Fault] = true
			ids = append(ids, f.Fault)
		}
	}
	return ids
}

// set makes the rows anew, from what was found and what is unfolded.
func (v *Health) set() {
	var rows []*healthRow
	for _, d := range integrity.Symptoms() {
		list := d.Of(v.found.Findings)
		if len(list) == 0 {
			continue
		}
		head := &healthRow{key: d.Title, symptom: d.Title, list: list, open: !v.open[d.Title]} // Unfolded unless one folds it.
		rows = append(rows, head)
		for head.open && len(list) > 0 {
			n := 1
			for n < len(list) && list[n].Fault == list[0].Fault {
				n++
			}
			rows = append(rows, v.faultRows(d.Title, list[:n])...)
			list = list[n:]
		}
	}
	v.list.SetItems(rows)
}

// faultRows are the row of a fault and, unfolded, those of its findings.
func (v *Health) faultRows(symptom string, list []integrity.Finding) []*healthRow {
	page, _ := integrity.Lookup(list[0].Fault)
	key := string(page.ID)
	rows := []*healthRow{{key: key, symptom: symptom, fault: page, list: list, open: v.open[key]}}
	if !v.open[key] {
		return rows
	}
	for i := range list {
		rows = append(rows, &healthRow{
			key: key + " " + itoa(int64(i)), symptom: symptom, fault: page, finding: &list[i], list: list[i : i+1],
		})
	}
	return rows
}

// render draws one row.
func (v *Health) render(a *healthRow, width int, _ bool) string {
	s := v.env.Styles
	switch {
	case a.finding != nil:
		return ui.Cut("      "+v.place(a.finding)+"  "+ui.LineN(a.finding.Detail, width), width)
	case a.fault.ID == "":
		return ui.Cut(s.Title.Render(fold(a)+" "+a.symptom)+"  "+v.tally(a.list), width)
	}
	worst := integrity.Worst(a.list)
	count := s.Muted.Render("×" + ui.Num(int64(len(a.list))))
	line := "  " + s.Muted.Render(fold(a)) + " " + v.sign(worst) + " " + string(a.fault.ID) + "  " + ui.Line(a.fault.Title)
	return ui.Pad(ui.Cut(line, max(1, width-8)), max(1, width-8)) + ui.PadLeft(count, 8)
}

func fold(a *healthRow) string {
	if a.open {
		return "▾"
	}
	return "▸"
}

// sign stands before what has a severity, in its colour.
func (v *Health) sign(w integrity.Severity) string {
	s := v.env.Styles
	switch w {
	case integrity.Fatal, integrity.Error:
		return s.Bad.Render("!")
	case integrity.Warn:
		return s.Warn.Render("~")
	}
	return s.Muted.Render("·")
}

// tally is how many findings of each severity there are.
func (v *Health) tally(list []integrity.Finding) string {
	var n integrity.Counts
	for _, f := range list {
		n.Add(f.Severity)
	}
	return countsLine(v.env.Styles, n)
}

// countsLine is so many findings of each severity.
func countsLine(s *ui.Styles, n integrity.Counts) string {
	var out []string
	if k := n.Fatal; k > 0 {
		out = append(out, s.Bad.Render("! "+ui.Num(int64(k))+" fatal"))
	}
	if k := n.Error; k > 0 {
		out = append(out, s.Bad.Render("! "+ui.Count(int64(k), "error", "errors")))
	}
	if k := n.Warn; k > 0 {
		out = append(out, s.Warn.Render("~ "+ui.Count(int64(k), "warning", "warnings")))
	}
	if k := n.Info; k > 0 {
		out = append(out, s.Muted.Render("· "+ui.Count(int64(k), "note", "notes")))
	}
	return strings.Join(out, "  ")
}

// place is where a finding is.
func (v *Health) place(f *integrity.Finding) string {
	where := ui.LineN(f.Row, 24)
	switch {
	case strings.HasPrefix(where, "sum_"):
		where = shortID(f.Row, idInList)
	case f.Table == "messages":
		where = "message " + where
	case f.Table == "context_items":
		where = "place " + where
	case f.Table == "conversations":
		return "conversation " + where
	}
	if v.tab == nil && f.Conversation != 0 {
		where = "#" + itoa(f.Conversation) + " " + where
	}
	return where
}
