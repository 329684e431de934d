package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/internal/plural"
	"lcm-tui/internal/sorting"
	"lcm-tui/ops"
	"lcm-tui/ops/prune/proof"
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

// setMatching prints what a query found: the messages that are forgotten, those that stay with the reason and the next
// step, and the other places with the same words.
func (p *Printer) setMatching(m *ops.Matching) {
	if m == nil {
		return
	}
	kept := 0
	for _, k := range m.Kept {
		kept += len(k.Messages)
	}
	p.Write("\n")
	p.Linef("%s finds %s", ui.Line(m.Query), plural.Count(len(m.Messages)+kept, "message", "messages"))
	if len(m.Messages) > 0 {
		p.matchedMessages(m.Messages)
	}
	p.keptMatches(m.Kept)
	if len(m.Holding) > 0 {
		p.Write("\n")
		p.Title("other places with the same words, which stay as they are")
		p.places(m.Holding, m.More)
	}
}

// matchedMessages lists messages that are forgotten.
func (p *Printer) matchedMessages(all []ops.MatchedMessage) {
	rows := make([][]string, 0, min(len(all), mostListed))
	for _, m := range all[:min(len(all), mostListed)] {
		rows = append(rows, []string{strconv.FormatInt(m.Conversation, 10), strconv.FormatInt(m.ID, 10), ui.Line(m.Role), When(m.At), ui.Size(m.Bytes), ui.Line(m.Start)})
	}
	p.Table([]Column{{Title: "conv", Right: true}, {Title: "message", Right: true}, {Title: "role"}, {Title: "written", Spare: true}, {Title: "bytes", Right: true}, {Title: "first words", Grows: true}}, rows)
	if n := len(all) - mostListed; n > 0 {
		p.Muted(fmt.Sprintf("and %d more; --json lists all", n))
	}
}

// keptMatches lists messages that a query found and that stay, by reason.
func (p *Printer) keptMatches(all []proof.Kept) {
	if len(all) == 0 {
		return
	}
	p.Write("\n")
	p.Title("found, and left as they are")
	for _, k := range all[:min(len(all), mostListed)] {
		line := fmt.Sprintf("conversation %d, %s %s: %s", k.Conversation, plural.Noun(len(k.Messages), "message", "messages"), shortList(k.Messages), k.Why)
		if k.Next != "" {
			line += "; next: " + k.Next
		}
		p.Block(ui.Line(line))
	}
	if n := len(all) - mostListed; n > 0 {
		p.Muted(fmt.Sprintf("and %d more reasons; --json lists all", n))
	}
}

// shownOfKind is how many places of a kind are listed in text; JSON has all.
const shownOfKind = 6

// places lists places, those of a kind together.
func (p *Printer) places(all []proof.Place, more int) {
	var kinds []proof.Kind
	for _, place := range all {
		if !slices.Contains(kinds, place.Kind) {
			kinds = append(kinds, place.Kind)
		}
	}
	for _, kind := range kinds {
		n := 0
		for _, place := range all {
			if place.Kind != kind {
				continue
			}
			if n++; n <= shownOfKind {
				p.Block(ui.Line(placeLine(place)))
			}
		}
		if n > shownOfKind {
			p.Muted(fmt.Sprintf("and %d more of this kind; --json lists all", n-shownOfKind))
		}
	}
	if more > 0 {
		p.Muted(fmt.Sprintf("and %d more", more))
	}
}

// placeLine says where something was found, why, and what to do about it.
func placeLine(p proof.Place) string {
	var has []string
	if p.Words {
		has = append(has, "the query")
	}
	if p.Pieces > 0 {
		has = append(has, plural.Count(p.Pieces, "piece", "pieces"))
	}
	line := string(p.Kind) + " " + p.Where
	if p.Conversation != 0 {
		line += fmt.Sprintf(" of conversation %d", p.Conversation)
	}
	if len(has) > 0 {
		line += " (" + strings.Join(has, ", ") + ")"
	}
	line += ": " + p.Why
	if p.Next != "" {
		line += "; next: " + p.Next
	}
	return line
}

// Receipt prints what a receipt says: what was forgotten, what was looked at, and where something was found.
func (p *Printer) Receipt(r *proof.Receipt) {
	c := r.Last()
	bytes := 0
	for _, m := range r.Messages {
		bytes += m.Bytes
	}
	p.Title(fmt.Sprintf("receipt of record %d", r.Record))
	p.Linef("forgotten: %s with %s, %s of text", plural.Count(len(r.Messages), "message", "messages"), plural.Count(r.Rows["message_parts"], "part", "parts"), ui.Size(int64(bytes)))
	texts := int64(0)
	for _, n := range c.Texts {
		texts += n
	}
	p.Linef("looked at: %s of %s, %s of the file, %s beside it, for %s", plural.Count(texts, "text", "texts"), plural.Count(len(c.Texts), "table", "tables"),
		plural.Count(c.Pages, "page", "pages"), plural.Count(len(c.Files), "file", "files"), plural.Count(r.Pieces.Count, "piece", "pieces"))
	p.Linef("in their place: %s; %s, %s", plural.Count(c.Stubs, "line", "lines"), plural.Count(c.Gone, "row is gone", "rows are gone"), plural.Count(len(c.Back), "text is there again", "texts are there again"))
	p.keptMatches(r.Kept)
	if len(c.Left) > 0 {
		p.Write("\n")
		p.Title("where something of them was found")
		p.places(c.Left, c.More)
	}
	p.Write("\n")
	switch c.State {
	case proof.Gone:
		p.Line(Styled(p.Styles.Good, "✓ gone: nothing of them was found in what was looked at"))
	case proof.InTrash:
		p.Line(Styled(p.Styles.Warn, "! only the trash has them, so that undo can bring them back"))
	default:
		pieces, words := c.WithPieces()
		if n := len(c.Back); n > 0 {
			p.Line(Styled(p.Styles.Bad, "! "+plural.Count(n, "text is", "texts are")+" there again"))
		}
		if pieces > 0 {
			p.Line(Styled(p.Styles.Bad, "! pieces of them are in "+plural.Count(pieces, "place", "places")))
		} else if len(c.Back) == 0 {
			p.Line(Styled(p.Styles.Good, "✓ no piece of them was found outside of the trash"))
		}
		if words > 0 {
			p.Line(Styled(p.Styles.Warn, "! the query still finds "+plural.Count(words, "place", "places")+", with words of their own"))
		}
	}
	if n := r.Pieces.TooShort; n > 0 {
		p.Muted(plural.Count(n, "text was", "texts were") + " too short to be known from others: only " + plural.Noun(n, "its row was", "their rows were") + " looked at")
	}
	if n := r.Pieces.Common; n > 0 {
		p.Muted(plural.Count(n, "piece stands", "pieces stand") + " in several other messages as well, and " + plural.Noun(n, "wasn't", "weren't") + " looked for")
	}
	p.Muted("not looked at: " + ui.Line(strings.Join(c.Unchecked, "; ")))
}
