package integrity

import (
	"fmt"
	"slices"
	"strconv"
)

// checkMessages looks at the messages as a whole, once texts and parts have been read.
func (s *conversationScan) checkMessages() {
	for i := range s.messages {
		m := &s.messages[i]
		s.checkEmptyMessage(m)
		s.checkMessageTokens(m)
		if m.injectedTag != "" && !m.ofHostTool {
			s.addIfShown(InjectedContextStored, messageAt(m.id), m.id, "holds "+m.injectedTag)
		}
	}
	s.checkToolPairs()
	s.checkDuplicates()
	s.checkMessageTimes()
	s.addCollected()
	s.downgradeUnseenDuplicates()
	s.checkUnreferencedMessages()
}

// downgradeUnseenDuplicates makes those findings of duplicates good to know only of which the context holds
// none: no model is shown them. In a conversation that goes on that is how their repair
// leaves them.
func (s *conversationScan) downgradeUnseenDuplicates() {
	s.duplicateIDs = map[int64]bool{}
	for _, f := range s.list {
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
			s.duplicateIDs[id] = true
			seen = seen || s.inContext[id]
		}
		if !seen && f.Severity != Info {
			f.downgrade()
			f.Detail += "; not in the context, so no model is shown it"
		}
	}
}

// duplicateFaults are those of messages that are stored again.
var duplicateFaults = []FaultID{MessageDuplicate, MessageRunDuplicate, TranscriptEntryDuplicate, ToolResultDuplicate}

// checkEmptyMessage: nothing to show, or nothing but the text.
func (s *conversationScan) checkEmptyMessage(m *scannedMessage) {
	switch {
	case m.parts > 0 || !s.db.Schema().Has("message_parts"):
	case m.isBlank:
		s.addIfShown(MessageEmpty, messageAt(m.id), m.id, "an empty message of "+clip(m.role))
	case !m.isHostNote:
		s.withoutParts = append(s.withoutParts, m.id)
	}
}

// checkMessageTokens: what the host counted. It counts the blocks as they are shown, so more
// than the text is right; hosts before 0.8 counted CJK text far too low.
func (s *conversationScan) checkMessageTokens(m *scannedMessage) {
	says := !m.isBlank || m.hasContent
	least := int64(m.runes+3) / 4
	most := 2*max(m.estimate, m.partTokens) + 32
	switch {
	case !says && m.parts == 0: // Told of as what it is.
	case !m.hasCount:
		s.add(MessageTokensMissing, messageAt(m.id), "token_count isn't a number")
	case m.tokens < 0, m.tokens == 0 && says:
		s.add(MessageTokensMissing, messageAt(m.id), fmt.Sprintf("counted %d tokens, at least %d", m.tokens, max(least, 1)))
	case m.tokens*2 < least:
		s.add(MessageTokensWrong, messageAt(m.id), fmt.Sprintf("counted %d tokens, the text alone has %d", m.tokens, least))
	case m.tokens > most:
		s.add(MessageTokensWrong, messageAt(m.id), fmt.Sprintf("counted %d tokens, all that is stored has about %d", m.tokens, max(m.estimate, m.partTokens)))
	}
}

// checkMessageTimes: times along the conversation.
func (s *conversationScan) checkMessageTimes() {
	const minutes = 60
	var last *scannedMessage
	second := map[uint64][]int64{}
	var order []uint64
	for i := range s.messages {
		m := &s.messages[i]
		if len(second[m.createdAtHash]) == 0 {
			order = append(order, m.createdAtHash)
		}
		second[m.createdAtHash] = append(second[m.createdAtHash], m.id)
		if m.unixTime == 0 {
			continue
		}
		if last != nil && last.unixTime-m.unixTime > 5*minutes {
			s.add(MessageTimeBackwards, messageAt(m.id), fmt.Sprintf("%d minutes older than message %d before it", (last.unixTime-m.unixTime)/minutes, last.id), formatID(last.id), formatID(m.id))
		}
		last = m
	}
	for _, k := range order {
		if ids := second[k]; len(ids) >= 10 {
			s.add(MessageTimeOfImport, messageAt(ids[0]), fmt.Sprintf("%d messages in one second", len(ids)), formatIDs(ids)...)
		}
	}
}

// addCollected: what is told of once for a conversation.
func (s *conversationScan) addCollected() {
	many := func(fault FaultID, ids []int64, one, more string) {
		if len(ids) > 0 {
			s.add(fault, messageAt(ids[0]), pluralize(len(ids), one, more), formatIDs(ids)...)
		}
	}
	many(MessageWithoutParts, s.withoutParts, "message without parts", "messages without parts")
	many(IdentityHashWrong, s.withoutHash, "message without a hash", "messages without a hash")
	many(CompactionNoteStored, s.compactionNotes, "note of a compaction", "notes of compactions")
	many(HeartbeatStored, s.heartbeats, "heartbeat", "heartbeats")
	if len(s.media) > 0 {
		bytes, ids := 0, []string{}
		for _, m := range s.media {
			bytes += m.bytes
			ids = append(ids, m.part)
		}
		s.add(MediaInRow, partAt(ids[0]), fmt.Sprintf("%s, %d KB in all", pluralize(len(ids), "part holds media", "parts hold media"), bytes>>10), ids...)
	}
	if n := len(s.messages); n > 0 {
		if lo, hi := s.messages[0].seq, s.messages[n-1].seq; lo != 1 || hi != int64(n) {
			s.add(MessageSeqGaps, conversationAt(s.row.ID), fmt.Sprintf("%s from #%d to #%d", pluralize(n, "message", "messages"), lo, hi))
		}
	}
}

// checkEntryID notes an id that the transcript or the host gives once.
func (s *conversationScan) checkEntryID(kind, id string, of int64) {
	if id == "" {
		return
	}
	key := kind + " " + id
	if kept, again := s.entryOwners[key]; again {
		s.add(TranscriptEntryDuplicate, messageAt(of), fmt.Sprintf("has the %s %s of message %d", kind, clip(id), kept), formatID(kept), formatID(of))
		return
	}
	s.entryOwners[key] = of
}

// checkUnreferencedMessages are messages that the agent has forgotten. /new drops all messages of a
// context, and the host notes when it did where it follows a transcript; files of
// hosts that didn't are told by what is missing: the oldest messages only.
func (s *conversationScan) checkUnreferencedMessages() {
	if !s.has("context_items", "summary_messages", "summaries") {
		return // That is told of; nothing can be covered without.
	}
	lost, dropped := s.unreferencedMessages()
	current := func(m scannedMessage) bool { return !m.isHostNote && !s.isReset(m.unixTime) }
	if len(s.items) == 0 && s.row.Active.Value != 0 && slices.ContainsFunc(s.messages, current) {
		s.add(ContextEmpty, conversationAt(s.row.ID), pluralize(len(s.messages), "message", "messages")+", and none in the context")
	}
	if len(lost.ids) > 0 {
		s.add(MessageUnreferenced, messageAt(lost.ids[0]), lost.String(), formatIDs(lost.ids)...)
	}
	if len(dropped.ids) > 0 {
		s.add(MessageUnreferenced, messageAt(dropped.ids[0]), dropped.String()+"; older than all that is shown, as /new leaves them", formatIDs(dropped.ids)...).downgrade()
	}
}

// unreferencedMessages are the messages that nothing covers: those that are lost, and those that
// /new may have dropped.
func (s *conversationScan) unreferencedMessages() (lost, dropped unreferencedRun) {
	under := map[int64]bool{}
	for _, l := range slices.Concat(s.messageLinks, s.incomingLinks) {
		under[l.Message] = true
	}
	oldest := s.firstContextSeq()
	for i := range s.messages {
		m := &s.messages[i]
		switch {
		case s.inContext[m.id] || under[m.id] || m.isHostNote || s.isReset(m.unixTime) || s.isCleared():
		case m.isBlank && m.parts == 0: // There is nothing in it to be forgotten.
		case s.duplicateIDs[m.id]: // Another message says the same.
		case s.mayBeReset && oldest > 0 && m.seq < oldest:
			dropped.add(m)
		default:
			lost.add(m)
		}
	}
	return lost, dropped
}

// isReset reports whether something so old was dropped by /new.
func (s *conversationScan) isReset(at int64) bool { return s.resetAt != 0 && at <= s.resetAt }

// isCleared reports whether it's an archived conversation whose context was cleared.
func (s *conversationScan) isCleared() bool { return s.row.Active.Value == 0 && len(s.items) == 0 }

// firstContextSeq is the lowest seq of a message in the context.
func (s *conversationScan) firstContextSeq() (seq int64) {
	for _, i := range s.items {
		if i.Summary == "" && !i.Missing && (seq == 0 || i.Seq < seq) {
			seq = i.Seq
		}
	}
	return seq
}

// unreferencedRun is some messages in the order of seq.
type unreferencedRun struct {
	ids            []int64
	lo, hi, tokens int64
}

func (l *unreferencedRun) add(m *scannedMessage) {
	if len(l.ids) == 0 {
		l.lo = m.seq
	}
	l.ids, l.hi, l.tokens = append(l.ids, m.id), m.seq, l.tokens+m.tokens
}

func (l *unreferencedRun) String() string {
	if l.lo == l.hi {
		return fmt.Sprintf("message #%d, %d tokens", l.lo, l.tokens)
	}
	return fmt.Sprintf("%d messages between #%d and #%d, %d tokens", len(l.ids), l.lo, l.hi, l.tokens)
}
