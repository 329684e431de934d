package integrity

import (
	"fmt"
	"slices"
	"strconv"

	"lcm-tui/internal/plural"
)

// checkMessages checks the messages as a whole, after texts and parts were read.
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

// downgradeUnseenDuplicates makes a finding of duplicates Info if none of them is in the
// context: no model is shown them. The repair leaves them like that in a conversation that
// goes on.
func (s *conversationScan) downgradeUnseenDuplicates() {
	s.duplicateIDs = map[int64]bool{}
	for id := range s.anchors.repeated {
		s.duplicateIDs[id] = true
	}
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
		if !seen && f.Severity != Info && f.Fault != TurnStoredAgain {
			f.downgrade()
			f.Detail += "; not in the context, so no model is shown it"
		}
	}
}

// duplicateFaults are the faults of messages that are stored again.
var duplicateFaults = []FaultID{MessageDuplicate, MessageRunDuplicate, TranscriptEntryDuplicate, ToolResultDuplicate, TurnStoredAgain}

// checkEmptyMessage finds messages without content, and collects those without parts.
func (s *conversationScan) checkEmptyMessage(m *scannedMessage) {
	switch {
	case m.parts > 0 || s.halfMade[m.id] || !s.db.Schema().Has("message_parts"):
	case m.isBlank:
		s.addIfShown(MessageEmpty, messageAt(m.id), m.id, "an empty message of "+clip(m.role))
	case !m.isHostNote && !m.isForgotten:
		s.withoutParts = append(s.withoutParts, m.id)
	}
}

// checkMessageTokens checks a message's token count. The host counts the blocks as a model
// is shown them, so more than the text is right; hosts before 0.8 counted CJK text far too
// low.
func (s *conversationScan) checkMessageTokens(m *scannedMessage) {
	says := !m.isBlank || m.hasContent
	least := int64(m.runes+3) / 4
	most := 2*max(m.estimate, m.partTokens) + 32
	switch {
	case !says && m.parts == 0: // It has a fault of its own, MessageEmpty.
	case !m.hasCount:
		s.add(MessageTokensMissing, messageAt(m.id), "token_count isn't a number")
	case m.tokens < 0, m.tokens == 0 && says && !m.isForgotten:
		s.add(MessageTokensMissing, messageAt(m.id), fmt.Sprintf("counted %d tokens, at least %d", m.tokens, max(least, 1)))
	case m.isForgotten: // The count is of the text that was there.
	case m.tokens*2 < least:
		s.add(MessageTokensWrong, messageAt(m.id), fmt.Sprintf("counted %d tokens, the text alone has %d", m.tokens, least))
	case m.tokens > most && !m.refersToPayload:
		s.add(MessageTokensWrong, messageAt(m.id), fmt.Sprintf("counted %d tokens, all that is stored has about %d", m.tokens, max(m.estimate, m.partTokens)))
	}
}

// checkMessageTimes finds times that go back, and many messages with one time.
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

// addCollected adds the findings of which there is one for a conversation, whatever the
// number of rows.
func (s *conversationScan) addCollected() {
	many := func(fault FaultID, ids []int64, one, more string) {
		if len(ids) > 0 {
			s.add(fault, messageAt(ids[0]), plural.Count(len(ids), one, more), formatIDs(ids)...)
		}
	}
	many(MessageWithoutParts, s.withoutParts, "message without parts", "messages without parts")
	many(IdentityHashWrong, s.withoutHash, "message without a hash", "messages without a hash")
	many(CompactionNoteStored, s.compactionNotes, "note of a compaction", "notes of compactions")
	many(HeartbeatStored, s.heartbeats, "heartbeat", "heartbeats")
	s.media = slices.DeleteFunc(s.media, func(m mediaPart) bool { return s.isForgotten(m.message) })
	if len(s.media) > 0 {
		bytes, ids := 0, []string{}
		for _, m := range s.media {
			bytes += m.bytes
			ids = append(ids, m.part)
		}
		s.add(MediaInRow, partAt(ids[0]), fmt.Sprintf("%s, %d KB in all", plural.Count(len(ids), "part holds media", "parts hold media"), bytes>>10), ids...)
	}
	if n := len(s.messages); n > 0 {
		if lo, hi := s.messages[0].seq, s.messages[n-1].seq; lo != 1 || hi != int64(n) {
			s.add(MessageSeqGaps, conversationAt(s.row.ID), fmt.Sprintf("%s from #%d to #%d", plural.Count(n, "message", "messages"), lo, hi))
		}
	}
}

// checkEntryID finds ids that a session file or the host gives once, and two messages
// have.
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

// checkUnreferencedMessages finds messages that the agent has forgotten. /new drops all
// messages of a context. Where the host follows a session file it notes when; in other
// files only the oldest messages can have been dropped.
func (s *conversationScan) checkUnreferencedMessages() {
	if !s.has("context_items", "summary_messages", "summaries") {
		return // TablesIncomplete names them.
	}
	lost, dropped, rewound := s.unreferencedMessages()
	current := func(m scannedMessage) bool { return !m.isHostNote && !s.isReset(m.unixTime) }
	if len(s.items) == 0 && s.row.Active.Value != 0 && slices.ContainsFunc(s.messages, current) {
		s.add(ContextEmpty, conversationAt(s.row.ID), plural.Count(len(s.messages), "message", "messages")+", and none in the context")
	}
	if len(lost.ids) > 0 {
		s.add(MessageUnreferenced, messageAt(lost.ids[0]), lost.String(), formatIDs(lost.ids)...)
	}
	if len(dropped.ids) > 0 {
		s.add(MessageUnreferenced, messageAt(dropped.ids[0]), dropped.String()+"; older than all that is shown, as /new leaves them", formatIDs(dropped.ids)...).downgrade()
	}
	if len(rewound.ids) > 0 {
		s.add(MessageUnreferenced, messageAt(rewound.ids[0]), rewound.String()+"; the transcript doesn't show them, as after going back to the beginning", formatIDs(rewound.ids)...).downgrade()
	}
}

// unreferencedMessages are the messages that no context and no summary names: those that
// are lost, those that /new may have dropped, and those that the transcript may have
// lost or the user went back before.
func (s *conversationScan) unreferencedMessages() (lost, dropped, rewound unreferencedRun) {
	under := map[int64]bool{}
	for _, l := range slices.Concat(s.messageLinks, s.incomingLinks) {
		under[l.Message] = true
	}
	oldest, anchored := s.firstContextSeq(), false
	for i := range s.messages {
		m := &s.messages[i]
		missing := s.anchors.missing[m.id]
		anchored = anchored || m.namesEntry && !missing
		switch {
		case under[m.id] || s.isExpectedOutside(m):
		case m.isBlank && m.parts == 0 || m.isForgotten: // It holds nothing that a model could miss.
		case s.duplicateIDs[m.id]: // Another message has its text.
		case missing && anchored: // The user went back to an earlier message.
		case missing:
			rewound.add(m)
		case s.mayBeReset && oldest > 0 && m.seq < oldest:
			dropped.add(m)
		default:
			lost.add(m)
		}
	}
	return lost, dropped, rewound
}

// isExpectedOutside reports whether it is in order that no summary names a message.
func (s *conversationScan) isExpectedOutside(m *scannedMessage) bool {
	return s.inContext[m.id] || s.halfMade[m.id] || m.isHostNote || s.isReset(m.unixTime) || s.isCleared()
}

// isReset reports whether /new dropped what is as old as a time in seconds.
func (s *conversationScan) isReset(at int64) bool { return s.resetAt != 0 && at <= s.resetAt }

// isCleared reports whether the conversation is archived and its context was cleared.
func (s *conversationScan) isCleared() bool { return s.row.Active.Value == 0 && len(s.items) == 0 }

// firstContextSeq is the lowest seq of a message in the context, or 0.
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
