package integrity

import (
	"fmt"

	"lcm-tui/data"
)

// context looks at what the model is shown.
func (t *talk) context() {
	t.places()
	t.doubled()
	t.numbering()
	t.sequence()
	t.coverage()
}

// places are looked up one by one.
func (t *talk) places() {
	for _, i := range t.items {
		switch {
		case i.Missing:
			t.add(ContextItemDangling, item(i.Ordinal), fmt.Sprintf("place %d names %s, which doesn't exist", i.Ordinal, ref(i))).of(i)
			if t.Conversation != 0 { // Else foreign keys are followed for the whole file.
				t.add(ReferenceDangling, item(i.Ordinal), ref(i)+" doesn't exist").of(i)
			}
		case i.Owner != t.row.ID:
			t.add(ContextItemForeign, item(i.Ordinal), fmt.Sprintf("place %d names %s of conversation %d", i.Ordinal, ref(i), i.Owner)).of(i)
		}
		if i.Ordinal < 0 {
			t.add(ContextOrdinalNegative, item(i.Ordinal), fmt.Sprintf("%s stands at %d", ref(i), i.Ordinal)).of(i)
		}
	}
}

// ref is what an item names, in words.
func ref(i data.RawContextItem) string {
	if i.Summary != "" {
		return "summary " + clipped(i.Summary)
	}
	return "message " + number(i.Message)
}

// doubled are rows at more than one place.
func (t *talk) doubled() {
	first := map[string]int64{}
	for _, i := range t.items {
		key := i.Summary
		if key == "" {
			key = number(i.Message)
		}
		kept, again := first[key]
		if !again {
			first[key] = i.Ordinal
			continue
		}
		t.add(ContextItemDuplicate, item(i.Ordinal), fmt.Sprintf("%s stands at %d already", ref(i), kept), number(kept), number(i.Ordinal)).of(i)
	}
}

func (t *talk) numbering() {
	n := len(t.items)
	if n == 0 {
		return
	}
	lo, hi := t.items[0].Ordinal, t.items[n-1].Ordinal
	if (lo != 0 || hi != int64(n)-1) && !(t.changed && t.gapsExplained()) {
		t.add(ContextOrdinalGaps, item(lo), fmt.Sprintf("%d places from %d to %d", n, lo, hi))
	}
}

// gapsExplained reports whether there are gaps only before summaries of at least as many
// messages: this program puts a summary at the last place of what it was made of.
func (t *talk) gapsExplained() bool {
	messages := map[string]int64{}
	for _, top := range t.covered() {
		messages[top]++
	}
	next := int64(0)
	for _, i := range t.items {
		if gap := i.Ordinal - next; gap < 0 || gap > 0 && (i.Summary == "" || messages[i.Summary] <= gap) {
			return false
		}
		next = i.Ordinal + 1
	}
	return true
}

// sequence: a row that stands at a second place, or isn't the conversation's, is
// told of as that.
func (t *talk) sequence() {
	seen := map[int64]bool{}
	last := data.RawContextItem{}
	for _, i := range t.items {
		if i.Summary != "" || i.Missing || i.Owner != t.row.ID || seen[i.Message] {
			continue
		}
		seen[i.Message] = true
		if last.Message != 0 && i.Seq <= last.Seq {
			t.add(ContextOutOfOrder, item(i.Ordinal), fmt.Sprintf("message %d (#%d) follows message %d (#%d)", i.Message, i.Seq, last.Message, last.Seq))
		}
		last = i
	}
}

// coverage is which messages the summaries of a context stand for.
func (t *talk) coverage() {
	under := t.covered()
	for _, i := range t.items {
		if i.Summary != "" || i.Missing {
			continue
		}
		if top, ok := under[i.Message]; ok {
			t.add(CoveredMessageInContext, item(i.Ordinal), fmt.Sprintf("message %d stands at %d, and summary %s of the same context covers it", i.Message, i.Ordinal, top),
				number(i.Message), top)
		}
	}
	t.overlaid()
}

// covered are the messages below the context's summaries, with the summary.
func (t *talk) covered() map[int64]string {
	under, done := map[int64]string{}, map[string]bool{}
	for _, i := range t.items {
		n := t.nodes[i.Summary]
		if n == nil {
			continue
		}
		take := func(b *node) {
			if done[b.ID] {
				return
			}
			done[b.ID] = true
			for _, m := range b.members {
				if _, ok := under[m]; !ok {
					under[m] = n.ID
				}
			}
		}
		take(n)
		t.below(n, take)
	}
	return under
}

// overlaid are summaries in the context below others of it. What stands in a cycle
// lies below itself, which is told of as that.
func (t *talk) overlaid() {
	above := map[string]string{}
	for _, i := range t.items {
		n := t.nodes[i.Summary]
		if n == nil {
			continue
		}
		t.below(n, func(b *node) {
			if _, ok := above[b.ID]; !ok && b.placed {
				above[b.ID] = n.ID
			}
		})
	}
	for _, i := range t.items {
		if top, ok := above[i.Summary]; ok && i.Summary != "" {
			t.add(CoveredSummaryInContext, item(i.Ordinal), fmt.Sprintf("summary %s stands at %d, and %s of the same context was made of it", i.Summary, i.Ordinal, top),
				i.Summary, top)
		}
	}
}
