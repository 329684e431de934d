package integrity

import (
	"fmt"
	"slices"
	"strconv"

	"lcm-tui/engine/integrity/scan"
	"lcm-tui/internal/plural"
)

// messageCheck checks the messages of a conversation.
type messageCheck struct {
	found *findings
	file  *fileScan
	rows  *scan.Conversation

	unusualMessages
	media        []mediaPart
	withoutParts []int64
	duplicateIDs map[int64]bool // Messages that repeat another one.
}

// checkMessages checks the messages as a whole, after texts and parts were read.
func (c *messageCheck) checkMessages() {
	for i := range c.rows.Messages {
		m := &c.rows.Messages[i]
		c.checkRole(m)
		c.checkEmptyMessage(m)
		c.checkMessageTokens(m)
		if m.InjectedTag != "" && !m.OfHostTool {
			addIfShown(c.found, c.rows.InContext[m.ID], InjectedContextStored, messageAt(m.ID), "holds "+m.InjectedTag)
		}
	}
	(&toolCallCheck{c.found, c.rows, c.file.halfMade}).checkToolPairs()
	(&duplicateCheck{c.found, c.rows.Messages, c.file.anchors.imported}).checkDuplicates()
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
			seen = seen || c.rows.InContext[id]
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
func (c *messageCheck) checkRole(m *scan.Message) {
	if role := m.PartRole; role != "" && role != m.Role {
		c.found.add(MessageRoleWrong, messageAt(m.ID), fmt.Sprintf("the row says %s, its first part %s", clip(m.Role), role))
	}
}

// checkEmptyMessage finds messages without content, and collects those without parts.
func (c *messageCheck) checkEmptyMessage(m *scan.Message) {
	switch {
	case m.PartCount > 0 || c.file.halfMade[m.ID] || !c.file.db.Schema().Has("message_parts"):
	case m.IsBlank:
		addIfShown(c.found, c.rows.InContext[m.ID], MessageEmpty, messageAt(m.ID), "an empty message of "+clip(m.Role))
	case !m.IsHostNote && !m.IsForgotten:
		c.withoutParts = append(c.withoutParts, m.ID)
	}
}

// checkMessageTokens checks a message's token count. The host counts the blocks as a model
// is shown them, so more than the text is right; hosts before 0.8 counted CJK text far too
// low.
func (c *messageCheck) checkMessageTokens(m *scan.Message) {
	says := !m.IsBlank || m.HasContent
	least := int64(m.Runes+3) / 4
	most := 2*max(m.Estimate, m.PartTokens) + 32
	switch {
	case !says && m.PartCount == 0: // It has a fault of its own, MessageEmpty.
	case !m.HasCount:
		c.found.add(MessageTokensMissing, messageAt(m.ID), "token_count isn't a number")
	case m.Tokens < 0, m.Tokens == 0 && says && !m.IsForgotten:
		c.found.add(MessageTokensMissing, messageAt(m.ID), fmt.Sprintf("counted %d tokens, at least %d", m.Tokens, max(least, 1)))
	case m.IsForgotten: // The count is of the text that was there.
	case m.Tokens*2 < least:
		c.found.add(MessageTokensWrong, messageAt(m.ID), fmt.Sprintf("counted %d tokens, the text alone has %d", m.Tokens, least))
	case m.Tokens > most && !m.RefersToPayload:
		c.found.add(MessageTokensWrong, messageAt(m.ID), fmt.Sprintf("counted %d tokens, all that is stored has about %d", m.Tokens, max(m.Estimate, m.PartTokens)))
	}
}

// checkMessageTimes finds times that go back, and many messages with one time.
func (c *messageCheck) checkMessageTimes() {
	const minutes = 60
	var last *scan.Message
	second := map[uint64][]int64{}
	var order []uint64
	for i := range c.rows.Messages {
		m := &c.rows.Messages[i]
		if len(second[m.CreatedAtHash]) == 0 {
			order = append(order, m.CreatedAtHash)
		}
		second[m.CreatedAtHash] = append(second[m.CreatedAtHash], m.ID)
		if m.UnixTime == 0 {
			continue
		}
		if last != nil && last.UnixTime-m.UnixTime > 5*minutes {
			c.found.add(MessageTimeBackwards, messageAt(m.ID), fmt.Sprintf("%d minutes older than message %d before it", (last.UnixTime-m.UnixTime)/minutes, last.ID), formatID(last.ID), formatID(m.ID))
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
	c.media = slices.DeleteFunc(c.media, func(m mediaPart) bool { return c.rows.IsForgotten(m.message) })
	if len(c.media) > 0 {
		bytes, ids := 0, []string{}
		for _, m := range c.media {
			bytes += m.bytes
			ids = append(ids, m.part)
		}
		c.found.add(MediaInRow, partAt(ids[0]), fmt.Sprintf("%s, %d KB in all", plural.Count(len(ids), "part holds media", "parts hold media"), bytes>>10), ids...)
	}
	if n := len(c.rows.Messages); n > 0 {
		if lo, hi := c.rows.Messages[0].Seq, c.rows.Messages[n-1].Seq; lo != 1 || hi != int64(n) {
			c.found.add(MessageSeqGaps, conversationAt(c.rows.Row.ID), fmt.Sprintf("%s from #%d to #%d", plural.Count(n, "message", "messages"), lo, hi))
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
	current := func(m scan.Message) bool { return !m.IsHostNote && !c.rows.IsReset(m.UnixTime) }
	if len(c.rows.Items) == 0 && c.rows.Row.Active.Value != 0 && slices.ContainsFunc(c.rows.Messages, current) {
		c.found.add(ContextEmpty, conversationAt(c.rows.Row.ID), plural.Count(len(c.rows.Messages), "message", "messages")+", and none in the context")
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

// unreferencedMessages returns the messages that no context and no summary names: those that
// are lost, those that /new may have dropped, and those that the transcript may have
// lost or the user went back before.
func (c *messageCheck) unreferencedMessages() (lost, dropped, rewound unreferencedRun) {
	under := map[int64]bool{}
	for _, l := range slices.Concat(c.rows.MessageLinks, c.rows.IncomingLinks) {
		under[l.Message] = true
	}
	oldest, anchored := c.rows.FirstContextSeq(), false
	for i := range c.rows.Messages {
		m := &c.rows.Messages[i]
		missing := c.file.anchors.missing[m.ID]
		anchored = anchored || m.NamesEntry && !missing
		switch {
		case under[m.ID] || c.isExpectedOutside(m):
		case m.IsBlank && m.PartCount == 0 || m.IsForgotten: // It holds nothing that a model could miss.
		case c.duplicateIDs[m.ID]: // Another message has its text.
		case missing && anchored: // The user went back to an earlier message.
		case missing:
			rewound.add(m)
		case c.rows.MayBeReset && oldest > 0 && m.Seq < oldest:
			dropped.add(m)
		default:
			lost.add(m)
		}
	}
	return lost, dropped, rewound
}

// isExpectedOutside reports whether it is in order that no summary names a message.
func (c *messageCheck) isExpectedOutside(m *scan.Message) bool {
	return c.rows.InContext[m.ID] || c.file.halfMade[m.ID] || c.file.takenOut[m.ID] || m.IsHostNote || c.rows.IsReset(m.UnixTime) || c.rows.IsCleared()
}

// unreferencedRun is some messages in the order of seq.
type unreferencedRun struct {
	ids            []int64
	lo, hi, tokens int64
}

func (l *unreferencedRun) add(m *scan.Message) {
	if len(l.ids) == 0 {
		l.lo = m.Seq
	}
	l.ids, l.hi, l.tokens = append(l.ids, m.ID), m.Seq, l.tokens+m.Tokens
}

func (l *unreferencedRun) String() string {
	if l.lo == l.hi {
		return fmt.Sprintf("message #%d, %d tokens", l.lo, l.tokens)
	}
	return fmt.Sprintf("%d messages between #%d and #%d, %d tokens", len(l.ids), l.lo, l.hi, l.tokens)
}
