package backfill

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/identity"
	"lcm-tui/engine/ingest"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// plan returns what writes a batch.
func (r *importRun) plan(ctx context.Context, db *data.DB, b *batch) (ops.Plan, error) {
	s, err := r.findSegment(ctx, db, b.messages[0].segment)
	if err != nil {
		return ops.Plan{}, err
	}
	r.target = s.target
	ends, err := lcm.ReadNextNumbers(ctx, db, r.target.ID)
	if err != nil {
		return ops.Plan{}, err
	}
	w := &planWriter{importRun: r, db: db, batch: b, segment: s, ends: ends, conv: r.target.ID, plan: ops.New(r.op.Name(), "")}
	if w.conv == 0 {
		w.conv = ends.Conversation
	}
	r.into, s.planned = w.conv, w.conv
	w.plan.Title = fmt.Sprintf("import %s of %s into %s", plural.Count(len(b.messages), "message", "messages"), filepath.Base(r.op.Path), r.conversationName(w.conv))
	w.plan.Bulk, w.plan.FirstMessage = true, ends.Message
	if err := w.addConversation(ctx); err != nil {
		return ops.Plan{}, err
	}
	if err := w.dropRewound(ctx); err != nil {
		return ops.Plan{}, err
	}
	for _, m := range b.messages {
		w.addMessage(m)
	}
	if err := w.noteReadPosition(ctx); err != nil {
		return ops.Plan{}, err
	}
	err = w.finish(ctx)
	b.messages = nil // Their texts are in the rows now.
	return w.plan, err
}

// conversationName returns the conversation in words.
func (r *importRun) conversationName(conv int64) string {
	if r.target.New && r.target.ID == 0 {
		if !r.target.Active {
			return fmt.Sprintf("a new, archived conversation %d", conv)
		}
		return fmt.Sprintf("a new conversation %d", conv)
	}
	return r.target.Label()
}

// planWriter is a plan being made.
type planWriter struct {
	*importRun
	db      *data.DB
	batch   *batch
	segment *segment
	ends    lcm.NextNumbers
	conv    int64
	plan    ops.Plan
	added   []lcm.ContextItem
	dropped []lcm.ContextItem
}

// insertRow adds a row, without the columns that this file doesn't have. The row is the plan's from then on.
func (w *planWriter) insertRow(table string, r data.Row) {
	maps.DeleteFunc(r, func(column string, _ any) bool { return !w.db.Schema().Has(table, column) })
	w.plan.Changes = append(w.plan.Changes, change.Insert(w.db, table, r))
}

// addConversation makes the conversation, or touches it.
func (w *planWriter) addConversation(ctx context.Context) error {
	now, last := w.db.FormatNow(), w.batch.messages[len(w.batch.messages)-1]
	w.plan.Guard("messages", data.Row{"conversation_id": w.conv, "seq": w.ends.Seq}, 0)
	w.plan.Guard("context_items", data.Row{"conversation_id": w.conv, "ordinal": w.ends.Ordinal}, 0)
	if w.target.ID == 0 {
		t := w.target
		started := w.file.Session.Started
		if w.segment.begin != nil {
			started = w.segment.begin.At
		}
		if started.IsZero() {
			started = w.batch.messages[0].at
		}
		row := data.Row{
			"conversation_id": w.conv, "session_id": t.SessionID, "session_key": orNull(t.SessionKey), "active": int64(0),
			"archived_at": nil, "archive_cause": orNull(t.ArchiveCause), "title": orNull(w.op.Title), "bootstrapped_at": now,
			"created_at": data.FormatTime(started), "updated_at": data.FormatTime(last.at),
		}
		if t.Active {
			row["active"] = int64(1)
		} else {
			row["archived_at"] = data.FormatTime(t.ArchivedAt.Time)
		}
		if err := errors.Join(w.archivePredecessor(ctx), w.archivePrompts(ctx)); err != nil {
			return err
		}
		w.insertRow("conversations", row)
		return w.guardUnique(ctx, t)
	}
	rows, err := data.Images(ctx, w.db, "conversations", data.Row{"conversation_id": w.conv})
	if err != nil || len(rows) == 0 {
		return err
	}
	changed := data.Row{"updated_at": now}
	if w.op.Follow { // Nobody else tells when the session was active.
		changed["updated_at"] = max(data.FormatTime(last.at), data.CellText(rows[0]["updated_at"]))
	}
	if w.target.Rebound {
		changed["session_id"] = w.file.Session.ID
	}
	if w.target.SessionKey == "" {
		if key := w.op.Keys.Of(w.file.Path, w.file.Session.ID); key != "" && w.target.Active && !Archived(w.file.Path) {
			changed["session_key"] = key // No other active one has it, or it would have been found.
		}
	}
	w.plan.Changes = append(w.plan.Changes, change.Update(w.db, "conversations", rows[0], changed))
	return nil
}

// archivePredecessor archives the active conversation that ends with the reset before the one
// that is made.
func (w *planWriter) archivePredecessor(ctx context.Context) error {
	id := w.segment.archives
	if id == 0 {
		return nil
	}
	rows, err := data.Images(ctx, w.db, "conversations", data.Row{"conversation_id": id})
	if err != nil || len(rows) == 0 {
		return err
	}
	end := w.segment.begin
	for _, s := range w.segments {
		if s.holder == id && s.end != nil {
			end = s.end
		}
	}
	at, cause, why := data.FormatTime(w.batch.messages[0].at), "cron-rotation", "another run of the scheduled task has a conversation of its own"
	if end != nil {
		at, cause, why = data.FormatTime(end.At), resetCause(end), "the session was reset, and goes on in the new one"
	}
	w.plan.Changes = append(w.plan.Changes, change.Update(w.db, "conversations", rows[0], data.Row{
		"active": int64(0), "archived_at": at, "archive_cause": cause, "updated_at": at,
	}))
	w.plan.Note(fmt.Sprintf("conversation %d is archived: %s", id, why))
	return nil
}

// guardUnique guards that nobody else makes a conversation of the session in the meantime and
// that, active, it is the only one of its key.
func (w *planWriter) guardUnique(ctx context.Context, t Target) error {
	rows, err := data.Images(ctx, w.db, "conversations", data.Row{"session_id": t.SessionID})
	if err != nil {
		return err
	}
	w.plan.Guard("conversations", data.Row{"session_id": t.SessionID}, len(rows))
	if t.Active && t.SessionKey != "" && w.segment.archives == 0 && w.db.Schema().Has("conversations", "session_key", "active") {
		w.plan.Guard("conversations", data.Row{"session_key": t.SessionKey, "active": int64(1)}, 0)
	}
	return nil
}

// addMessage adds a message, its parts, its files, and its place in the context.
func (w *planWriter) addMessage(m message) {
	id, at := w.ends.Message, data.FormatTime(m.at)
	w.insertRow("messages", data.Row{
		"message_id": id, "conversation_id": w.conv, "seq": w.ends.Seq, "role": m.Role, "content": m.Content, "token_count": m.Tokens,
		"identity_hash": m.Identity, "openclaw_sender_metadata": w.senderCell(m), "transcript_entry_id": orNull(m.entry),
		"created_at": at, "large_content": nil, "stable_event_key": orNull(m.EventKey),
	})
	w.trustAnchor(id, m)
	for _, p := range m.Parts {
		w.insertRow("message_parts", data.Row{
			"part_id": data.NewTimedUUID(w.db), "message_id": id, "session_id": w.file.Session.ID, "part_type": p.Type, "ordinal": p.Ordinal,
			"text_content": cellOf(p.Text), "tool_call_id": cellOf(p.ToolCallID), "tool_name": cellOf(p.ToolName), "tool_input": cellOf(p.ToolInput),
			"tool_output": cellOf(p.ToolOutput), "metadata": cellOf(p.Metadata),
		})
	}
	for _, f := range m.Files {
		w.addFile(f, at)
	}
	if !m.outside {
		w.addContextItem(id, m, at)
	}
	w.ends.Message, w.ends.Seq = id+1, w.ends.Seq+1
}

// addContextItem adds a message's place in the context.
func (w *planWriter) addContextItem(id int64, m message, at string) {
	w.placeInContext(lcm.ContextItem{
		Conversation: w.conv, Type: "message", Message: id, Role: m.Role, Seq: w.ends.Seq, Tokens: m.Tokens,
		Preview: opening(m), At: data.Time{Time: m.at, Raw: at},
	})
}

// placeInContext adds an item behind the others.
func (w *planWriter) placeInContext(item lcm.ContextItem) {
	item.Ordinal = w.ends.Ordinal
	w.insertRow("context_items", data.Row{
		"conversation_id": w.conv, "ordinal": item.Ordinal, "item_type": "message", "message_id": item.Message, "summary_id": nil, "created_at": w.db.FormatNow(),
	})
	w.added = append(w.added, item)
	w.plan.Impact.ItemsAfter++
	w.plan.Impact.TokensAfter += item.Tokens
	w.ends.Ordinal++
}

// addFile adds a file of a message.
func (w *planWriter) addFile(f ingest.File, at string) {
	path := filepath.Join(w.op.Files, strconv.FormatInt(w.conv, 10), f.Base())
	row := data.Row{
		"file_id": f.ID, "conversation_id": w.conv, "file_name": orNull(f.Name), "mime_type": orNull(f.MIME), "byte_size": int64(len(f.Body)),
		"line_count": int64(f.Lines), "storage_uri": path, "exploration_summary": orNull(f.Exploration), "created_at": at,
	}
	if f.Lines == 0 {
		row["line_count"] = nil
	}
	w.insertRow("large_files", row)
	w.plan.Files = append(w.plan.Files, data.NewFile{ID: f.ID, Body: f.Body, To: path, Into: w.op.Files, Bytes: int64(len(f.Body))})
}

// stateTable is where hosts note what of a session file they have read. From 0.5.
const stateTable = "conversation_bootstrap_state"

// noteReadPosition notes how far the session file is read, so that the host doesn't import it
// restart. One that it notes of another file stays.
func (w *planWriter) noteReadPosition(ctx context.Context) error {
	if !w.db.Schema().Has(stateTable) || w.db.Schema().Has(data.AnchorTrustTable) || w.segment.end != nil || w.isInDatabase() {
		// Hosts of 1.0 note nothing, what a session had before a reset is over, and older hosts
		// know no transcript databases.
		return nil
	}
	last := w.batch.messages[len(w.batch.messages)-1]
	size, offset := last.end, last.end
	if w.batch.whole {
		size, offset = w.file.Size, w.file.Size
	}
	row := data.Row{
		"conversation_id": w.conv, "session_file_path": w.file.Path, "last_seen_size": size, "last_seen_mtime_ms": w.file.ModTime.UnixMilli(),
		"last_processed_offset": offset, "last_processed_entry_hash": identity.EntryHash(last.Role, last.Content),
		"session_header_id": w.file.Session.ID, "last_processed_entry_id": last.entry, "fork_bounded": int64(0),
		"fork_source_message_count": int64(0), "soft_reset_pruned_at": nil, "updated_at": w.db.FormatNow(),
	}
	was, err := data.Images(ctx, w.db, stateTable, data.Row{"conversation_id": w.conv})
	switch {
	case err != nil:
		return err
	case len(was) == 0:
		w.insertRow(stateTable, row)
	case was[0]["session_file_path"] == w.file.Path || w.target.Rebound:
		for _, kept := range []string{"fork_bounded", "fork_source_message_count", "soft_reset_pruned_at"} {
			delete(row, kept)
		}
		w.plan.Changes = append(w.plan.Changes, change.Update(w.db, stateTable, was[0], row))
	}
	return nil
}

// isInDatabase reports whether the transcript lies in a transcript database.
func (r *importRun) isInDatabase() bool {
	_, _, ok := transcript.SplitAddress(r.file.Path)
	return ok
}

// finish counts what the context had, and says what there is to say.
func (w *planWriter) finish(ctx context.Context) error {
	i := &w.plan.Impact
	at := w.batch.messages[0].segment
	first := w.counted != at
	if first {
		w.tokens, w.items, w.counted = 0, 0, at
	}
	if w.target.ID != 0 && first && !w.op.Follow { // Nobody looks at the plan of each line that is appended.
		var err, also error
		w.tokens, err = lcm.ContextTokens(ctx, w.db, w.conv)
		_, w.items, also = lcm.CountMessagesAndItems(ctx, w.db, w.conv)
		if err = errors.Join(err, also); err != nil {
			return err
		}
	}
	i.ItemsBefore, i.TokensBefore = int(w.items), w.tokens
	i.ItemsAfter, i.TokensAfter = i.ItemsAfter+i.ItemsBefore, i.TokensAfter+i.TokensBefore
	for _, item := range w.dropped {
		i.ItemsAfter, i.TokensAfter = i.ItemsAfter-1, i.TokensAfter-item.Tokens
	}
	if err := w.showContext(ctx, first); err != nil {
		return err
	}
	w.items, w.tokens = int64(i.ItemsAfter), i.TokensAfter
	for _, n := range w.notes() {
		w.plan.Note(n)
	}
	if n := len(w.plan.Files); n > 0 {
		w.plan.Note(fmt.Sprintf("%s written to %s first", plural.Count(n, "file is", "files are"), w.op.Files))
	}
	if !w.batch.last && w.op.run == nil {
		w.plan.Warn("the session file is long: this is its first part, and the others follow as changes of their own")
	}
	return nil
}

// mostShown is the longest context that is shown with a plan.
const mostShown = 5000

// showContext adds the context as it would be, where that isn't too long to look at.
func (w *planWriter) showContext(ctx context.Context, first bool) error {
	if !first || w.op.Follow || int(w.items)+len(w.added) > mostShown {
		return nil
	}
	var before []lcm.ContextItem
	if w.items > 0 {
		var err error
		if before, err = lcm.Context(ctx, w.db, w.conv); err != nil {
			return err
		}
	}
	w.plan.Contexts = []ops.ContextChange{{Conversation: w.conv, Before: before, After: append(slices.DeleteFunc(slices.Clone(before), w.isDropped), w.added...)}}
	return nil
}

// opening returns the beginning of what a message says, or of what a tool is given.
func opening(m message) string {
	text := m.Content
	for _, p := range m.Parts {
		if text != "" {
			break
		}
		if text = p.Text.Text; text == "" {
			text = strings.TrimSpace(p.ToolName.Text + " " + p.ToolInput.Text)
		}
	}
	return data.Preview(text)
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func cellOf(s data.Stored) any {
	if s.Null {
		return nil
	}
	return s.Text
}
