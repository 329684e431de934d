package integrity

import (
	"context"
	"fmt"
	"strings"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity/scan"
	"lcm-tui/internal/plural"
)

// sessionCheck compares conversations with each other.
type sessionCheck struct {
	found *findings
	file  *fileScan
}

// checkActivePairs compares active conversations with each other, and with archived ones.
func (c *sessionCheck) checkActivePairs(ctx context.Context) error {
	schema := c.file.db.Schema()
	if schema.Has("conversations", "active") {
		c.checkDuplicateActive(SessionKeyDuplicate, "key", func(v lcm.RawConversation) string { return v.Key.Text })
		c.checkDuplicateActive(SessionIDDuplicate, "session", func(v lcm.RawConversation) string { return v.Session })
		if err := c.checkHistorySplits(ctx); err != nil {
			return err
		}
	}
	return nil
}

// checkDuplicateActive finds active conversations that share a key or a session.
// Conversations with different keys may share a session, so such a finding is Info.
func (c *sessionCheck) checkDuplicateActive(fault FaultID, what string, of func(lcm.RawConversation) string) {
	groups := map[string][]lcm.RawConversation{}
	for _, v := range c.file.conversations {
		if k := of(v); k != "" && v.Active.Value == 1 {
			groups[k] = append(groups[k], v)
		}
	}
	for _, v := range c.file.conversations {
		group := groups[of(v)]
		if len(group) < 2 || group[0].ID != v.ID {
			continue
		}
		allowed := fault == SessionIDDuplicate && differentKeys(group)
		newest := group[len(group)-1]
		for _, o := range group[:len(group)-1] {
			if !c.file.concerns(o.ID, newest.ID) {
				continue
			}
			detail := fmt.Sprintf("active, as is conversation %d of the same %s", newest.ID, what)
			if allowed {
				detail += "; each has a key of its own, which hosts allow"
			}
			f := c.found.add(fault, conversationAt(o.ID), detail, formatID(newest.ID), formatID(o.ID))
			if f.Conversation = o.ID; allowed {
				f.downgrade()
			}
		}
	}
}

// differentKeys reports whether each conversation has a key of its own.
func differentKeys(group []lcm.RawConversation) bool {
	seen := map[string]bool{}
	for _, v := range group {
		if v.Key.Text == "" || seen[v.Key.Text] {
			return false
		}
		seen[v.Key.Text] = true
	}
	return true
}

// checkHistorySplits finds history that stayed in an archived conversation. A job starts
// again each time on purpose, so its conversations are left out.
func (c *sessionCheck) checkHistorySplits(ctx context.Context) error {
	live := map[string]int64{}
	for _, v := range c.file.conversations {
		if v.Active.Value == 1 && v.Key.Text != "" {
			live[v.Key.Text] = v.ID
		}
	}
	for _, v := range c.file.conversations {
		to, ok := live[v.Key.Text]
		if !ok || v.Active.Value != 0 || to < v.ID || v.Cause == "manual-reset" || c.file.ended[v.ID] || lcm.IsScheduledRun(v.Key.Text) || !c.file.concerns(v.ID, to) {
			continue
		}
		hasMessages, err := lcm.HasMessages(ctx, c.file.db, v.ID)
		if err != nil {
			return err
		}
		if hasMessages {
			f := c.found.add(HistorySplit, conversationAt(v.ID), fmt.Sprintf("archived with its messages; conversation %d goes on under the same key", to), formatID(to), formatID(v.ID))
			f.Conversation = v.ID
			if v.Cause == "" {
				f.Detail += "; the reason isn't stored, so it may have been reset"
			}
			if !c.file.db.Schema().Has("conversations", "archive_cause") {
				f.downgrade()
			}
		}
	}
	return nil
}

// lane returns the third part of a session key agent:NAME:LANE:REST, or empty.
func lane(key string) string {
	words := strings.SplitN(key, ":", 4)
	if len(words) < 4 || words[0] != "agent" {
		return ""
	}
	return words[2]
}

// rowCheck checks the row of a conversation.
type rowCheck struct {
	found *findings
	file  *fileScan
	rows  *scan.Conversation
}

// checkConversationRow checks the conversation's own row.
func (c *rowCheck) checkConversationRow() {
	v := c.rows.Row
	where := conversationAt(v.ID)
	// What is left of a session whose file was deleted is over, and is never compacted.
	onlyPrompts := lcm.Conversation{SessionKey: v.Key.Text}.OnlyPrompts()
	checkText(c.found, where, "title", v.Title)
	if c.file.db.Schema().Has("conversations", "active", "archived_at") {
		archived := !v.ArchivedAt.Null && v.ArchivedAt.Text != ""
		switch {
		case v.Active.Value != 0 && v.Active.Value != 1 || !v.Active.Valid:
			c.found.add(ArchiveStateWrong, where, "active is "+clip(v.Active.String()))
		case v.Active.Value == 0 && !archived:
			c.found.add(ArchiveStateWrong, where, "not active, and no time of archiving")
		case v.Active.Value == 1 && archived:
			c.found.add(ArchiveStateWrong, where, "active, and archived at "+clip(v.ArchivedAt.Text))
		}
		if !onlyPrompts {
			c.checkSilence()
		}
	}
	if l := lane(v.Key.Text); l == "cron" || l == "subagent" {
		c.found.add(JobConversation, where, "of the lane "+l)
	}
	if len(c.rows.Messages) == 0 {
		c.found.add(ConversationEmpty, where, "no messages")
	}
	if !onlyPrompts {
		c.checkNeverCompacted()
	}
}

// checkSilence finds an active conversation without a message for silentDays.
func (c *rowCheck) checkSilence() {
	last := c.rows.Row.CreatedAt.Unix()
	for i := range c.rows.Messages {
		last = max(last, c.rows.Messages[i].UnixTime)
	}
	if c.rows.Row.Active.Value == 1 && last < c.file.now.AddDate(0, 0, -silentDays).Unix() {
		c.found.add(ConversationSilent, conversationAt(c.rows.Row.ID), fmt.Sprintf("silent for %s, over %d", plural.Count(int((c.file.now.Unix()-last)/(24*60*60)), "day", "days"), silentDays))
	}
}

// checkNeverCompacted finds a context over its budget without a summary.
func (c *rowCheck) checkNeverCompacted() {
	most := c.file.Limits.budgetFor(c.file.budgets[c.rows.Row.ID])
	var tokens int64
	n := 0
	for _, i := range c.rows.Items {
		if i.Summary == "" && !i.Missing {
			tokens = lcm.AddTokens(tokens, i.Tokens)
			n++
		}
	}
	if len(c.rows.Summaries) == 0 && tokens > most {
		c.found.add(NeverCompacted, conversationAt(c.rows.Row.ID), fmt.Sprintf("%d tokens in %d messages, over a budget of %d, and no summary", tokens, n, most))
	}
}
