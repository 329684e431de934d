package removal

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
)

const (
	// wholeMessages and wholeBytes are the most messages and bytes with which a conversation is
	// deleted in one transaction.
	wholeMessages = 250
	wholeBytes    = 4 << 20
	// stepMessages is how many messages are deleted before the time is looked at.
	stepMessages = 100
)

// remover deletes conversations turn by turn.
type remover struct {
	guarded
	unknownSessions []string
	waiting         []change.ConversationGuard // Of those that are left, in order.
	total           int64
	large           *largeRemoval // The first one, where it takes several turns.
}

// write deletes what fits into a turn.
func (w *remover) write(ctx context.Context, t *change.Turn) (done bool, err error) {
	left, large := w.waiting, w.large
	if large == nil && len(left) > 0 {
		if left, large, err = w.removeWhole(ctx, t); err != nil {
			return false, err
		}
	}
	if large != nil && !t.Full() {
		next := *large
		finished, err := next.write(ctx, t)
		w.written++
		if err != nil {
			return false, err
		}
		large = &next
		if finished {
			left, large = left[1:], nil
		}
	}
	t.Progress(w.total-int64(len(left)), w.total, "conversations")
	w.waiting, w.large = left, large
	return len(left) == 0, w.checkWritten(len(left))
}

// removeWhole deletes conversations, one after the other, until the turn is full or a large one
// comes. It returns those that are left, and how to go on with the large one.
func (w *remover) removeWhole(ctx context.Context, t *change.Turn) (left []change.ConversationGuard, large *largeRemoval, err error) {
	left = w.waiting
	var some []change.ConversationGuard
	messages := int64(0)
	for _, g := range left {
		if messages += g.Messages; messages > change.MaxTurnRows && len(some) > 0 {
			break
		}
		some = append(some, g)
	}
	unchanged := make([]change.ConversationGuard, 0, len(some))
	for _, g := range some {
		same, err := w.checkGuard(ctx, t, g)
		if err != nil {
			return nil, nil, err
		}
		if same {
			unchanged = append(unchanged, g)
		}
	}
	d, err := newDeleter(ctx, t, unchanged)
	if err != nil {
		return nil, nil, err
	}
	d.unknownSessions = w.unknownSessions
	for _, g := range some {
		if t.Full() {
			break
		}
		if slices.Contains(unchanged, g) {
			if isLarge, err := d.isLarge(ctx, g); err != nil || isLarge {
				return left, &largeRemoval{unknownSessions: w.unknownSessions, conversation: g.Conversation, newest: g.MaxMessage, last: int64(math.MinInt64)}, err
			}
			if err := d.removeConversation(ctx, g.Conversation); err != nil {
				return nil, nil, err
			}
			t.Wrote(int(g.Messages))
			w.written++
		}
		left = left[1:]
	}
	return left, nil, nil
}

// checkGuard reports whether the conversation is there and as it was planned. One that is gone was
// removed before.
func (w *remover) checkGuard(ctx context.Context, t *change.Turn, g change.ConversationGuard) (same bool, err error) {
	isThere := false
	err = t.EachRow(ctx, "SELECT 1 FROM conversations WHERE conversation_id = ?", []any{g.Conversation}, func(data.RowScanner) error {
		isThere = true
		return nil
	})
	if err != nil || !isThere {
		return false, err
	}
	w.guards[g.Conversation] = g // It is looked at again in the turn that deletes it.
	if same, err = w.check(ctx, t, g.Conversation); !same || err != nil || !t.Schema().Has(data.AnchorTrustTable) {
		return same, err
	}
	err = t.EachRow(ctx, emptySuccessorSQL, []any{g.Conversation}, func(data.RowScanner) error {
		w.left[g.Conversation] = &data.StaleError{What: fmt.Sprintf("conversation %d", g.Conversation), Why: "goes on in a conversation without messages, into which a host would take them again"}
		return nil
	})
	return w.left[g.Conversation] == nil, err
}

// emptySuccessorSQL selects an active conversation of the same session that has no message: at its next start a
// host of 1.0 fills it from the transcript.
const emptySuccessorSQL = `SELECT 1 FROM conversations c JOIN conversations o ON o.active = 1 AND o.conversation_id <> c.conversation_id
	AND (o.session_id = c.session_id OR o.session_key = c.session_key)
	WHERE c.conversation_id = ? AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = o.conversation_id) LIMIT 1`

// deleter deletes rows of conversations in one turn.
type deleter struct {
	turn    *change.Turn
	unknown []deletion
	// indexed are the row numbers that summaries have in search tables, by table and by
	// conversation: search tables don't find a summary's row by its id.
	indexed map[string]map[int64][]int64
	// unknownSessions are sessions that no host knows.
	unknownSessions []string
}

func newDeleter(ctx context.Context, t *change.Turn, guards []change.ConversationGuard) (*deleter, error) {
	keys, err := foreignKeys(ctx, t.EachRow, t.Schema())
	if err != nil {
		return nil, err
	}
	if err := checkTables(t.Schema(), keys); err != nil {
		return nil, err
	}
	d := &deleter{turn: t, indexed: map[string]map[int64][]int64{}}
	if d.unknown, err = unknownDeletions(keys); err != nil {
		return nil, err
	}
	ids := make([]int64, 0, len(guards))
	for _, g := range guards {
		ids = append(ids, g.Conversation)
	}
	if err := d.checkReferences(ctx, ids); err != nil {
		return nil, err
	}
	return d, d.readIndexed(ctx, ids)
}

// readIndexed looks up the rows of summaries in search tables.
func (d *deleter) readIndexed(ctx context.Context, ids []int64) error {
	for _, name := range []string{data.SummaryIndex, data.SummaryTrigrams} {
		if !d.turn.Schema().Searchable(name) {
			continue
		}
		rows := map[int64][]int64{}
		query := "SELECT s.conversation_id, f.id FROM " + data.QuoteName(name+"_content") + " f CROSS JOIN summaries s ON s.summary_id = f.c0 WHERE s." + ofList
		err := d.turn.EachRow(ctx, query, []any{jsonList(ids)}, func(scan data.RowScanner) error {
			var conversation, id int64
			err := scan(&conversation, &id)
			rows[conversation] = append(rows[conversation], id)
			return err
		})
		if err != nil {
			return err
		}
		d.indexed[name] = rows
	}
	return nil
}

// inbound find rows of other conversations that refer to rows of a list of them.
var inbound = []string{
	"SELECT s.conversation_id FROM summary_messages l JOIN summaries s ON s.summary_id = l.summary_id WHERE l." + ofMessages + " AND s.conversation_id NOT IN (SELECT value FROM json_each(?1)) LIMIT 1",
	"SELECT s.conversation_id FROM summary_parents l JOIN summaries s ON s.summary_id = l.summary_id WHERE l.parent_summary_id IN " + ofSummaries + " AND s.conversation_id NOT IN (SELECT value FROM json_each(?1)) LIMIT 1",
	"SELECT conversation_id FROM context_items WHERE conversation_id NOT IN (SELECT value FROM json_each(?1)) AND (" + ofMessages + " OR summary_id IN " + ofSummaries + ") LIMIT 1",
}

// inboundNodes find nodes of pending batches of other conversations that refer to rows of a list.
var inboundNodes = []string{
	"SELECT n.conversation_id FROM " + data.PendingNodeMessageTable + " l JOIN " + data.PendingNodeTable + " n ON n.node_id = l.node_id WHERE l." + ofMessages + " AND n.node_id NOT IN " + ofNodes + " LIMIT 1",
	"SELECT n.conversation_id FROM " + data.PendingNodeChildTable + " l JOIN " + data.PendingNodeTable + " n ON n.node_id = l.node_id WHERE l.child_summary_id IN " + ofSummaries + " AND n.node_id NOT IN " + ofNodes + " LIMIT 1",
	"SELECT n.conversation_id FROM " + data.PendingNodeTable + " n WHERE n.canonical_summary_id IN " + ofSummaries + " AND n.node_id NOT IN " + ofNodes + " LIMIT 1",
}

// queriesOf returns queries, and those over nodes of pending batches where a file has these.
func queriesOf(s *data.Schema, always, ofOne []string) []string {
	if !s.Has(data.PendingNodeTable, "node_id", "batch_id", "conversation_id", "canonical_summary_id") || !s.Has(data.PendingNodeMessageTable, "node_id", "message_id") ||
		!s.Has(data.PendingNodeChildTable, "node_id", "child_summary_id") {
		return always
	}
	return slices.Concat(always, ofOne)
}

// checkReferences fails where another conversation refers to rows of these.
func (d *deleter) checkReferences(ctx context.Context, ids []int64) error {
	for _, query := range queriesOf(d.turn.Schema(), inbound, inboundNodes) {
		err := d.turn.EachRow(ctx, query, []any{jsonList(ids)}, func(scan data.RowScanner) error {
			var by int64
			if err := scan(&by); err != nil {
				return err
			}
			return &data.StaleError{What: fmt.Sprintf("conversation %d", by), Why: "refers to rows of a conversation that would be removed"}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// isLarge reports whether a conversation takes more than one transaction.
func (d *deleter) isLarge(ctx context.Context, g change.ConversationGuard) (bool, error) {
	if g.Messages > wholeMessages {
		return true, nil
	}
	var bytes int64
	const query = `SELECT (SELECT coalesce(sum(octet_length(content)), 0) FROM messages WHERE conversation_id = ?1)
		+ (SELECT coalesce(sum(coalesce(octet_length(p.text_content), 0) + coalesce(octet_length(p.tool_output), 0) + coalesce(octet_length(p.metadata), 0)), 0)
			FROM messages m JOIN message_parts p ON p.message_id = m.message_id WHERE m.conversation_id = ?1)`
	err := d.turn.EachRow(ctx, query, []any{g.Conversation}, func(scan data.RowScanner) error { return scan(&bytes) })
	return bytes > wholeBytes, err
}

// removeConversation deletes all rows of a conversation.
func (d *deleter) removeConversation(ctx context.Context, conversation int64) error {
	if err := d.run(ctx, conversation, slices.Concat(d.unknown, pending, links)); err != nil {
		return err
	}
	if err := d.removeSummaries(ctx, conversation); err != nil {
		return err
	}
	if d.turn.Schema().Searchable(data.MessageIndex) {
		query := "DELETE FROM " + data.MessageIndex + " WHERE rowid IN (SELECT message_id FROM messages WHERE conversation_id = ?)"
		if _, err := d.turn.Exec(ctx, query, conversation); err != nil {
			return err
		}
	}
	if err := d.run(ctx, conversation, texts); err != nil {
		return err
	}
	return d.removeRest(ctx, conversation)
}

// removeRest deletes what is left of a conversation without messages, and the receipts of turns of its
// session where no other conversation has that, and no host knows it: a host that commits a turn
// again stores it once more without its receipt.
func (d *deleter) removeRest(ctx context.Context, conversation int64) error {
	session := any(nil)
	err := d.turn.EachRow(ctx, "SELECT session_id FROM conversations WHERE conversation_id = ?", []any{conversation}, func(scan data.RowScanner) error { return scan(&session) })
	if err != nil {
		return err
	}
	if err := d.run(ctx, conversation, rest); err != nil {
		return err
	}
	if !slices.Contains(d.unknownSessions, data.CellText(session)) || !d.turn.Schema().Has(data.TurnTable, "session_id") {
		return nil
	}
	_, err = d.turn.Exec(ctx, "DELETE FROM "+data.TurnTable+" WHERE session_id = ? AND session_id NOT IN (SELECT session_id FROM conversations)", session)
	return err
}

// removeSummaries deletes the summaries of a conversation and their rows in search tables.
func (d *deleter) removeSummaries(ctx context.Context, conversation int64) error {
	for name, rows := range d.indexed {
		for _, id := range rows[conversation] {
			if _, err := d.turn.Exec(ctx, "DELETE FROM "+name+" WHERE rowid = ?", id); err != nil {
				return err
			}
		}
	}
	return d.run(ctx, conversation, []deletion{{"summaries", ofList}})
}

// run makes deletions of the rows of a conversation, of tables that the file has.
func (d *deleter) run(ctx context.Context, conversation int64, deletions []deletion) error {
	for _, c := range deletions {
		if !d.turn.Schema().Has(c.table) || c.table == "focus_brief_sources" && !d.turn.Schema().Has("focus_briefs") {
			continue
		}
		if _, err := d.turn.Exec(ctx, "DELETE FROM "+data.QuoteName(c.table)+" WHERE "+c.where, jsonList([]int64{conversation})); err != nil {
			return fmt.Errorf("delete rows of %s: %w", c.table, err)
		}
	}
	return nil
}

// jsonList returns a list of ids as SQL reads it.
func jsonList(ids []int64) string {
	b, err := json.Marshal(ids)
	if err != nil {
		panic(err) // Numbers are always JSON.
	}
	return string(b)
}
