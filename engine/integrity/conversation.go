package integrity

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
)

// siblings looks at conversations beside each other.
func (c *checker) siblings(ctx context.Context) error {
	s := c.db.Schema()
	if s.Has("conversations", "active") {
		c.twice(SessionKeyDuplicate, "key", func(v data.RawConversation) string { return v.Key.Text })
		c.twice(SessionIDDuplicate, "session", func(v data.RawConversation) string { return v.Session })
		if err := c.splits(ctx); err != nil {
			return err
		}
	}
	return nil
}

// concerns reports whether a finding about these conversations is asked for.
func (c *checker) concerns(ids ...int64) bool {
	return c.Conversation == 0 || slices.Contains(ids, c.Conversation)
}

// twice: active conversations that share what one alone should have. Different keys
// may share a session, so that is good to know only.
func (c *checker) twice(fault FaultID, what string, of func(data.RawConversation) string) {
	groups := map[string][]data.RawConversation{}
	for _, v := range c.all {
		if k := of(v); k != "" && v.Active.Value == 1 {
			groups[k] = append(groups[k], v)
		}
	}
	for _, v := range c.all {
		group := groups[of(v)]
		if len(group) < 2 || group[0].ID != v.ID {
			continue
		}
		allowed := fault == SessionIDDuplicate && differentKeys(group)
		newest := group[len(group)-1]
		for _, o := range group[:len(group)-1] {
			if !c.concerns(o.ID, newest.ID) {
				continue
			}
			detail := fmt.Sprintf("active, as is %d of the same %s", newest.ID, what)
			if allowed {
				detail += "; each has a key of its own, which hosts allow"
			}
			f := c.add(fault, conversation(o.ID), detail, number(newest.ID), number(o.ID))
			if f.Conversation = o.ID; allowed {
				f.mild()
			}
		}
	}
}

// differentKeys reports whether each has a key of its own.
func differentKeys(group []data.RawConversation) bool {
	seen := map[string]bool{}
	for _, v := range group {
		if v.Key.Text == "" || seen[v.Key.Text] {
			return false
		}
		seen[v.Key.Text] = true
	}
	return true
}

// splits: history that stayed behind. Jobs begin anew each time, so theirs is none.
func (c *checker) splits(ctx context.Context) error {
	live := map[string]int64{}
	for _, v := range c.all {
		if v.Active.Value == 1 && v.Key.Text != "" {
			live[v.Key.Text] = v.ID
		}
	}
	for _, v := range c.all {
		to, ok := live[v.Key.Text]
		if !ok || v.Active.Value != 0 || to < v.ID || v.Cause == "manual-reset" || isCron(v.Key.Text) || !c.concerns(v.ID, to) {
			continue
		}
		spoken, err := c.db.HasMessages(ctx, v.ID)
		if err != nil {
			return err
		}
		if spoken {
			f := c.add(HistorySplit, conversation(v.ID), fmt.Sprintf("archived with its messages; %d goes on under the same key", to), number(to), number(v.ID))
			f.Conversation = v.ID
			if v.Cause == "" {
				f.Detail += "; it isn't noted why, so it may have been reset"
			}
			if !c.db.Schema().Has("conversations", "archive_cause") {
				f.mild()
			}
		}
	}
	return nil
}

func isCron(key string) bool { return lane(key) == "cron" }

// lane is the third word of a session key.
func lane(key string) string {
	words := strings.SplitN(key, ":", 4)
	if len(words) < 4 || words[0] != "agent" {
		return ""
	}
	return words[2]
}

// itself looks at the conversation's own row.
func (t *talk) itself() {
	v := t.row
	where := conversation(v.ID)
	t.cell(where, "title", v.Title)
	if t.db.Schema().Has("conversations", "active", "archived_at") {
		archived := !v.ArchivedAt.Null && v.ArchivedAt.Text != ""
		switch {
		case v.Active.Value != 0 && v.Active.Value != 1 || !v.Active.Valid:
			t.add(ArchiveStateWrong, where, "active is "+clipped(v.Active.String()))
		case v.Active.Value == 0 && !archived:
			t.add(ArchiveStateWrong, where, "not active, and no time of archiving")
		case v.Active.Value == 1 && archived:
			t.add(ArchiveStateWrong, where, "active, and archived at "+clipped(v.ArchivedAt.Text))
		}
		t.silent()
	}
	if l := lane(v.Key.Text); l == "cron" || l == "subagent" {
		t.add(JobConversation, where, "of the lane "+l)
	}
	if len(t.said) == 0 {
		t.add(ConversationEmpty, where, "no messages")
	}
	t.growing()
}

// silent: nobody has said anything for long.
func (t *talk) silent() {
	last := t.row.CreatedAt.Unix()
	for i := range t.said {
		last = max(last, t.said[i].at)
	}
	if t.row.Active.Value == 1 && last < t.now.AddDate(0, 0, -silentDays).Unix() {
		t.add(ConversationSilent, conversation(t.row.ID), fmt.Sprintf("silent for %s, over %d", count(int((t.now.Unix()-last)/(24*60*60)), "day", "days"), silentDays))
	}
}

// growing: a context without a summary.
func (t *talk) growing() {
	most := t.Limits.budget(t.budgets[t.row.ID])
	var tokens int64
	n := 0
	for _, i := range t.items {
		if i.Summary == "" && !i.Missing {
			tokens += i.Tokens
			n++
		}
	}
	if len(t.order) == 0 && tokens > most {
		t.add(NeverCompacted, conversation(t.row.ID), fmt.Sprintf("%d tokens in %d messages, over a budget of %d, and no summary", tokens, n, most))
	}
}
