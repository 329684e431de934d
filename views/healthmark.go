package views

import (
	"context"
	"slices"
	"strconv"
	"time"

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

// checkFunc checks a conversation of a list.
type checkFunc func(context.Context, *data.DB, integrity.Request) (integrity.Diagnosis, error)

func checkConversation(ctx context.Context, db *data.DB, r integrity.Request) (integrity.Diagnosis, error) {
	return integrity.Check(ctx, db, r, nil)
}
