package repair

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/engine/identity"
	"lcm-tui/engine/integrity"
)

// messages mends rows of messages: those stored twice go, as the user chose, and empty
// ones; then what the others say of themselves.
func (d *draft) messages(ctx context.Context) error {
	if err := d.removeMessages(ctx); err != nil {
		return err
	}
	for _, s := range []stage{d.times, d.roles, d.blobs, d.hashes, d.payloads} {
		if err := s(ctx); err != nil {
			return err
		}
	}
	return nil
}

func id(row string) int64 {
	n, _ := strconv.ParseInt(row, 10, 64)
	return n
}

// removeMessages removes the duplicates that the user chose to drop, and empty messages.
func (d *draft) removeMessages(ctx context.Context) error {
	if !d.has(integrity.TranscriptEntryDuplicate, integrity.MessageDuplicate, integrity.MessageRunDuplicate, integrity.ToolResultDuplicate, integrity.MessageEmpty) {
		return nil
	}
	r, err := d.newRemovals(ctx)
	if err != nil {
		return err
	}
	for _, fault := range []integrity.FaultID{integrity.TranscriptEntryDuplicate, integrity.MessageDuplicate, integrity.MessageRunDuplicate, integrity.ToolResultDuplicate} {
		for _, f := range d.take(fault) {
			same, err := d.same(ctx, f)
			if err != nil {
				return err
			}
			if d.op.chosen(f) == integrity.Keep || !same && d.choice(f) != "drop" {
				continue
			}
			if err := r.remove(ctx, f, dropped(f)...); err != nil {
				return err
			}
		}
	}
	for _, f := range d.take(integrity.MessageEmpty) {
		if err := r.remove(ctx, f, removal{message: id(f.Row)}); err != nil {
			return err
		}
	}
	r.finish()
	return nil
}

// dropped are the messages that go, of those of a finding: the first of its rows stays, but
// of a stretch all go.
func dropped(f integrity.Finding) (out []removal) {
	keep, rows := int64(0), f.Rows
	if f.Fault != integrity.MessageRunDuplicate && len(rows) > 1 {
		keep, rows = id(rows[0]), rows[1:]
	}
	for i, r := range rows {
		if i < len(f.Kept) {
			keep = id(f.Kept[i])
		}
		out = append(out, removal{id(r), keep})
	}
	return out
}

// same reports whether nothing is to be chosen: the finder is sure of it, or what it
// calls one entry of a transcript, stored twice, says the same both times.
func (d *draft) same(ctx context.Context, f integrity.Finding) (bool, error) {
	if f.Decided {
		return true, nil
	}
	if f.Fault != integrity.TranscriptEntryDuplicate || len(f.Rows) != 2 {
		return false, nil
	}
	rows, err := d.images(ctx, []int64{id(f.Rows[0]), id(f.Rows[1])}, "role", "content")
	return len(rows) == 2 && withoutColumn(rows[0], "message_id").Equal(withoutColumn(rows[1], "message_id")), err
}

// linked reports whether a summary covers a message.
func (d *draft) linked(message int64) bool {
	return len(d.ownersOf(d.byMessage[message])) > 0
}

// deleteRows deletes a message. Among the slims it stays until all that go are known.
func (d *draft) deleteRows(ctx context.Context, message int64) error {
	for _, table := range []string{"message_parts", "messages"} {
		rows, err := d.db.Images(ctx, table, data.Row{"message_id": message})
		if err != nil {
			return err
		}
		for _, r := range rows {
			d.edits.delete(table, r)
		}
	}
	delete(d.bySlim, message)
	return nil
}

// images are rows of messages with these columns, but those that go.
func (d *draft) images(ctx context.Context, ids []int64, columns ...string) ([]data.Row, error) {
	var keys []any
	for _, id := range ids {
		if _, ok := d.bySlim[id]; ok {
			keys = append(keys, id)
		}
	}
	return d.db.ImagesIn(ctx, "messages", "message_id", keys, append([]string{"message_id"}, columns...)...)
}

// rowsOf are the messages that findings are about: all they name, or their row.
func rowsOf(fs []integrity.Finding) (ids []int64) {
	for _, f := range fs {
		if f.Table != "messages" {
			continue
		}
		if len(f.Rows) == 0 {
			ids = append(ids, id(f.Row))
		}
		for _, r := range f.Rows {
			ids = append(ids, id(r))
		}
	}
	return ids
}

// stamps are forms of time that other programs write.
var stamps = []string{
	time.RFC1123, time.RFC1123Z, time.RFC850, time.ANSIC, time.UnixDate, "2006/01/02 15:04:05", "02.01.2006 15:04:05", "2006-01-02T15:04:05.999999999",
}

// understood reads a time that isn't in a form that hosts write.
func understood(raw string) (time.Time, bool) {
	for _, layout := range stamps {
		if t, err := time.Parse(layout, raw); err == nil {
			return t.UTC(), true
		}
	}
	if n, err := strconv.ParseFloat(raw, 64); err == nil && n > 1e9 {
		if n > 1e11 {
			n /= 1000 // Milliseconds.
		}
		if n < 1e11 {
			return time.Unix(int64(n), 0).UTC(), true
		}
	}
	return time.Time{}, false
}

// times writes times in the usual form, or takes that of the message before or after.
func (d *draft) times(ctx context.Context) error {
	for _, f := range d.take(integrity.TimeInvalid) {
		if f.Table != "messages" {
			if !d.summaryTime(f) {
				d.leave(f, "nothing tells when it was made")
			}
			continue
		}
		at := slices.IndexFunc(d.slims, func(m data.MessageHeader) bool { return m.ID == id(f.Row) })
		if at < 0 {
			continue
		}
		t, ok := understood(d.slims[at].CreatedAt.Raw)
		if !ok || t.After(d.db.Now()) {
			t, ok = d.neighbour(at)
		}
		if !ok {
			d.leave(f, "it can't be read, and nothing near it tells; only the transcript does")
			continue
		}
		m := d.slims[at]
		rows, err := d.images(ctx, []int64{m.ID}, "created_at")
		if err != nil {
			return err
		}
		for _, r := range rows {
			d.edits.set("messages", r, data.Row{"created_at": data.FormatTime(t)})
		}
		m.CreatedAt = timeOf(data.FormatTime(t))
		d.slims[at], d.bySlim[m.ID] = m, m
		d.done(f)
	}
	return nil
}

// neighbour is the time of the nearest message that has a good one.
func (d *draft) neighbour(at int) (time.Time, bool) {
	for far := 1; far < len(d.slims); far++ {
		for _, i := range []int{at - far, at + far} {
			if i < 0 || i >= len(d.slims) {
				continue
			}
			if t := d.slims[i].CreatedAt; t.Valid() && t.Before(d.db.Now().AddDate(0, 0, 1)) {
				return t.Time, true
			}
		}
	}
	return time.Time{}, false
}

// summaryTime sets a summary's time to that of the end of what it covers.
func (d *draft) summaryTime(f integrity.Finding) bool {
	n := d.nodes[f.Row]
	if n == nil {
		return true
	}
	t, ok := understood(n.CreatedAt.Raw)
	if !ok || t.After(d.db.Now()) {
		t, ok = time.Time{}, false
		for m := range d.under(n.ID) {
			if at := d.bySlim[m].CreatedAt; at.Valid() && at.After(t) && at.Before(d.db.Now().AddDate(0, 0, 1)) {
				t, ok = at.Time, true
			}
		}
	}
	if !ok {
		return false
	}
	n.CreatedAt = timeOf(data.FormatTime(t))
	d.change(n, data.Row{"created_at": data.FormatTime(t)})
	d.done(f)
	return true
}

func timeOf(raw string) (t data.Time) {
	_ = t.Scan(raw) // Never fails.
	return t
}

// roles sets the role that a message's first part notes.
func (d *draft) roles(ctx context.Context) error {
	fs := d.take(integrity.MessageRoleWrong)
	if len(fs) == 0 {
		return nil
	}
	rows, err := d.images(ctx, rowsOf(fs), "role", "content", "identity_hash")
	if err != nil {
		return err
	}
	for _, r := range rows {
		parts, err := d.db.ImagesIn(ctx, "message_parts", "message_id", []any{r["message_id"]}, "ordinal", "metadata")
		if err != nil {
			return err
		}
		if len(parts) == 0 {
			continue
		}
		first := slices.MinFunc(parts, func(a, b data.Row) int { return cmp.Compare(number(a["ordinal"]), number(b["ordinal"])) })
		if role := storedRole(word(first["metadata"])); role != "" {
			hash := identity.Hash(role, word(r["content"]))
			d.edits.set("messages", withoutColumn(r, "content"), data.Row{"role": role, "identity_hash": hash})
		}
	}
	d.all(integrity.MessageRoleWrong)
	return nil
}

// storedRole is the role that a row has for the one that metadata notes, or nothing.
func storedRole(metadata string) string {
	var m struct {
		Role string `json:"originalRole"`
	}
	if json.Unmarshal([]byte(metadata), &m) != nil {
		return ""
	}
	switch m.Role {
	case "tool", "toolResult":
		return "tool"
	case "user", "assistant", "system":
		return m.Role
	}
	return ""
}

// blobs turns texts that are stored as bytes into text, if they are text.
func (d *draft) blobs(ctx context.Context) error {
	for _, f := range d.take(integrity.ContentMalformed) {
		if f.Table == "conversations" {
			d.leave(f, "only a name is concerned")
		}
		if f.Table != "messages" && f.Table != "summaries" {
			continue
		}
		if f.Table == "summaries" && d.nodes[f.Row] != nil && len(f.Rows) == 0 && !d.isBlob(ctx, f) {
			continue // Its file ids, which are mended with the others'.
		}
		var key any = f.Row
		if f.Table == "messages" {
			key = id(f.Row)
		}
		column := map[string]string{"messages": "message_id", "summaries": "summary_id"}[f.Table]
		rows, err := d.db.ImagesIn(ctx, f.Table, column, []any{key}, column, "content")
		if err != nil {
			return err
		}
		for _, r := range rows {
			if b, ok := r["content"].([]byte); ok && utf8.Valid(b) {
				d.edits.set(f.Table, r, data.Row{"content": string(b)})
				d.done(f)
			} else {
				d.leave(f, "only the transcript knows what it said")
			}
		}
	}
	return nil
}

func (d *draft) isBlob(ctx context.Context, f integrity.Finding) bool {
	rows, err := d.db.ImagesIn(ctx, "summaries", "summary_id", []any{f.Row}, "content", "file_ids")
	return err == nil && len(rows) == 1 && (json.Valid([]byte(word(rows[0]["file_ids"]))) || rows[0]["file_ids"] == nil)
}

// hashes computes the hashes by which hosts know messages again.
func (d *draft) hashes(ctx context.Context) error {
	fs := d.take(integrity.IdentityHashWrong)
	rows, err := d.images(ctx, rowsOf(fs), "role", "content", "identity_hash")
	for _, r := range rows {
		content := word(r["content"])
		r = withoutColumn(r, "content")                 // The record needn't hold every text.
		role := d.edits.at("messages", r).After["role"] // It may just have been mended.
		d.edits.set("messages", r, data.Row{"identity_hash": identity.Hash(word(role), content)})
	}
	d.all(integrity.IdentityHashWrong)
	return err
}

// withoutColumn is a copy of a row that lacks a column.
func withoutColumn(r data.Row, column string) data.Row {
	r = maps.Clone(r)
	delete(r, column)
	return r
}

// payloads clears the names of payloads' files that have no row.
func (d *draft) payloads(ctx context.Context) error {
	rows, err := d.images(ctx, rowsOf(d.take(integrity.PayloadFileRowMissing)), "large_content")
	for _, r := range rows {
		d.edits.set("messages", r, data.Row{"large_content": nil})
	}
	d.all(integrity.PayloadFileRowMissing)
	return err
}
