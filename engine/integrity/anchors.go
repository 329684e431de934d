package integrity

import (
	"context"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
)

// anchorState is what the anchors of a file tell about its messages.
type anchorState struct {
	imported map[int64]bool // Messages that the host imported from the transcript.
	missing  map[int64]bool // Messages whose entry the host missed in the transcript.
	repeated map[int64]bool // Messages that an earlier conversation of the session holds.
}

// anchorCheck checks what a file holds about transcripts.
type anchorCheck struct {
	found *findings
	file  *fileScan
}

// checkAnchors checks anchors, epochs and receipts of turns.
func (c *anchorCheck) checkAnchors(ctx context.Context) (err error) {
	if !c.file.has(data.AnchorTrustTable) {
		return nil
	}
	if c.file.anchors.imported, err = lcm.ImportedMessages(ctx, c.file.db, c.file.Conversation); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{c.checkSuspectAnchors, c.checkWrongAnchors, c.checkUnprovenEntries, c.checkEpochs, c.checkReceipts, c.checkRepeatedHistories} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// addOf adds a finding of a conversation, or returns nil if the request isn't about it.
func (c *anchorCheck) addOf(conv int64, fault FaultID, where location, detail string, rows ...string) *Finding {
	if c.file.Conversation != 0 && c.file.Conversation != conv {
		return nil
	}
	f := c.found.add(fault, where, detail, rows...)
	f.Conversation = conv
	return f
}

func anchorAt(message int64) location { return rowAt(data.AnchorTrustTable, formatID(message)) }

// checkWrongAnchors finds trust rows that don't fit their messages or are incomplete.
func (c *anchorCheck) checkWrongAnchors(ctx context.Context) error {
	if !c.file.wants(AnchorEntryWrong, AnchorConversationWrong, AnchorIncomplete) {
		return nil
	}
	wrong, err := lcm.WrongAnchors(ctx, c.file.db)
	for _, a := range wrong {
		where := anchorAt(a.Message)
		if a.OtherEntry {
			c.addOf(a.Conversation, AnchorEntryWrong, where, fmt.Sprintf("names the entry %s, the message names %s", entryName(a.Entry), entryName(a.MessageEntry)))
		}
		if a.OtherConversation {
			c.addOf(a.MessageConversation, AnchorConversationWrong, where, fmt.Sprintf("says conversation %d, the message belongs to conversation %d", a.Conversation, a.MessageConversation))
		}
		if a.Incomplete {
			detail := "is trusted, and has no time at which it was verified"
			if a.Entry.Null {
				detail = "is trusted, and names no entry"
			}
			c.addOf(a.Conversation, AnchorIncomplete, where, detail)
		}
	}
	return err
}

// entryName returns an entry of a transcript in a text.
func entryName(v data.Stored) string {
	if v.Null {
		return "none"
	}
	return clip(v.Text)
}

// checkUnprovenEntries finds conversations with messages that name an entry of the transcript
// and have no trust row.
func (c *anchorCheck) checkUnprovenEntries(ctx context.Context) error {
	if !c.file.wants(EntryWithoutAnchor) {
		return nil
	}
	counts, err := lcm.CountEntriesWithoutAnchor(ctx, c.file.db)
	for conv, n := range counts {
		c.addOf(conv, EntryWithoutAnchor, conversationAt(conv), plural.Count(int(n), "message names an entry", "messages name entries")+
			" of the transcript that nobody has vouched for; the host distrusts them at its next start")
	}
	return err
}

// checkEpochs finds epochs that don't fit their conversations, or that no known host writes.
func (c *anchorCheck) checkEpochs(ctx context.Context) error {
	if !c.file.wants(EpochOfOtherSession, EpochUnusual) {
		return nil
	}
	unusual, err := lcm.UnusualEpochs(ctx, c.file.db)
	for _, e := range unusual {
		where := rowAt(data.EpochTable, formatID(e.Conversation))
		if e.OtherSession {
			c.addOf(e.Conversation, EpochOfOtherSession, where, "of the session "+clip(e.Session)+", which the conversation has no longer")
		}
		if e.UnknownMode {
			c.addOf(e.Conversation, EpochUnusual, where, "its mode is "+clip(e.Mode))
		} else if e.BadMetadata {
			c.addOf(e.Conversation, EpochUnusual, where, "its metadata isn't JSON")
		}
	}
	return err
}

// checkReceipts finds receipts of turns whose session no conversation has.
func (c *anchorCheck) checkReceipts(ctx context.Context) error {
	if c.file.Conversation != 0 || !c.file.wants(TurnReceiptDangling) {
		return nil
	}
	dangling, err := lcm.ReadDanglingReceipts(ctx, c.file.db)
	for _, r := range dangling {
		detail := plural.Count(int(r.Count), "receipt", "receipts") + " of a session that no conversation has"
		if r.KeyGoesOn {
			detail += "; a conversation has its session key"
		}
		c.found.add(TurnReceiptDangling, rowAt(data.TurnTable, r.Session), detail)
	}
	return err
}

// checkSuspectAnchors finds what the host distrusts: entries that nobody vouched for, and
// messages in contexts whose entry the transcript doesn't show.
func (c *anchorCheck) checkSuspectAnchors(ctx context.Context) error {
	suspects, err := lcm.SuspectAnchors(ctx, c.file.db, lcm.ReasonMissing, lcm.ReasonUnproven)
	if err != nil {
		return err
	}
	c.file.anchors.missing = map[int64]bool{}
	owner, first, distrusted := map[int64]int64{}, map[int64]int64{}, map[int64][]lcm.SuspectAnchor{}
	for _, a := range suspects {
		switch {
		case a.Reason == lcm.ReasonUnproven && a.Seq.Valid:
			distrusted[a.Conversation] = append(distrusted[a.Conversation], a)
		case a.Reason == lcm.ReasonMissing:
			c.file.anchors.missing[a.Message], owner[a.Message] = true, a.Conversation
			if seq, known := first[a.Conversation]; !known || a.Seq.Value < seq {
				first[a.Conversation] = a.Seq.Value
			}
		}
	}
	if err := c.checkDistrusted(ctx, distrusted); err != nil {
		return err
	}
	return c.checkRewound(ctx, owner, first)
}

// checkDistrusted finds active conversations with entries that the host distrusts because
// nobody vouched for them.
func (c *anchorCheck) checkDistrusted(ctx context.Context, distrusted map[int64][]lcm.SuspectAnchor) error {
	if !c.file.wants(AnchorDistrusted) {
		return nil
	}
	for _, v := range c.file.conversations {
		list := distrusted[v.ID]
		if len(list) == 0 || v.Active.Value != 1 || !c.file.concerns(v.ID) {
			continue
		}
		var ids []int64
		last := list[0].Seq.Value
		for _, a := range list {
			ids, last = append(ids, a.Message), max(last, a.Seq.Value)
		}
		n, err := lcm.CountWithoutEntry(ctx, c.file.db, v.ID, last)
		if err != nil {
			return err
		}
		detail := "the host distrusts the entries of " + plural.Count(len(ids), "message", "messages")
		if n > 0 {
			detail += "; repair this before the host's next start, or it stores up to " + plural.Count(int(n), "message", "messages") + " again"
		} else {
			detail += "; repair this before the host's next start, or it stores again what it stores until then"
		}
		c.addOf(v.ID, AnchorDistrusted, conversationAt(v.ID), detail, formatIDs(ids)...)
	}
	return nil
}

// checkRewound finds contexts with messages whose entry the transcript doesn't show. owner is
// the conversation of each, and first the lowest seq of those of a conversation.
func (c *anchorCheck) checkRewound(ctx context.Context, owner, first map[int64]int64) error {
	if len(owner) == 0 || !c.file.wants(RewoundMessagesInContext) {
		return nil
	}
	shown := map[int64][]int64{}
	err := lcm.ContextMessages(ctx, c.file.db, func(message int64) {
		if conv, missing := owner[message]; missing {
			shown[conv] = append(shown[conv], message)
		}
	})
	for conv, ids := range shown {
		if err != nil || c.file.Conversation != 0 && c.file.Conversation != conv {
			continue
		}
		var seq int64
		var trusted bool
		seq, trusted, err = lcm.FirstTrustedSeq(ctx, c.file.db, conv)
		wentBack := trusted && seq < first[conv]
		detail := plural.Count(len(ids), "message", "messages") + " in the context that the transcript doesn't show: "
		if wentBack {
			detail += "the user went back to an earlier message"
		} else {
			detail += "the user went back to the beginning, or the transcript lost it"
		}
		c.addOf(conv, RewoundMessagesInContext, conversationAt(conv), detail, formatIDs(ids)...).NeedsNoChoice = wentBack
	}
	return err
}
