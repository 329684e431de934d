package integrity

import (
	"fmt"
	"slices"
	"strconv"

	"lcm-tui/internal/plural"
)

// messageCheck checks the messages of a conversation.
type messageCheck struct {
	found *findings
	file  *fileScan
	rows  *conversationRows

	unusualMessages
	media        []mediaPart
	withoutParts []int64
	duplicateIDs map[int64]bool // Messages that repeat another one.
}

// checkMessages checks the messages as a whole, after texts and parts were read.
func (c *messageCheck) checkMessages() {
	for i := range c.rows.messages {
		m := &c.rows.messages[i]
		c.checkRole(m)
		c.checkEmptyMessage(m)
		c.checkMessageTokens(m)
		if m.injectedTag != "" && !m.ofHostTool {
			addIfShown(c.found, c.rows.inContext[m.id], InjectedContextStored, messageAt(m.id), "holds "+m.injectedTag)
		}
	}
	(&toolCallCheck{c.found, c.rows, c.file.halfMade}).checkToolPairs()
	(&duplicateCheck{c.found, c.rows.messages, c.file.anchors.imported}).checkDuplicates()
	c.checkMessageTimes()
	c.addCollected()
	c.downgradeUnseenDuplicates()
	c.checkUnreferencedMessages()
}

// downgradeUnseenDuplicates makes a finding of duplicates Info if none of them is in the
// context: no model is shown them. The repair leaves them like that in a conversation that
// goes on.
func (c *messageCheck) downgradeUnseenDuplicates() {
	c.duplicateIDs = map[int64]bool{}
	for id := range c.file.anchors.repeated {
		c.duplicateIDs[id] = true
	}
	for _, f := range c.found.list {
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
			c.duplicateIDs[id] = true
			seen = seen || c.rows.inContext[id]
		}
		if !seen && f.Severity != Info && f.Fault != TurnStoredAgain {
			f.downgrade()
			f.Detail += "; not in the context, so no model is shown it"
		}
	}
}

// duplicateFaults are the faults of messages that are stored again.
var duplicateFaults = []FaultID{MessageDuplicate, MessageRunDuplicate, TranscriptEntryDuplicate, ToolResultDuplicate, TurnStoredAgain}

// checkRole compares the role of a message with that of its first part.
func (c *messageCheck) checkRole(m *scannedMessage) {
	if role := m.partRole; role != "" && role != m.role {
		c.found.add(MessageRoleWrong, messageAt(m.id), fmt.Sprintf("the row says %s, its first part %s", clip(m.role), role))
	}
}

// checkEmptyMessage finds messages without content, and collects those without parts.
func (c *messageCheck) checkEmptyMessage(m *scannedMessage) {
	switch {
	case m.partCount > 0 || c.file.halfMade[m.id] || !c.file.db.Schema().Has("message_parts"):
	case m.isBlank:
		addIfShown(c.found, c.rows.inContext[m.id], MessageEmpty, messageAt(m.id), "an empty message of "+clip(m.role))
	case !m.isHostNote && !m.isForgotten:
		c.withoutParts = append(c.withoutParts, m.id)
	}
}

// checkMessageTokens checks a message's token count. The host counts the blocks as a model
// is shown them, so more than the text is right; hosts before 0.8 counted CJK text far too
// low.
func (c *messageCheck) checkMessageTokens(m *scannedMessage) {
	says := !m.isBlank || m.hasContent
	least := int64(m.runes+3) / 4
	most := 2*max(m.estimate, m.partTokens) + 32
	switch {
	case !says && m.partCount == 0: // It has a fault of its own, MessageEmpty.
	case !m.hasCount:
		c.found.add(MessageTokensMissing, messageAt(m.id), "token_count isn't a number")
	case m.tokens < 0, m.tokens == 0 && says && !m.isForgotten:
		c.found.add(MessageTokensMissing, messageAt(m.id), fmt.Sprintf("counted %d tokens, at least %d", m.tokens, max(least, 1)))
	case m.isForgotten: // The count is of the text that was there.
	case m.tokens*2 < least:
		c.found.add(MessageTokensWrong, messageAt(m.id), fmt.Sprintf("counted %d tokens, the text alone has %d", m.tokens, least))
	case m.tokens > most && !m.refersToPayload:
		c.found.add(MessageTokensWrong, messageAt(m.id), fmt.Sprintf("counted %d tokens, all that is stored has about %d", m.tokens, max(m.estimate, m.partTokens)))
	}
}

// checkMessageTimes finds times that go back, and many messages with one time.
func (c *messageCheck) checkMessageTimes() {
	const minutes = 60
	var last *scannedMessage
	second := map[uint64][]int64{}
	var order []uint64
	for i := range c.rows.messages {
		m := &c.rows.messages[i]
		if len(second[m.createdAtHash]) == 0 {
			order = append(order, m.createdAtHash)
		}
		second[m.createdAtHash] = append(second[m.createdAtHash], m.id)
		if m.unixTime == 0 {
			continue
		}
		if last != nil && last.unixTime-m.unixTime > 5*minutes {
			c.found.add(MessageTimeBackwards, messageAt(m.id), fmt.Sprintf("%d minutes older than message %d before it", (last.unixTime-m.unixTime)/minutes, last.id), formatID(last.id), formatID(m.id))
		}
		last = m
	}
	for _, k := range order {
		if ids := second[k]; len(ids) >= 10 {
			c.found.add(MessageTimeOfImport, messageAt(ids[0]), fmt.Sprintf("%d messages in one second", len(ids)), formatIDs(ids)...)
		}
	}
}

// addCollected adds the findings of which there is one for a conversation, whatever the
// number of rows.
func (c *messageCheck) addCollected() {
	many := func(fault FaultID, ids []int64, one, more string) {
		if len(ids) > 0 {
			c.found.add(fault, messageAt(ids[0]), plural.Count(len(ids), one, more), formatIDs(ids)...)
		}
	}
	many(MessageWithoutParts, c.withoutParts, "message without parts", "messages without parts")
	many(IdentityHashWrong, c.withoutHash, "message without a hash", "messages without a hash")
	many(CompactionNoteStored, c.compactionNotes, "note of a compaction", "notes of compactions")
	many(HeartbeatStored, c.heartbeats, "heartbeat", "heartbeats")
	c.media = slices.DeleteFunc(c.media, func(m mediaPart) bool { return c.rows.isForgotten(m.message) })
	if len(c.media) > 0 {
		bytes, ids := 0, []string{}
		for _, m := range c.media {
			bytes += m.bytes
			ids = append(ids, m.part)
		}
		c.found.add(MediaInRow, partAt(ids[0]), fmt.Sprintf("%s, %d KB in all", plural.Count(len(ids), "part holds media", "parts hold media"), bytes>>10), ids...)
	}
	if n := len(c.rows.messages); n > 0 {
		if lo, hi := c.rows.messages[0].seq, c.rows.messages[n-1].seq; lo != 1 || hi != int64(n) {
			c.found.add(MessageSeqGaps, conversationAt(c.rows.row.ID), fmt.Sprintf("%s from #%d to #%d", plural.Count(n, "message", "messages"), lo, hi))
		}
	}
}

// checkUnreferencedMessages finds messages that the agent has forgotten. /new drops all
// messages of a context. Where the host follows a session file it notes when; in other
// files only the oldest messages can have been dropped.
func (c *messageCheck) checkUnreferencedMessages() {
	if !c.file.has("context_items", "summary_messages", "summaries") {
		return // TablesIncomplete names them.
	}
	lost, dropped, rewound := c.unreferencedMessages()
	current := func(m scannedMessage) bool { return !m.isHostNote && !c.rows.isReset(m.unixTime) }
	if len(c.rows.items) == 0 && c.rows.row.Active.Value != 0 && slices.ContainsFunc(c.rows.messages, current) {
		c.found.add(ContextEmpty, conversationAt(c.rows.row.ID), plural.Count(len(c.rows.messages), "message", "messages")+", and none in the context")
	}
	if len(lost.ids) > 0 {
		c.found.add(MessageUnreferenced, messageAt(lost.ids[0]), lost.String(), formatIDs(lost.ids)...)
	}
	if len(dropped.ids) > 0 {
		c.found.add(MessageUnreferenced, messageAt(dropped.ids[0]), dropped.String()+"; older than all that is shown, as /new leaves them", formatIDs(dropped.ids)...).downgrade()
	}
	if len(rewound.ids) > 0 {
		c.found.add(MessageUnreferenced, messageAt(rewound.ids[0]), rewound.String()+"; the transcript doesn't show them, as after going back to the beginning", formatIDs(rewound.ids)...).downgrade()
	}
}

// unreferencedMessages are the messages that no context and no summary names: those that
// are lost, those that /new may have dropped, and those that the transcript may have
// lost or the user went back before.
func (c *messageCheck) unreferencedMessages() (lost, dropped, rewound unreferencedRun) {
	under := map[int64]bool{}
	for _, l := range slices.Concat(c.rows.messageLinks, c.rows.incomingLinks) {
		under[l.Message] = true
	}
	oldest, anchored := c.rows.firstContextSeq(), false
	for i := range c.rows.messages {
		m := &c.rows.messages[i]
		missing := c.file.anchors.missing[m.id]
		anchored = anchored || m.namesEntry && !missing
		switch {
		case under[m.id] || c.isExpectedOutside(m):
		case m.isBlank && m.partCount == 0 || m.isForgotten: // It holds nothing that a model could miss.
		case c.duplicateIDs[m.id]: // Another message has its text.
		case missing && anchored: // The user went back to an earlier message.
		case missing:
			rewound.add(m)
		case c.rows.mayBeReset && oldest > 0 && m.seq < oldest:
			dropped.add(m)
		default:
			lost.add(m)
		}
	}
	return lost, dropped, rewound
}

// isExpectedOutside reports whether it is in order that no summary names a message.
func (c *messageCheck) isExpectedOutside(m *scannedMessage) bool {
	return c.rows.inContext[m.id] || c.file.halfMade[m.id] || m.isHostNote || c.rows.isReset(m.unixTime) || c.rows.isCleared()
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
