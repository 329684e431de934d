package home

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/integrity"
	"lcm-tui/views"
)

// markMsg brings the health of one conversation of the list.
type markMsg struct {
	conv  int64
	of    views.State
	found integrity.Diagnosis
	by    integrity.Limits
	took  time.Duration
}

// checkShare is the part of the time that checking a conversation which changes all the time may
// take: one in so many.
const checkShare = 30

// checkVisible checks the conversations on screen, one after the other, once they are
// counted and no key was pressed for a while, and again only when they have changed, and not while
// that would take more than a small part of the time.
// Nobody waits for it.
func (c *Conversations) checkVisible() tea.Cmd {
	if c.hidden || c.env.Jobs.Running(c, "count") || c.env.Jobs.Running(c, "health") {
		return nil
	}
	for _, r := range c.List.Visible() {
		of := views.StateOf(r.counts)
		if known, ok := c.env.Sound[r.ID]; r.counts == nil || c.checkFailed[r.ID] == c.loads || ok && (known.Of == of || c.env.Now().Before(known.Rest)) {
			continue
		}
		env, db, wait := c.env, c.env.DB, c.wait
		request := integrity.Request{Conversation: r.ID, FilesDir: c.env.Files}
		c.wait, c.checking = 0, r.ID
		return c.env.Jobs.QuietAfter(c, "health", wait, views.Read(func(ctx context.Context) (markMsg, error) {
			request.Limits = env.Limits()
			check := env.CheckRows
			if check == nil {
				check = views.CheckConversation
			}
			begun := time.Now()
			d, err := check(ctx, db, request)
			return markMsg{request.Conversation, of, d, request.Limits, time.Since(begun)}, err
		}))
	}
	return nil
}

// postponeCheck puts off what nobody waits for.
func (c *Conversations) postponeCheck() {
	c.env.Jobs.Cancel(c, "health")
	c.wait = c.env.Idle
}

func (c *Conversations) receiveMark(m markMsg) {
	c.env.Learn(m.conv, m.found)
	s := c.env.Sound[m.conv]
	s.Of, s.Found, s.Limits, s.Rest = m.of, &m.found, m.by, c.env.Now().Add(checkShare*m.took)
	c.env.Sound[m.conv] = s
}

// damage returns how much is known to be damaged.
func (t *rowText) damage(r *conversationRow) int {
	n, _ := t.env.Health(r.ID)
	return n.Fatal + n.Error
}

// damageRank orders conversations by damage: those that nobody has checked come after
// the damaged and before the sound.
func (t *rowText) damageRank(r *conversationRow) int {
	const unchecked, damaged = 1, 2
	switch _, known := t.env.Health(r.ID); {
	case !known:
		return unchecked
	case t.damage(r) > 0:
		return damaged + t.damage(r)
	}
	return 0
}
