package sessionkey

import (
	"cmp"
	"context"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/hostactivity"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/plural"
	"lcm-tui/internal/sorting"
	"lcm-tui/ops"
)

// A host of 1.0 compares the session in its database with the rows of the conversation, and stores what
// it misses there. So the rows that only the replaced conversation has move to the one that gets its place:
// with them nothing comes twice, at a start, in turns, and when a history is replayed.

// rowMove moves the rows of a conversation that another one lacks.
type rowMove struct {
	db    *data.DB
	p     *ops.Plan
	what  string
	c, to conversation
	moved []data.Row // Messages, by seq.
	moves map[int64]bool
	// summaries are those that move with the messages that they were made of.
	summaries map[string]bool
	newest    data.Row // The newest message of the conversation that gets them.
}

// movedRows are the columns of a message that are read.
var movedRows = []string{"message_id", "conversation_id", "seq", "created_at", "identity_hash", "transcript_entry_id", "stable_event_key"}

// withRows adds to the plan, on files of 1.0, what moves Conversation to the place of To.
func (o *Move) withRows(ctx context.Context, db *data.DB, p ops.Plan, c, to conversation) (ops.Plan, error) {
	m := &rowMove{db: db, p: &p, what: p.Title, c: c, to: to, moves: map[int64]bool{}, summaries: map[string]bool{}}
	if err := m.checkHolders(db.Holders(db.Path())); err != nil {
		return ops.Plan{}, err
	}
	check := hostactivity.New(db.Now(), o.Host.Folder)
	for _, step := range []func() error{
		func() error { return m.choose(ctx) },
		func() error { return m.checkAnchors(ctx, check) },
		func() error { return m.chooseSummaries(ctx) },
		func() error { return m.checkOwnSession(ctx, o.Host.stores(ctx)) },
		func() error { return m.swap(ctx) },
		func() error { return m.moveRows(ctx) },
	} {
		if err := step(); err != nil {
			return ops.Plan{}, err
		}
	}
	return p, nil
}

// checkHolders refuses a file that another process has open, or may have. Windows doesn't tell that, and other systems only
// for a file in WAL mode, as hosts keep it.
func (m *rowMove) checkHolders(held filesystem.Holders) error {
	if held.Away() {
		return nil
	}
	refused := &RefusedError{
		What: m.what, Why: held.String() + ", and rows move only while no host has it open",
		Next: "stop the host and what else has the database open, and try again",
	}
	if !held.Known && len(held.Names) == 0 {
		refused.Next = fmt.Sprintf("move it on Linux, macOS or FreeBSD, in WAL mode; or lcm-tui transplant %d %d copies the memory of conversation %d into the living one", m.c.ID, m.to.ID, m.c.ID)
		refused.NextOnScreen = fmt.Sprintf("transplant the memory of conversation %d into the living one instead", m.c.ID)
	}
	return refused
}

// choose finds the messages that move: those of the replaced conversation of which the other one has neither
// the entry, nor the event key, nor a message of the same second with the same hash.
func (m *rowMove) choose(ctx context.Context) error {
	has := map[string]bool{}
	rows, err := data.ImagesIn(ctx, m.db, "messages", "conversation_id", []any{m.c.ID}, movedRows...)
	for _, r := range rows {
		for _, mark := range marksOf(r) {
			has[mark] = true
		}
		if m.newest == nil || data.CellInteger(r["seq"]) > data.CellInteger(m.newest["seq"]) {
			m.newest = r
		}
	}
	if err != nil {
		return err
	}
	if rows, err = data.ImagesIn(ctx, m.db, "messages", "conversation_id", []any{m.to.ID}, movedRows...); err != nil {
		return err
	}
	sorting.Stable(rows, func(a, b *data.Row) int {
		return cmp.Compare(data.CellInteger((*a)["seq"]), data.CellInteger((*b)["seq"]))
	})
	for _, r := range rows {
		known := false
		for _, mark := range marksOf(r) {
			known = known || has[mark]
		}
		if !known {
			m.moved = append(m.moved, r)
			m.moves[data.CellInteger(r["message_id"])] = true
		}
	}
	return nil
}

// marksOf returns by what a message is the same in two conversations.
func marksOf(r data.Row) (marks []string) {
	for _, column := range []string{"transcript_entry_id", "stable_event_key"} {
		if v := data.CellText(r[column]); v != "" {
			marks = append(marks, column+" "+v)
		}
	}
	if hash := data.CellText(r["identity_hash"]); hash != "" {
		marks = append(marks, "hash "+hash+" "+data.CellText(r["created_at"]))
	}
	return marks
}

// checkAnchors refuses where a host would not find its place in the moved rows: none of them is an anchor, and the
// conversation that gets them has none at the end of the session.
func (m *rowMove) checkAnchors(ctx context.Context, check *hostactivity.Check) error {
	anchors, err := check.Anchors(ctx, m.db, hostactivity.Conversation{ID: m.to.ID, Session: m.to.SessionID})
	if err != nil {
		return err
	}
	for _, a := range anchors.Rows {
		if m.moves[a.Message] {
			return nil
		}
	}
	if at, err := check.HasNewestEntry(ctx, m.db, m.c.ID, m.to.SessionID); err != nil || at {
		return err
	}
	return &RefusedError{
		What: m.what, Why: fmt.Sprintf("the host hasn't vouched for a message of conversation %d that would move, so it would store the session again", m.to.ID),
		Next: "start the host once, so that it compares what it stored with the session, and stop it again",
	}
}

// checkOwnSession refuses an active conversation whose own session the host goes on with.
func (m *rowMove) checkOwnSession(_ context.Context, stores *hostactivity.SessionStores) error {
	if !m.c.Active {
		return nil
	}
	if why := m.c.whyKnown(stores); why != "" {
		return &RefusedError{What: m.what, Why: fmt.Sprintf("conversation %d is active itself, and %s: the host would begin another one there and store its session again", m.c.ID, why), Next: endInHost}
	}
	return nil
}

// swap archives the replaced conversation and gives the other one its session. Only one active
// conversation may have a key, so it comes first.
func (m *rowMove) swap(ctx context.Context) error {
	setColumns(m.db, m.p, conversations, m.to.row, data.Row{"active": int64(0), "archived_at": m.db.FormatNow(), "archive_cause": CauseEnded})
	if err := m.to.closeMaintenance(ctx, m.db, m.p); err != nil {
		return err
	}
	begun := m.c.row["bootstrapped_at"]
	if begun == nil {
		begun = m.to.row["bootstrapped_at"]
	}
	if begun == nil {
		begun = m.db.FormatNow() // Without it a host stores nothing where it finds nothing that it knows.
	}
	setColumns(m.db, m.p, conversations, m.c.row, data.Row{
		"active": int64(1), "archived_at": nil, "archive_cause": nil, "session_key": m.to.SessionKey, "session_id": m.to.row["session_id"], "bootstrapped_at": begun,
	})
	m.p.Guard(conversations, data.Row{"session_key": m.to.SessionKey, "active": int64(1)}, 1)
	if err := m.c.copyKey(ctx, m.db, m.p, m.to.SessionKey); err != nil {
		return err
	}
	for _, c := range []conversation{m.to, m.c} {
		if err := c.deleteBatches(ctx, m.db, m.p); err != nil {
			return err
		}
	}
	return nil
}

// moveRows adds the changes that move the messages with their trust rows and places in the context.
func (m *rowMove) moveRows(ctx context.Context) error {
	m.p.Alone = true
	seq := data.CellInteger(m.newest["seq"])
	var ids []any
	for _, r := range m.moved {
		seq++
		ids = append(ids, r["message_id"])
		m.p.Leaves = append(m.p.Leaves, data.CellInteger(r["message_id"]))
		place := r.Pick([]string{"message_id", "conversation_id", "seq"})
		m.p.Changes = append(m.p.Changes, change.Update(m.db, "messages", place, data.Row{"conversation_id": m.c.ID, "seq": seq}))
	}
	if len(m.moved) == 0 && m.newest != nil { // Undo compares it with what came since.
		place := m.newest.Pick([]string{"message_id", "conversation_id", "seq"})
		m.p.Changes = append(m.p.Changes, change.Update(m.db, "messages", place, data.Row{}))
	}
	trusts, err := data.ImagesIn(ctx, m.db, data.AnchorTrustTable, "message_id", ids, "message_id", "conversation_id")
	if err != nil {
		return err
	}
	for _, r := range trusts {
		m.p.Changes = append(m.p.Changes, change.Update(m.db, data.AnchorTrustTable, r, data.Row{"conversation_id": m.c.ID}))
	}
	m.moveSummaries()
	for _, conv := range []int64{m.c.ID, m.to.ID} {
		n, _, err := lcm.CountMessagesAndItems(ctx, m.db, conv)
		if err != nil {
			return err
		}
		m.p.Guard("messages", data.Row{"conversation_id": conv}, int(n))
	}
	return m.moveItems(ctx)
}

// moveItems moves the places of the messages from one context to the end of the other.
func (m *rowMove) moveItems(ctx context.Context) error {
	from, err := lcm.Context(ctx, m.db, m.to.ID)
	if err != nil {
		return err
	}
	into, err := lcm.Context(ctx, m.db, m.c.ID)
	if err != nil {
		return err
	}
	var stay []lcm.ContextItem
	grown := append([]lcm.ContextItem{}, into...)
	for _, it := range from {
		if !m.moves[it.Message] && !m.summaries[it.Summary] {
			stay = append(stay, it)
			continue
		}
		grown = append(grown, it.InConversation(m.c.ID))
	}
	if len(stay) < len(from) {
		m.p.ChangeContext(m.db, m.to.ID, from, stay)
		m.p.ChangeContext(m.db, m.c.ID, into, grown)
	}
	m.p.Note(plural.Count(len(m.moved), "message moves along, which", "messages move along, which") + fmt.Sprintf(" only conversation %d has", m.to.ID))
	if n := len(m.summaries); n > 0 {
		m.p.Note(plural.Count(n, "summary moves", "summaries move") + " along, since all that it was made of moves")
	}
	m.p.Note(plural.Count(len(from)-len(stay), "place moves", "places move") + " to the end of the context; the other summaries of the replaced conversation stay there, and searches by the key find both")
	return nil
}

// ErrRowsMove says that messages can't be left behind on a file of 1.0.
var ErrRowsMove = hint.New("on a file of 1.0 the messages that only the other conversation has always move along: the host would store them again", "leave --with-messages=false out")
