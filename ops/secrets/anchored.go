package secrets

import (
	"context"
	"errors"
	"math"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/hostactivity"
	"lcm-tui/engine/redact"
)

// A host of 1.0 compares messages with the session in its own database at each start, and stores what lies
// behind the last message that it finds there. A message whose text was replaced isn't found. So
// while that database keeps the secrets, a message stays as it is where no untouched anchor stands behind it.

// storedAgain is why a message keeps a secret.
const storedAgain = "the host would store it again at its next start, with the secret, since it finds no later message in its session again; --transcripts replaces it in both places"

// isOne reports whether hosts of 1.0 keep a file.
func isOne(db *data.DB) bool { return db.Kind().Generation == data.GenerationOne }

// findKept finds the rows with secrets, and the messages among them that keep their texts, and says so of the findings.
func (h *hostSessions) findKept(ctx context.Context, db *data.DB, found *Report, report data.Report) (err error) {
	if h.rows, err = rowsWith(ctx, db, redact.NewKnown(h.op.chosen), report); err != nil {
		return err
	}
	if h.kept, err = h.keptMessages(ctx, db, h.rows); err != nil {
		return err
	}
	for i, f := range found.Findings {
		if f.File == "" && h.kept[f.Message] {
			found.Findings[i].Kept = storedAgain
		}
	}
	return nil
}

// keeps reports whether a row belongs to a message that keeps its texts.
func (h *hostSessions) keeps(r row) bool { return r.message != 0 && h.kept[r.message] }

// keptMessages returns the messages of some rows that keep their texts.
func (h *hostSessions) keptMessages(ctx context.Context, db *data.DB, rows []row) (kept map[int64]bool, err error) {
	kept = map[int64]bool{}
	if !isOne(db) {
		return kept, nil
	}
	swept := map[int64]map[int64]bool{} // Messages, by conversation.
	for _, r := range rows {
		if r.table.Name != "messages" || r.message == 0 {
			continue
		}
		if swept[r.conversation] == nil {
			swept[r.conversation] = map[int64]bool{}
		}
		swept[r.conversation][r.message] = true
	}
	for conv, messages := range swept {
		c, err := lcm.ReadConversation(ctx, db, conv)
		if errors.As(err, new(*data.NotFoundError)) {
			continue // Of a damaged file.
		}
		if err != nil {
			return nil, err
		}
		gone := h.known.Unknown(c.SessionKey) == "" && len(h.known.Knows(c.SessionKey, c.SessionID)) == 0
		if !c.Active || gone || h.sweeps(c.SessionID) {
			continue
		}
		anchors, err := h.check.Anchors(ctx, db, hostactivity.Conversation{ID: conv, Session: c.SessionID})
		if err != nil {
			return nil, err
		}
		p := &protection{swept: messages}
		if err := p.read(ctx, db, conv, anchors); err != nil {
			return nil, err
		}
		for _, id := range p.keep() {
			kept[id] = true
		}
	}
	return kept, nil
}

// protection finds out which messages of a conversation have to keep their texts.
type protection struct {
	swept map[int64]bool // Messages whose text is to be replaced.
	rows  []protectedRow // By seq.
}

// protectedRow is a message of a conversation.
type protectedRow struct {
	id, seq int64
	key     bool // The host knows it by an event key, and doesn't store it again.
	anchor  bool
	altered bool // Its text is another one than that of the session already.
}

func (p *protection) read(ctx context.Context, db *data.DB, conv int64, anchors *hostactivity.Anchors) error {
	isAnchor := map[int64]bool{}
	for _, a := range anchors.Rows {
		isAnchor[a.Message] = true
	}
	return lcm.EachAnchored(ctx, db, conv, func(m lcm.Anchored) error {
		altered := data.IsForgotten(m.Content) || lcm.RefersToPayload(m.Content) || redact.LastNumber(m.Content) > 0
		p.rows = append(p.rows, protectedRow{m.ID, m.Seq, m.EventKey != "", isAnchor[m.ID], altered && !isAnchor[m.ID]})
		return nil
	})
}

// keep returns the messages that keep their texts: all without any anchor, those behind the newest untouched anchor that
// the host doesn't know by a key, and anchors without which an older message would be stored again.
func (p *protection) keep() (kept []int64) {
	take := func(r protectedRow) {
		delete(p.swept, r.id)
		kept = append(kept, r.id)
	}
	if !slices.ContainsFunc(p.rows, func(r protectedRow) bool { return r.anchor }) {
		for _, r := range p.rows {
			if p.swept[r.id] {
				take(r)
			}
		}
		return kept
	}
	for {
		newest := p.newestAnchor()
		again := false
		for _, r := range p.rows {
			switch {
			case r.seq <= newest || r.key:
			case p.swept[r.id]:
				take(r)
				again = true
			case r.altered:
				again = p.keepBehind(r.seq, take) || again
			}
		}
		if newest == math.MinInt64 { // The last one may be known by a key, and the others are found by it.
			again = p.keepBehind(math.MinInt64, take) || again
		}
		if !again {
			return kept
		}
	}
}

// newestAnchor returns the seq of the newest anchor whose text stays.
func (p *protection) newestAnchor() int64 {
	for _, r := range slices.Backward(p.rows) {
		if r.anchor && !p.swept[r.id] {
			return r.seq
		}
	}
	return math.MinInt64
}

// keepBehind keeps the newest anchor behind a seq, if it was to be replaced. It reports whether it did.
func (p *protection) keepBehind(seq int64, take func(protectedRow)) bool {
	for _, r := range slices.Backward(p.rows) {
		if r.anchor && p.swept[r.id] && r.seq > seq {
			take(r)
			return true
		}
	}
	return false
}
