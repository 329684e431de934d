package integrity

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity/scan"
	"lcm-tui/internal/plural"
)

// sharedMessage is a message of one of several conversations of a session.
type sharedMessage struct{ conversation, id int64 }

// pair is two conversations of a session, the earlier one first.
type pair struct{ before, now int64 }

// checkRepeatedHistories finds what two conversations of a session both hold.
func (c *anchorCheck) checkRepeatedHistories(ctx context.Context) error {
	c.file.anchors.repeated = map[int64]bool{}
	sessions := map[string][]int64{}
	for _, v := range c.file.conversations {
		sessions[v.Session] = append(sessions[v.Session], v.ID)
	}
	for _, session := range slices.Sorted(maps.Keys(sessions)) {
		convs := sessions[session]
		if len(convs) < 2 || c.file.Conversation != 0 && !slices.Contains(convs, c.file.Conversation) {
			continue
		}
		if err := c.checkSharedEntries(ctx, convs); err != nil {
			return err
		}
		if err := c.checkRepeatedHistory(ctx, convs); err != nil {
			return err
		}
	}
	return c.downgradeUnseenRepeats(ctx)
}

// downgradeUnseenRepeats makes a finding of repeated messages Info if none of them is in the
// context: no model is shown them, and the rows stay for a host that goes on.
func (c *anchorCheck) downgradeUnseenRepeats(ctx context.Context) error {
	if len(c.file.anchors.repeated) == 0 {
		return nil
	}
	shown := map[string]bool{}
	err := lcm.ContextMessages(ctx, c.file.db, func(message int64) {
		if c.file.anchors.repeated[message] {
			shown[formatID(message)] = true
		}
	})
	for _, f := range c.found.list {
		repeated := f.Rows
		if f.Fault == EntryInSeveralConversations {
			repeated = f.Rows[1:]
		} else if f.Fault != ArchivedHistoryRepeated {
			continue
		}
		if !slices.ContainsFunc(repeated, func(row string) bool { return shown[row] }) {
			f.downgrade()
			f.Detail += "; not in the context, so no model is shown it"
		}
	}
	return err
}

// checkSharedEntries finds entries of the transcript that several conversations of a session
// name.
func (c *anchorCheck) checkSharedEntries(ctx context.Context, convs []int64) error {
	shared, err := c.sharedValues(ctx, "transcript_entry_id", convs)
	for _, entry := range slices.Sorted(maps.Keys(shared)) {
		eachPair(shared[entry], func(a, b sharedMessage) {
			f := c.addOf(b.conversation, EntryInSeveralConversations, messageAt(b.id), fmt.Sprintf("names the entry %s of message %d in conversation %d",
				clip(entry), a.id, a.conversation), formatID(a.id), formatID(b.id))
			c.noteRepeated(f, b.id)
		})
	}
	return err
}

// checkRepeatedHistory finds conversations of a session that repeat messages of an earlier one.
func (c *anchorCheck) checkRepeatedHistory(ctx context.Context, convs []int64) error {
	shared, err := c.sharedValues(ctx, "identity_hash", convs)
	if err != nil || len(shared) == 0 {
		return err
	}
	stamps, err := c.creationTimes(ctx, convs, shared)
	if err != nil {
		return err
	}
	repeats := map[pair]*repeatedMessages{}
	for _, list := range shared {
		byStamp := map[string]map[int64][]int64{}
		for _, m := range list {
			at, known := stamps[m.id]
			if !known {
				continue
			}
			if byStamp[at] == nil {
				byStamp[at] = map[int64][]int64{}
			}
			byStamp[at][m.conversation] = append(byStamp[at][m.conversation], m.id)
		}
		for _, same := range byStamp {
			addRepeats(repeats, same)
		}
	}
	for p, r := range repeats {
		if r.count >= 2 {
			c.addRepeatedHistory(p, r)
		}
	}
	return nil
}

// repeatedMessages are the messages of a conversation that repeat those of an earlier one.
type repeatedMessages struct {
	count    int        // Pairs of a message and one that it repeats.
	messages [][2]int64 // Each message once, with one that it repeats.
}

// addRepeats adds the messages of one identity and time, by conversation, to what conversations
// repeat of each other.
func addRepeats(repeats map[pair]*repeatedMessages, same map[int64][]int64) {
	for before, originals := range same {
		for now, again := range same {
			if before >= now {
				continue
			}
			r := repeats[pair{before, now}]
			if r == nil {
				r = &repeatedMessages{}
				repeats[pair{before, now}] = r
			}
			r.count += len(originals) * len(again)
			for i, id := range again {
				r.messages = append(r.messages, [2]int64{id, originals[min(i, len(originals)-1)]})
			}
		}
	}
}

// addRepeatedHistory adds the finding of a conversation that repeats messages of an earlier
// one.
func (c *anchorCheck) addRepeatedHistory(p pair, r *repeatedMessages) {
	f := c.addOf(p.now, ArchivedHistoryRepeated, conversationAt(p.now), fmt.Sprintf("%s of conversation %d of the same session are here again",
		plural.Count(len(r.messages), "message", "messages"), p.before))
	if f == nil {
		return
	}
	slices.SortFunc(r.messages, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	for _, m := range r.messages {
		f.Rows, f.Originals = append(f.Rows, formatID(m[0])), append(f.Originals, formatID(m[1]))
		c.noteRepeated(f, m[0])
	}
}

// noteRepeated marks a finding as one that several conversations show, and its message as one
// that an earlier conversation holds.
func (c *anchorCheck) noteRepeated(f *Finding, message int64) {
	if f != nil {
		f.AcrossConversations = true
		c.file.anchors.repeated[message] = true
	}
}

// eachPair calls fn with each two messages of different conversations, the earlier conversation
// first.
func eachPair(list []sharedMessage, fn func(a, b sharedMessage)) {
	for _, a := range list {
		for _, b := range list {
			if a.conversation < b.conversation {
				fn(a, b)
			}
		}
	}
}

// sharedValues returns the values of a column of messages that several conversations have, with
// their messages. What they hash to is kept of all values, and the messages only of those that
// occur twice.
func (c *anchorCheck) sharedValues(ctx context.Context, column string, convs []int64) (map[string][]sharedMessage, error) {
	first, again := map[uint64]int64{}, map[uint64]bool{}
	err := lcm.EachMessageValue(ctx, c.file.db, column, convs, func(conv, _ int64, v data.Stored) {
		h := scan.Hash(v.Text)
		if was, known := first[h]; !known {
			first[h] = conv
		} else if was != conv {
			again[h] = true
		}
	})
	if err != nil || len(again) == 0 {
		return nil, err
	}
	shared := map[string][]sharedMessage{}
	err = lcm.EachMessageValue(ctx, c.file.db, column, convs, func(conv, id int64, v data.Stored) {
		if again[scan.Hash(v.Text)] {
			shared[storedKey(v)] = append(shared[storedKey(v)], sharedMessage{conv, id})
		}
	})
	return shared, err
}

// storedKey returns a cell as a key: a BLOB never equals a text.
func storedKey(v data.Stored) string {
	if v.Blob {
		return "\x00" + v.Text
	}
	return v.Text
}

// creationTimes returns the creation times of messages of some conversations as they are stored,
// except NULL. One pass over all messages is faster than a search for each.
func (c *anchorCheck) creationTimes(ctx context.Context, convs []int64, of map[string][]sharedMessage) (map[int64]string, error) {
	shared := map[int64]bool{}
	for _, list := range of {
		for _, m := range list {
			shared[m.id] = true
		}
	}
	known := map[int64]string{}
	err := lcm.EachMessageValue(ctx, c.file.db, "created_at", convs, func(_, id int64, v data.Stored) {
		if shared[id] {
			known[id] = storedKey(v)
		}
	})
	return known, err
}
