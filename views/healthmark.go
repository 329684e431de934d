package views

import (
	"context"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
)

// soundness is what is known of a conversation's health, and of which state of it.
type soundness struct {
	rest   time.Time // It isn't checked again before, although it has changed.
	counts integrity.Counts
	of     state
	// found and limits are those of a check of this conversation alone; nil where only the
	// whole file was checked.
	found  *integrity.Diagnosis
	limits integrity.Limits
}

// state tells whether a conversation has changed since it was checked.
type state struct{ messages, items, tokens, summaries int64 }

func stateOf(n *counts) state {
	if n == nil {
		return state{}
	}
	return state{n.Messages, n.ContextItems, n.ContextTokens, n.SummaryCount()}
}

// learn keeps what a check found, of one conversation or, for 0, of all.
func (e *Env) learn(conv int64, d integrity.Diagnosis) {
	if e.sound == nil || conv == 0 {
		e.sound = map[int64]soundness{}
	}
	if conv != 0 {
		e.sound[conv] = soundness{}
	}
	e.whole = e.whole || conv == 0
	e.unreadable = slices.ContainsFunc(d.Findings, func(f integrity.Finding) bool {
		return f.Fault == integrity.PagesDamaged && f.Severity == integrity.Fatal
	})
	for _, f := range d.Findings {
		if f.Conversation == 0 {
			continue
		}
		s := e.sound[f.Conversation]
		s.counts.Add(f.Severity)
		e.sound[f.Conversation] = s
	}
}

// health is what is known of a conversation's health. Where parts of the file can't be
// read, nobody knows that a conversation without findings is sound.
func (e *Env) health(conv int64) (integrity.Counts, bool) {
	s, ok := e.sound[conv]
	if n := s.counts; e.unreadable && n.Fatal+n.Error+n.Warn == 0 {
		return n, false
	}
	return s.counts, ok || e.whole
}

// healthMark is the mark of a conversation in lists and tabs: its damage, else its
// warnings; nothing where all is well, and a dot where that isn't known.
func (e *Env) healthMark(conv int64) string {
	n, known := e.health(conv)
	switch damage := n.Fatal + n.Error; {
	case !known:
		return e.Styles.Faint.Render("·")
	case damage > 0:
		return e.Styles.Bad.Render("! " + strconv.Itoa(damage))
	case n.Warn > 0:
		return e.Styles.Warn.Render("~ " + strconv.Itoa(n.Warn))
	}
	return ""
}

// markMsg brings the health of one conversation of the list.
type markMsg struct {
	conv  int64
	of    state
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
	for _, r := range c.list.Visible() {
		of := stateOf(r.counts)
		if known, ok := c.env.sound[r.ID]; r.counts == nil || c.checkFailed[r.ID] == c.loads || ok && (known.of == of || c.env.Now().Before(known.rest)) {
			continue
		}
		env, db, wait := c.env, c.env.DB, c.wait
		request := integrity.Request{Conversation: r.ID, FilesDir: c.env.Files}
		c.wait, c.checking = 0, r.ID
		return c.env.Jobs.QuietAfter(c, "health", wait, read(func(ctx context.Context) (markMsg, error) {
			request.Limits = env.limits()
			check := env.checkRows
			if check == nil {
				check = checkConversation
			}
			begun := time.Now()
			d, err := check(ctx, db, request)
			return markMsg{request.Conversation, of, d, request.Limits, time.Since(begun)}, err
		}))
	}
	return nil
}

// checkFunc checks a conversation of a list.
type checkFunc func(context.Context, *data.DB, integrity.Request) (integrity.Diagnosis, error)

func checkConversation(ctx context.Context, db *data.DB, r integrity.Request) (integrity.Diagnosis, error) {
	return integrity.Check(ctx, db, r, nil)
}

// postponeCheck puts off what nobody waits for.
func (c *Conversations) postponeCheck() {
	c.env.Jobs.Cancel(c, "health")
	c.wait = c.env.idle
}

func (c *Conversations) receiveMark(m markMsg) {
	c.env.learn(m.conv, m.found)
	s := c.env.sound[m.conv]
	s.of, s.found, s.limits, s.rest = m.of, &m.found, m.by, c.env.Now().Add(checkShare*m.took)
	c.env.sound[m.conv] = s
}

// damage is how much is known to be damaged.
func (c *Conversations) damage(r *conversationRow) int {
	n, _ := c.env.health(r.ID)
	return n.Fatal + n.Error
}

// damageRank orders conversations by damage: those that nobody has checked come after
// the damaged and before the sound.
func (c *Conversations) damageRank(r *conversationRow) int {
	const unchecked, damaged = 1, 2
	switch _, known := c.env.health(r.ID); {
	case !known:
		return unchecked
	case c.damage(r) > 0:
		return damaged + c.damage(r)
	}
	return 0
}
