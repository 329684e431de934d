package integrity

import (
	"fmt"
	"slices"
	"strconv"
)

// heard looks at the messages as a whole, once texts and parts have been read.
func (t *talk) heard() {
	for i := range t.said {
		s := &t.said[i]
		t.empty(s)
		t.weight(s)
		if s.injected != "" && !s.lcm {
			t.harm(InjectedContextStored, message(s.id), s.id, "holds "+s.injected)
		}
	}
	t.pairing()
	t.duplicates()
	t.clock()
	t.wholesale()
	t.unseen()
	t.uncovered()
}

// unseen makes those findings of duplicates good to know only of which the context holds
// none: no model is shown them. In a conversation that goes on that is how their repair
// leaves them.
func (t *talk) unseen() {
	t.again = map[int64]bool{}
	for _, f := range t.list {
		if !slices.Contains(duplicateFaults, f.Fault) {
			continue
		}
		rows := f.Rows
		if f.Fault != MessageRunDuplicate && len(rows) > 1 {
			rows = rows[1:]
		}
		seen := false
		for _, r := range rows {
			id, _ := strconv.ParseInt(r, 10, 64)
			t.again[id] = true
			seen = seen || t.inContext[id]
		}
		if !seen && f.Severity != Info {
			f.mild()
			f.Detail += "; not in the context, so no model is shown it"
		}
	}
}

// duplicateFaults are those of messages that are stored again.
var duplicateFaults = []FaultID{MessageDuplicate, MessageRunDuplicate, TranscriptEntryDuplicate, ToolResultDuplicate}

// empty: nothing to show, or nothing but the text.
func (t *talk) empty(s *said) {
	switch {
	case s.parts > 0 || !t.db.Schema().Has("message_parts"):
	case s.blank:
		t.harm(MessageEmpty, message(s.id), s.id, "an empty message of "+clipped(s.role))
	case !s.note:
		t.partless = append(t.partless, s.id)
	}
}

// weight: what the host counted. It counts the blocks as they are shown, so more
// than the text is right; hosts before 0.8 counted CJK text far too low.
func (t *talk) weight(s *said) {
	says := !s.blank || s.full
	least := int64(s.letters+3) / 4
	most := 2*max(s.estimate, s.weight) + 32
	switch {
	case !says && s.parts == 0: // Told of as what it is.
	case !s.counted:
		t.add(MessageTokensMissing, message(s.id), "token_count isn't a number")
	case s.tokens < 0, s.tokens == 0 && says:
		t.add(MessageTokensMissing, message(s.id), fmt.Sprintf("counted %d tokens, at least %d", s.tokens, max(least, 1)))
	case s.tokens*2 < least:
		t.add(MessageTokensWrong, message(s.id), fmt.Sprintf("counted %d tokens, the text alone has %d", s.tokens, least))
	case s.tokens > most:
		t.add(MessageTokensWrong, message(s.id), fmt.Sprintf("counted %d tokens, all that is stored has about %d", s.tokens, max(s.estimate, s.weight)))
	}
}

// clock: times along the conversation.
func (t *talk) clock() {
	const minutes = 60
	var last *said
	second := map[uint64][]int64{}
	var order []uint64
	for i := range t.said {
		s := &t.said[i]
		if len(second[s.stamp]) == 0 {
			order = append(order, s.stamp)
		}
		second[s.stamp] = append(second[s.stamp], s.id)
		if s.at == 0 {
			continue
		}
		if last != nil && last.at-s.at > 5*minutes {
			t.add(MessageTimeBackwards, message(s.id), fmt.Sprintf("%d minutes older than message %d before it", (last.at-s.at)/minutes, last.id), number(last.id), number(s.id))
		}
		last = s
	}
	for _, k := range order {
		if ids := second[k]; len(ids) >= 10 {
			t.add(MessageTimeOfImport, message(ids[0]), fmt.Sprintf("%d messages in one second", len(ids)), numbers(ids)...)
		}
	}
}

// wholesale: what is told of once for a conversation.
func (t *talk) wholesale() {
	many := func(fault FaultID, ids []int64, one, more string) {
		if len(ids) > 0 {
			t.add(fault, message(ids[0]), count(len(ids), one, more), numbers(ids)...)
		}
	}
	many(MessageWithoutParts, t.partless, "message without parts", "messages without parts")
	many(IdentityHashWrong, t.hashless, "message without a hash", "messages without a hash")
	many(CompactionNoteStored, t.events, "note of a compaction", "notes of compactions")
	many(HeartbeatStored, t.heartbeats, "heartbeat", "heartbeats")
	if len(t.media) > 0 {
		bytes, ids := 0, []string{}
		for _, m := range t.media {
			bytes += m.bytes
			ids = append(ids, m.part)
		}
		t.add(MediaInRow, part(ids[0]), fmt.Sprintf("%s, %d KB in all", count(len(ids), "part holds media", "parts hold media"), bytes>>10), ids...)
	}
	if n := len(t.said); n > 0 {
		if lo, hi := t.said[0].seq, t.said[n-1].seq; lo != 1 || hi != int64(n) {
			t.add(MessageSeqGaps, conversation(t.row.ID), fmt.Sprintf("%s from #%d to #%d", count(n, "message", "messages"), lo, hi))
		}
	}
}

// entry notes an id that the transcript or the host gives once.
func (t *talk) entry(kind, id string, of int64) {
	if id == "" {
		return
	}
	key := kind + " " + id
	if kept, again := t.entries[key]; again {
		t.add(TranscriptEntryDuplicate, message(of), fmt.Sprintf("has the %s %s of message %d", kind, clipped(id), kept), number(kept), number(of))
		return
	}
	t.entries[key] = of
}

// uncovered are messages that the agent has forgotten. /new drops all messages of a
// context, and the host notes when it did where it follows a transcript; files of
// hosts that didn't are told by what is missing: the oldest messages only.
func (t *talk) uncovered() {
	if !t.has("context_items", "summary_messages", "summaries") {
		return // That is told of; nothing can be covered without.
	}
	lost, dropped := t.forgotten()
	current := func(s said) bool { return !s.note && !t.reset(s.at) }
	if len(t.items) == 0 && t.row.Active.Value != 0 && slices.ContainsFunc(t.said, current) {
		t.add(ContextEmpty, conversation(t.row.ID), count(len(t.said), "message", "messages")+", and none in the context")
	}
	if len(lost.ids) > 0 {
		t.add(MessageUnreferenced, message(lost.ids[0]), lost.String(), numbers(lost.ids)...)
	}
	if len(dropped.ids) > 0 {
		t.add(MessageUnreferenced, message(dropped.ids[0]), dropped.String()+"; older than all that is shown, as /new leaves them", numbers(dropped.ids)...).mild()
	}
}

// forgotten are the messages that nothing covers: those that are lost, and those that
// /new may have dropped.
func (t *talk) forgotten() (lost, dropped stretch) {
	under := map[int64]bool{}
	for _, l := range slices.Concat(t.members, t.strays) {
		under[l.Message] = true
	}
	oldest := t.firstPlaced()
	for i := range t.said {
		s := &t.said[i]
		switch {
		case t.inContext[s.id] || under[s.id] || s.note || t.reset(s.at) || t.retired():
		case s.blank && s.parts == 0: // There is nothing in it to be forgotten.
		case t.again[s.id]: // Another message says the same.
		case t.maybeNew && oldest > 0 && s.seq < oldest:
			dropped.take(s)
		default:
			lost.take(s)
		}
	}
	return lost, dropped
}

// reset reports whether something so old was dropped by /new.
func (t *talk) reset(at int64) bool { return t.pruned != 0 && at <= t.pruned }

// retired reports whether it's an archived conversation whose context was cleared.
func (t *talk) retired() bool { return t.row.Active.Value == 0 && len(t.items) == 0 }

// firstPlaced is the lowest seq of a message in the context.
func (t *talk) firstPlaced() (seq int64) {
	for _, i := range t.items {
		if i.Summary == "" && !i.Missing && (seq == 0 || i.Seq < seq) {
			seq = i.Seq
		}
	}
	return seq
}

// stretch is some messages in the order of seq.
type stretch struct {
	ids            []int64
	lo, hi, tokens int64
}

func (l *stretch) take(s *said) {
	if len(l.ids) == 0 {
		l.lo = s.seq
	}
	l.ids, l.hi, l.tokens = append(l.ids, s.id), s.seq, l.tokens+s.tokens
}

func (l *stretch) String() string {
	if l.lo == l.hi {
		return fmt.Sprintf("message #%d, %d tokens", l.lo, l.tokens)
	}
	return fmt.Sprintf("%d messages between #%d and #%d, %d tokens", len(l.ids), l.lo, l.hi, l.tokens)
}
