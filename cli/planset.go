package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"lcm-tui/internal/plural"
	"lcm-tui/internal/sorting"
	"lcm-tui/ops"
	"lcm-tui/ui"
)

// mostListed is how many conversations of a set the text output lists; JSON has all.
const mostListed = 40

// setText prints what a plan over many rows would do: each conversation with its rows, bytes
// and reason, what was refused, and the sizes before and after.
func (p *Printer) setText(plan ops.Plan) {
	s := plan.Set
	p.Line("selected: " + ui.Line(s.Selector))
	if plan.Empty() {
		p.Line("nothing of it qualifies")
		p.setMatching(s.Matching)
		if s.Matching == nil {
			p.refusals(plan.RefusedConversations)
		}
		return
	}
	p.Line(setRowsLine(s))
	p.setConversations(s)
	p.setFiles(s)
	if p.setMatching(s.Matching); s.Matching == nil {
		p.refusals(plan.RefusedConversations)
	}
	p.setObjects(s)
	p.Write("\n")
	if f := plan.Forecast; f != nil && f.Before > 0 {
		p.Linef("the file: %s → %s after lcm-tui reclaim (%s)", ui.Size(f.Before), ui.Size(f.After), relativeChange(f.After-f.Before, f.Before))
	}
	if s.Trash != "" {
		p.Linef("the trash: about %s in %s", ui.Size(s.TrashBytes), ui.Line(s.Trash))
	}
	if s.DiskNeeded > 0 {
		p.Linef("free disk needed: %s", ui.Size(s.DiskNeeded))
	}
}

// setRowsLine counts the rows of a set by table.
func setRowsLine(s *ops.Set) string {
	text := plural.Count(len(s.Conversations), "conversation", "conversations")
	if len(s.Conversations) == 0 {
		text = plural.Count(len(s.Files), "file", "files")
	}
	text += ", " + ui.Size(s.Bytes)
	for _, table := range slices.Sorted(maps.Keys(s.Rows)) {
		if n := s.Rows[table]; n > 0 {
			text += fmt.Sprintf(", %s of %s", plural.Count(n, "row", "rows"), table)
		}
	}
	return text
}

// setConversations lists the conversations of a set, the largest first.
func (p *Printer) setConversations(s *ops.Set) {
	if len(s.Conversations) == 0 {
		return
	}
	p.Write("\n")
	all := slices.Clone(s.Conversations)
	sorting.Stable(all, func(a, b *ops.SetConversation) int { return cmp.Compare(b.Bytes, a.Bytes) })
	columns := []Column{{Title: "id", Right: true}, {Title: "session key", Grows: true}, {Title: "state"}, {Title: "newest", Spare: true}, {Title: "rows", Right: true}, {Title: "bytes", Right: true}, {Title: "files", Right: true, Spare: true}, {Title: "why", Grows: true}}
	rows := make([][]string, 0, min(len(all), mostListed))
	for _, c := range all[:min(len(all), mostListed)] {
		var n int64
		for _, k := range c.Rows {
			n += k
		}
		newest := "–"
		if c.NewestMessage.Valid() {
			newest = c.NewestMessage.Format("2006-01-02")
		}
		rows = append(rows, []string{strconv.FormatInt(c.ID, 10), ui.Line(cmp.Or(c.Key, "–")), c.State, newest, ui.Num(n), ui.Size(c.Bytes), strconv.Itoa(c.Files), ui.Line(c.Why)})
	}
	p.Table(columns, rows)
	if n := len(all) - mostListed; n > 0 {
		p.Muted(fmt.Sprintf("and %d more; --json lists all", n))
	}
}

// setFiles lists the files of a set, the largest first.
func (p *Printer) setFiles(s *ops.Set) {
	if len(s.Files) == 0 {
		return
	}
	p.Write("\n")
	all := slices.Clone(s.Files)
	sorting.Stable(all, func(a, b *ops.SetFile) int { return cmp.Compare(b.Bytes, a.Bytes) })
	rows := make([][]string, 0, min(len(all), mostListed))
	for _, f := range all[:min(len(all), mostListed)] {
		rows = append(rows, []string{ui.Line(f.Path), f.At.Format("2006-01-02"), ui.Size(f.Bytes)})
	}
	p.Table([]Column{{Title: "file", Grows: true}, {Title: "modified"}, {Title: "bytes", Right: true}}, rows)
	if n := len(all) - mostListed; n > 0 {
		p.Muted(fmt.Sprintf("and %d more; --json lists all", n))
	}
}

// refusals lists what was selected and stays, by reason.
func (p *Printer) refusals(refused []ops.Refusal) {
	if len(refused) == 0 {
		return
	}
	p.Write("\n")
	p.Title(plural.Count(len(refused), "conversation is", "conversations are") + " left as " + plural.Noun(len(refused), "it is", "they are"))
	byReason := map[string][]int64{}
	for _, r := range refused {
		byReason[r.Reason] = append(byReason[r.Reason], r.Conversation)
	}
	for _, reason := range slices.Sorted(maps.Keys(byReason)) {
		p.Block(fmt.Sprintf("%s: %s", shortList(byReason[reason]), ui.Line(reason)))
	}
}

// shortList names up to eight conversations.
func shortList(ids []int64) (text string) {
	for i, id := range ids {
		if i == 8 {
			return text + fmt.Sprintf(" and %d more", len(ids)-i)
		}
		text += map[bool]string{false: ", "}[i == 0] + strconv.FormatInt(id, 10)
	}
	return text
}

// setObjects lists the tables and indexes that become smaller.
func (p *Printer) setObjects(s *ops.Set) {
	var rows [][]string
	for _, o := range s.Objects {
		if o.After != o.Bytes {
			rows = append(rows, []string{ui.Line(o.Name), ui.Size(o.Bytes), ui.Size(o.After)})
		}
	}
	if len(rows) > 0 {
		p.Write("\n")
		p.Table([]Column{{Title: "object", Grows: true}, {Title: "now", Right: true}, {Title: "after", Right: true}}, rows)
	}
}

// relativeChange returns a change as a share of a size.
func relativeChange(change, of int64) string {
	return fmt.Sprintf("%+.1f %%", 100*float64(change)/float64(of))
}
