package integrity

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"lcm-tui/data"
)

// The tables in which hosts note what they are about.
const (
	bootstrapTable   = "conversation_bootstrap_state"
	telemetryTable   = "conversation_compaction_telemetry"
	maintenanceTable = "conversation_compaction_maintenance"
	briefTable       = "focus_briefs"
	// pendingTable is of hosts from 1.0 on, which neither read nor write bootstrapTable.
	pendingTable = "pending_compaction_batches"
)

// notes are the rows of these tables by conversation.
type notes map[string]map[int64][]data.Row

func (c *checker) readNotes(ctx context.Context) error {
	c.notes = notes{}
	where := data.Row{}
	if c.Conversation != 0 {
		where["conversation_id"] = c.Conversation
	}
	for _, table := range []string{bootstrapTable, telemetryTable, maintenanceTable, briefTable} {
		of := map[int64][]data.Row{}
		if !c.db.Schema().Has(table, "conversation_id") {
			continue
		}
		rows, err := c.db.Images(ctx, table, where)
		if err != nil {
			return err
		}
		for _, r := range rows {
			id, _ := r["conversation_id"].(int64)
			of[id] = append(of[id], r)
		}
		c.notes[table] = of
	}
	return nil
}

// of is a conversation's note in a table, or nil.
func (n notes) of(table string, conv int64) data.Row {
	if rows := n[table][conv]; len(rows) > 0 {
		return rows[0]
	}
	return nil
}

func whole(r data.Row, column string) int64 {
	n, _ := r[column].(int64)
	return n
}

func when(r data.Row, column string) (time.Time, bool) {
	s, _ := r[column].(string)
	return data.ParseTime(s)
}

func word(r data.Row, column string) string {
	s, _ := r[column].(string)
	return s
}

// noted looks at what the host notes about the conversation.
func (t *talk) noted() {
	if r := t.notes.of(bootstrapTable, t.row.ID); r != nil && !t.has(pendingTable) {
		t.checkpoint(r)
	}
	if r := t.notes.of(maintenanceTable, t.row.ID); r != nil {
		t.maintenance(r)
	}
	if r := t.notes.of(telemetryTable, t.row.ID); r != nil && len(t.said) <= 1 && whole(r, "turns_since_leaf_compaction") >= 5 {
		t.add(IngestionStopped, conversation(t.row.ID), fmt.Sprintf("%d messages, and %d turns by the host's count", len(t.said), whole(r, "turns_since_leaf_compaction")))
	}
}

// checkpoint checks how far the transcript was read. A transcript that isn't there while
// its folder is, was moved or deleted; without the folder nothing is known. Other notes
// that are wrong the host corrects by itself at its next start, as long as they stay.
func (t *talk) checkpoint(r data.Row) {
	where := row(bootstrapTable, number(t.row.ID))
	path, size, offset := word(r, "session_file_path"), whole(r, "last_seen_size"), whole(r, "last_processed_offset")
	const byItself = "; the host corrects it by itself"
	if t.row.Active.Value != 0 && filepath.IsAbs(path) {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist) && isFolder(filepath.Dir(path)):
			t.add(BootstrapStateWrong, where, "there is no transcript "+clipped(path))
			return
		case err == nil && info.Size() < offset:
			t.add(BootstrapStateWrong, where, fmt.Sprintf("read to %d, and the transcript has only %d bytes", offset, info.Size())+byItself).mild()
			return
		}
	}
	switch {
	case offset < 0, offset > size:
		t.add(BootstrapStateWrong, where, fmt.Sprintf("read to %d of %d bytes", offset, size)+byItself).mild()
	case size == 0 && offset == 0 && path != "" && len(t.said) > 0:
		t.add(BootstrapStateWrong, where, "a placeholder: nothing was read, and there are messages"+byItself).mild()
	}
}

// maintenance: compactions that are owed.
func (t *talk) maintenance(r data.Row) {
	where := row(maintenanceTable, number(t.row.ID))
	if whole(r, "running") == 1 {
		began, ok := when(r, "last_started_at")
		if !ok || began.Before(t.now.Add(-t.Limits.Running)) {
			t.add(CompactionStuck, where, "running since "+orNever(word(r, "last_started_at")))
		}
	}
	if whole(r, "pending") != 1 {
		return
	}
	if t.row.Active.Value == 0 {
		t.add(CompactionOwedByArchived, where, "waiting since "+orNever(word(r, "requested_at")))
	}
	if n := whole(r, "retry_attempts"); n >= 5 {
		detail := fmt.Sprintf("tried %d times", n)
		if why := word(r, "last_failure_summary"); why != "" {
			detail += ": " + clipped(why)
		}
		t.add(CompactionFailing, where, detail)
	}
}

func orNever(s string) string {
	if s == "" {
		return "nobody knows when"
	}
	return clipped(s)
}

// briefs: one active focus at most, over summaries that exist.
func (t *talk) briefs(ctx context.Context) error {
	var active []string
	for _, r := range t.notes[briefTable][t.row.ID] {
		if word(r, "status") != "active" {
			continue
		}
		id := word(r, "brief_id")
		active = append(active, id)
		sources, err := t.db.Images(ctx, "focus_brief_sources", data.Row{"brief_id": id})
		if err != nil {
			return err
		}
		for _, s := range sources {
			if lost := word(s, "summary_id"); t.nodes[lost] == nil && !t.exists(ctx, lost) {
				t.add(FocusBriefWrong, row(briefTable, id), "made of summary "+clipped(lost)+", which doesn't exist", id, lost)
			}
		}
	}
	if len(active) > 1 {
		t.add(FocusBriefWrong, row(briefTable, active[0]), fmt.Sprintf("%d briefs are active", len(active)), active...)
	}
	return nil
}

// exists reports whether there is such a summary, in whatever conversation.
func (t *talk) exists(ctx context.Context, id string) bool {
	_, err := t.db.Summary(ctx, id)
	return err == nil
}

// shared: transcripts that two active conversations read.
func (c *checker) transcripts(ctx context.Context) error {
	const column = "session_file_path"
	if !c.db.Schema().Has(bootstrapTable, column) || c.has(pendingTable) {
		return nil
	}
	of := c.notes[bootstrapTable]
	if c.Conversation != 0 { // Whoever else reads it isn't in the notes.
		path := word(c.notes.of(bootstrapTable, c.Conversation), column)
		rows, err := c.db.Images(ctx, bootstrapTable, data.Row{column: path})
		if err != nil || path == "" {
			return err
		}
		of = map[int64][]data.Row{}
		for _, r := range rows {
			of[whole(r, "conversation_id")] = []data.Row{r}
		}
	}
	readers := map[string][]int64{}
	for _, v := range c.all {
		for _, r := range of[v.ID] {
			if path := word(r, column); path != "" && v.Active.Value == 1 {
				readers[path] = append(readers[path], v.ID)
			}
		}
	}
	for _, v := range c.all {
		for _, r := range of[v.ID] {
			ids := readers[word(r, column)]
			if newest := len(ids) - 1; newest > 0 && slices.Contains(ids[:newest], v.ID) && c.concerns(v.ID, ids[newest]) {
				c.add(TranscriptShared, row(bootstrapTable, number(v.ID)), fmt.Sprintf("reads %s, as does %d", clipped(word(r, column)), ids[newest]),
					number(ids[newest]), number(v.ID)).Conversation = v.ID
			}
		}
	}
	return nil
}

// homeless: notes about conversations that don't exist.
func (c *checker) homeless() {
	known := map[int64]bool{}
	for _, v := range c.all {
		known[v.ID] = true
	}
	for _, table := range []string{telemetryTable, maintenanceTable, bootstrapTable} {
		for id := range c.notes[table] {
			if !known[id] {
				c.add(HostStateDangling, row(table, number(id)), "there is no conversation "+number(id))
			}
		}
	}
}
