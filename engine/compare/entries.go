package compare

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/ingest"
	"lcm-tui/engine/token"
)

// entry is one of the transcript that a host stores as a message.
type entry struct {
	Row
	mark Mark
	// lack is why a host may lack the entry, or empty.
	lack string
}

// compareEntries compares the entries of a transcript of OpenClaw, of which each is one message.
func (c *comparer) compareEntries(ctx context.Context) error {
	entries, err := c.readEntries(ctx)
	if err != nil {
		return err
	}
	var marks []Mark
	var at []int
	for n, e := range entries {
		if e.Place != LeftOut {
			marks, at = append(marks, e.mark), append(at, n)
		}
	}
	aligned := Align(c.marks, marks, c.text(ctx))
	counts := c.countTexts(marks)
	found := map[int]int{}
	for k, i := range aligned.Stored {
		e := &entries[at[k]]
		if i == Unaligned {
			e.Place, e.Why = Missing, e.lack
			continue
		}
		found[at[k]] = int(i)
		c.taken[int(i)] = true
		place := c.places[i]
		e.Place, e.Message, e.Seq, e.Ordinal, e.Summary = place.Place, place.Message, place.Seq, place.Ordinal, place.Summary
		e.Masked = aligned.Masked != nil && aligned.Masked[k]
		n := counts[marks[k].text]
		e.Ambiguous = !aligned.byID[k] && !e.Masked && (n.stored > 1 || n.entries > 1) && n.stored != n.entries
	}
	if err := c.findElsewhere(ctx, entries); err != nil {
		return err
	}
	reasons, err := c.extraReasons(ctx)
	if err != nil {
		return err
	}
	next := 0
	for n := range entries {
		if i, ok := found[n]; ok {
			c.addExtra(next, i)
			next = max(next, i+1)
		}
		c.addEntry(entries[n].Row)
	}
	c.addExtra(next, len(c.places))
	for n := range c.Rows {
		if c.Rows[n].Place == Extra {
			c.Rows[n].Why = reasons(c.Rows[n])
		}
	}
	for n, place := range c.places {
		if !c.taken[n] {
			place.Preview = preview(place.Preview)
			place.Why = reasons(place)
			c.Extra = append(c.Extra, place)
		}
	}
	return nil
}

// addEntry adds the row of an entry to the lists that it belongs to.
func (c *comparer) addEntry(r Row) {
	switch r.Place {
	case Missing:
		c.Missing = append(c.Missing, r)
	case Elsewhere:
		c.Comparison.Elsewhere++
	case LeftOut:
		c.Comparison.LeftOut++
	default:
		c.Aligned++
	}
	if r.Ambiguous {
		c.Ambiguous = append(c.Ambiguous, r)
	}
	if r.Masked {
		c.Redacted = append(c.Redacted, r)
	}
	c.Rows = append(c.Rows, r)
}

// readEntries reads the entries as a host stores them. Those that it doesn't store say why.
func (c *comparer) readEntries(ctx context.Context) (out []entry, err error) {
	kind := c.db.Kind()
	rules := ingest.RulesOf(c.db.Schema(), token.Of(kind.Level), 1<<40)
	rules.ContentOnly = true
	keys := map[string]bool{}
	var newest *ingest.Stored
	var reset *transcript.Reset
	for e, err := range c.file.Entries(ctx) {
		var line *transcript.LineError
		if errors.As(err, &line) {
			c.BadLines++
			continue
		}
		if err != nil {
			return nil, err
		}
		r := Row{Line: e.Line, Entry: e.ID, At: e.At, Role: strings.Clone(e.Message.Field("role").Text())}
		for _, text := range contentTexts(e.Message.Field("content"), maxShown) {
			if r.Preview = preview(text); keyOf(text) != "" {
				break
			}
		}
		if e.Reset != reset && e.Reset.BeginsConversation() {
			newest = nil
		}
		reset = e.Reset
		stored, skip := rules.Store(e.Message, e.ID)
		mark := c.marker.Entry(e.ID, stored.Role, stored.Content)
		switch {
		case skip != "":
			r.Place, r.Why = LeftOut, string(skip)
		case !rules.First && stored.Repeats(newest) && !c.stores(e.ID):
			r.Place, r.Why = LeftOut, string(ingest.Mirror)
		case keys[stored.EventKey] && stored.EventKey != "" && !c.stores(e.ID):
			r.Place, r.Why = LeftOut, string(ingest.Repeated)
		default:
			newest = &stored
		}
		keys[stored.EventKey] = true
		lack := ""
		switch {
		case e.SplitByHost:
			lack = "its line has U+2028 or U+2029 in it, at which the host ends lines, so that it can't read it"
		case stored.IsMirror:
			lack = "the copy of an answer as it was delivered; older versions of lcm-tui left out every copy, and the host only those of answers with reasoning"
		}
		out = append(out, entry{r, mark, lack})
	}
	return out, nil
}

// stores reports whether a message names an entry.
func (c *comparer) stores(entry string) bool {
	_, ok := c.named(entry)
	return ok
}

// text reads what a stored message says.
func (c *comparer) text(ctx context.Context) func(int) (role, content string) {
	return func(i int) (string, string) { return c.readText(ctx, c.messages[i].ID) }
}

// readText reads what one message says; nothing where it can't be read.
func (c *comparer) readText(ctx context.Context, id int64) (role, content string) {
	found, err := lcm.WholeMessages(ctx, c.db, []int64{id})
	if err != nil || len(found) == 0 {
		return "", ""
	}
	return found[0].Role, found[0].Content
}

// textCount is how often a text stands in the conversation and in the transcript.
type textCount struct{ stored, entries int }

func (c *comparer) countTexts(entries []Mark) map[uint64]textCount {
	out := make(map[uint64]textCount, len(entries))
	for _, m := range entries {
		n := out[m.text]
		n.entries++
		out[m.text] = n
	}
	for _, m := range c.marks {
		if n, ok := out[m.text]; ok {
			n.stored++
			out[m.text] = n
		}
	}
	return out
}

// findElsewhere finds the entries that aren't in this conversation in the others of the session:
// a session that was reset has several.
func (c *comparer) findElsewhere(ctx context.Context, entries []entry) error {
	all, err := lcm.Conversations(ctx, c.db)
	if err != nil {
		return err
	}
	for _, other := range all {
		if other.SessionID == c.Session && other.ID != c.Conversation {
			if err := c.findIn(ctx, other, entries); err != nil {
				return err
			}
		}
	}
	return nil
}

// findIn finds the missing entries among the messages of another conversation.
func (c *comparer) findIn(ctx context.Context, other lcm.Conversation, entries []entry) error {
	var missing, stored []Mark
	var at []int
	var ids []int64
	for n := range entries {
		if entries[n].Place == Missing {
			missing, at = append(missing, entries[n].mark), append(at, n)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	err := lcm.EachMessage(ctx, c.db, other.ID, func(m lcm.Message) error {
		stored, ids = append(stored, c.marker.Stored(m.Entry, m.Role, m.Content)), append(ids, m.ID)
		return nil
	})
	if err != nil {
		return err
	}
	why := fmt.Sprintf("conversation %d of the same session has it", other.ID)
	if !other.Active {
		why += ", which is archived"
	}
	aligned := Align(stored, missing, func(i int) (string, string) { return c.readText(ctx, ids[i]) })
	for k, i := range aligned.Stored {
		if i != Unaligned && aligned.Sure(k, missing) {
			e := &entries[at[k]]
			e.Place, e.Message, e.Why = Elsewhere, ids[i], why
		}
	}
	return nil
}
