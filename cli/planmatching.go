package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/prune/proof"
	"lcm-tui/ui"
)

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
		p.Muted(plural.Count(n, "text was", "texts were") + " too short to be told from others: only " + plural.Noun(n, "its row was", "their rows were") + " looked at")
	}
	if n := r.Pieces.Common; n > 0 {
		p.Muted(plural.Count(n, "piece stands", "pieces stand") + " in several other messages as well, and " + plural.Noun(n, "wasn't", "weren't") + " looked for")
	}
	p.Muted("not looked at: " + ui.Line(strings.Join(c.Unchecked, "; ")))
}
