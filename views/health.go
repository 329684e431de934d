package views

import (
	"context"
	"slices"
	"strconv"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
)

// Soundness is what is known of a conversation's health, and of which state of it.
type Soundness struct {
	Rest   time.Time // It isn't checked again before, although it has changed.
	counts integrity.Counts
	Of     State
	// found and limits are those of a check of this conversation alone; nil where only the
	// whole file was checked.
	Found  *integrity.Diagnosis
	Limits integrity.Limits
}

// State tells whether a conversation has changed since it was checked.
type State struct{ Messages, items, tokens, summaries int64 }

// StateOf returns what tells whether a conversation has changed since its numbers were these.
func StateOf(n *Counts) State {
	if n == nil {
		return State{}
	}
	return State{n.Messages, n.ContextItems, n.ContextTokens, n.SummaryCount()}
}

// knownHealth is what is known of the health of the file's conversations.
type knownHealth struct {
	Sound map[int64]Soundness
	Whole bool // The whole file was checked.
	// unreadable says that a check met pages of the file that can't be read.
	unreadable bool
}

// Learn keeps what a check found, of one conversation or, for 0, of all.
func (h *knownHealth) Learn(conv int64, d integrity.Diagnosis) {
	if h.Sound == nil || conv == 0 {
		h.Sound = map[int64]Soundness{}
	}
	if conv != 0 {
		h.Sound[conv] = Soundness{}
	}
	h.Whole = h.Whole || conv == 0
	h.unreadable = slices.ContainsFunc(d.Findings, func(f integrity.Finding) bool {
		return f.Fault == integrity.PagesDamaged && f.Severity == integrity.Fatal
	})
	for _, f := range d.Findings {
		if f.Conversation == 0 {
			continue
		}
		s := h.Sound[f.Conversation]
		s.counts.Add(f.Severity)
		h.Sound[f.Conversation] = s
	}
}

// Health returns what is known of a conversation's health. Where parts of the file can't be
// read, nobody knows that a conversation without findings is sound.
func (h *knownHealth) Health(conv int64) (integrity.Counts, bool) {
	s, ok := h.Sound[conv]
	if n := s.counts; h.unreadable && n.Fatal+n.Error+n.Warn == 0 {
		return n, false
	}
	return s.counts, ok || h.Whole
}

// HealthMark returns the mark of a conversation in lists and tabs: its damage, else its
// warnings; nothing where all is well, and a dot where that isn't known.
func (e *Env) HealthMark(conv int64) string {
	n, known := e.Health(conv)
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

// CheckFunc checks a conversation of a list.
type CheckFunc func(context.Context, *data.DB, integrity.Request) (integrity.Diagnosis, error)

// CheckConversation checks with the engine.
func CheckConversation(ctx context.Context, db *data.DB, r integrity.Request) (integrity.Diagnosis, error) {
	return integrity.Check(ctx, db, r, nil)
}
