package health

import (
	"context"
	"fmt"
	"strings"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// healthRow is a row of the health screen: a symptom, a fault, or one finding.
type healthRow struct {
	key     string
	above   string // The key of the fault's row, of a finding.
	symptom integrity.Symptom
	fault   integrity.Fault     // Empty for a symptom.
	finding *integrity.Finding  // Nil but for a finding.
	list    []integrity.Finding // All that it stands for.
	open    bool
}

func (a *healthRow) id() string { return a.key }

// ref returns what y copies.
func (a *healthRow) ref() string {
	if a.finding != nil && a.finding.Row != "" {
		return a.finding.Row
	}
	return views.FirstNonEmpty(string(a.fault.ID), a.symptom.Title)
}

func (a *healthRow) text() string {
	out := []string{a.symptom.Title, string(a.fault.ID), a.fault.Title}
	if a.finding != nil {
		out = append(out, a.finding.Row, a.finding.Detail, "#"+views.Itoa(a.finding.Conversation))
	}
	return strings.Join(out, " ")
}

// single returns the one finding that it stands for, or nil.
func (a *healthRow) single() *integrity.Finding {
	if a.finding == nil && len(a.list) == 1 {
		return &a.list[0]
	}
	return a.finding
}

// faults returns those of its faults that can be repaired.
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

// isSalvaged reports whether all that is repaired of its faults is what another file is made of.
func (a *healthRow) isSalvaged() bool {
	faults := a.faults()
	return len(faults) == 1 && faults[0] == integrity.PagesDamaged
}

// set makes the rows from what was found and what is unfolded, the worst first. The cursor
// stays on its row.
func (v *Health) set() {
	var rows []*healthRow
	for _, group := range v.found.BySymptom() {
		key := string(group.Symptom.ID)
		head := &healthRow{key: key, symptom: group.Symptom, list: group.Findings, open: !v.toggled[key]}
		rows = append(rows, head)
		for _, fault := range group.Faults {
			if head.open {
				rows = append(rows, v.faultRows(group.Symptom, fault)...)
			}
		}
	}
	v.List.SetItems(rows)
}

// faultRows returns the row of a fault and, unfolded, those of its findings.
func (v *Health) faultRows(symptom integrity.Symptom, group integrity.FaultFindings) []*healthRow {
	key := string(symptom.ID) + " " + string(group.Fault.ID)
	open := showsFindings(group.Findings) != v.toggled[key]
	rows := []*healthRow{{key: key, symptom: symptom, fault: group.Fault, list: group.Findings, open: open}}
	if !open {
		return rows
	}
	for i := range group.Findings {
		f := &group.Findings[i]
		rows = append(rows, &healthRow{
			key: fmt.Sprint(key, " ", f.Conversation, " ", f.Table, " ", f.Row, " ", i), above: key,
			symptom: symptom, fault: group.Fault, finding: f, list: group.Findings[i : i+1],
		})
	}
	return rows
}

// mostUnfolded is how many findings of a fault are shown before the user unfolds it.
const mostUnfolded = 6

// showsFindings reports whether the findings of a fault are unfolded at first: they are few,
// and more than good to know.
func showsFindings(list []integrity.Finding) bool {
	return len(list) <= mostUnfolded && integrity.Worst(list).AtLeast(integrity.Warn)
}

// render draws one row.
func (v *Health) render(a *healthRow, width int, _ bool) string {
	s := v.env.Styles
	switch {
	case a.finding != nil:
		return ui.Cut("      "+v.sign(a.finding.Severity)+" "+v.place(a.finding)+"  "+s.Muted.Render(ui.LineN(v.env.WithNames(a.finding.Detail), width)), width)
	case a.fault.ID == "":
		return ui.Cut(s.Title.Render(fold(a)+" "+a.symptom.Title)+"  "+v.tally(a.list), width)
	}
	count := s.Muted.Render(string(a.fault.ID) + " ×" + ui.Num(int64(len(a.list))))
	line := "  " + s.Muted.Render(fold(a)) + " " + v.sign(integrity.Worst(a.list)) + " " + ui.Line(a.fault.Title)
	return ui.Pad(ui.Cut(line, max(1, width-12)), max(1, width-12)) + ui.PadLeft(count, 12)
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

// tally returns how many findings of each severity there are.
func (v *Health) tally(list []integrity.Finding) string {
	var n integrity.Counts
	for _, f := range list {
		n.Add(f.Severity)
	}
	return countsLine(v.env.Styles, n)
}

// countsLine returns so many findings of each severity.
func countsLine(s *ui.Styles, n integrity.Counts) string {
	var out []string
	if k := n.Fatal; k > 0 {
		out = append(out, s.Bad.Render("! "+ui.Num(int64(k))+" fatal"))
	}
	if k := n.Error; k > 0 {
		out = append(out, s.Bad.Render("! "+plural.Count(k, "error", "errors")))
	}
	if k := n.Warn; k > 0 {
		out = append(out, s.Warn.Render("~ "+plural.Count(k, "warning", "warnings")))
	}
	if k := n.Info; k > 0 {
		out = append(out, s.Muted.Render("· "+plural.Count(k, "note", "notes")))
	}
	return strings.Join(out, "  ")
}

// place returns where a finding is: the conversation by its name, where the screen is about
// several, and the row in words with its date.
func (v *Health) place(f *integrity.Finding) string {
	return v.env.FindingPlace(v.places, f, v.tab == nil)
}

// side returns a row for people: what it is, and what it says.
func side(ctx context.Context, e *views.Env, table, row string) (heading, text string, err error) {
	switch table {
	case "messages":
		m, err := lcm.ReadMessage(ctx, e.DB, views.RowID(row))
		if err != nil {
			return "", "", err
		}
		return fmt.Sprintf("message %d  #%d  %s  %s  %s", m.ID, m.Seq, m.Role, m.CreatedAt.Raw, plural.Count(len(m.Parts), "part", "parts")), m.Content, nil
	case "summaries", "summary_parents", "summary_messages":
		s, err := lcm.ReadSummary(ctx, e.DB, row)
		return fmt.Sprintf("%s  d%d  %s – %s", s.ID, s.Depth, s.EarliestAt.Raw, s.LatestAt.Raw), s.Content, err
	case "conversations", "conversation_bootstrap_state":
		c, err := lcm.ReadConversation(ctx, e.DB, views.RowID(row))
		if err != nil {
			return "", "", err
		}
		n, err := lcm.ReadStats(ctx, e.DB, c.ID)
		state := "archived " + c.ArchivedAt.Raw
		if c.Active {
			state = "active"
		}
		return fmt.Sprintf("conversation %d  %s", c.ID, state), fmt.Sprintf("%s\nbegun %s\n%s, %s in the context",
			c.Name(), c.CreatedAt.Raw, plural.Count(n.Messages, "message", "messages"), ui.Tokens(n.ContextTokens)), err
	}
	return table + " " + row, "", nil
}
