package integrity

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity/scan"
)

// hostStateCheck checks what the host notes about a conversation.
type hostStateCheck struct {
	found *findings
	file  *fileScan
	rows  *scan.Conversation
}

// checkHostState checks what the host notes about the conversation.
func (c *hostStateCheck) checkHostState() {
	if r := c.file.hostState.Row(scan.BootstrapTable, c.rows.Row.ID); r != nil && !c.file.has(data.PendingBatchTable) {
		c.checkBootstrapState(r)
	}
	if r := c.file.hostState.Row(scan.MaintenanceTable, c.rows.Row.ID); r != nil {
		c.checkMaintenance(r)
	}
	if r := c.file.hostState.Row(scan.TelemetryTable, c.rows.Row.ID); r != nil && len(c.rows.Messages) <= 1 && scan.IntColumn(r, "turns_since_leaf_compaction") >= 5 {
		c.found.add(IngestionStopped, conversationAt(c.rows.Row.ID), fmt.Sprintf("%d messages, and %d turns by the host's count", len(c.rows.Messages), scan.IntColumn(r, "turns_since_leaf_compaction")))
	}
}

// checkBootstrapState checks how far the session file was read. A session file that is
// missing from an existing folder was moved or deleted; without the folder nothing is
// known. The host corrects other wrong notes by itself at its next start, as long as the
// row stays.
func (c *hostStateCheck) checkBootstrapState(r data.Row) {
	where := rowAt(scan.BootstrapTable, formatID(c.rows.Row.ID))
	path, size, offset := scan.TextColumn(r, "session_file_path"), scan.IntColumn(r, "last_seen_size"), scan.IntColumn(r, "last_processed_offset")
	const byItself = "; the host corrects it by itself"
	if c.rows.Row.Active.Value != 0 && filepath.IsAbs(path) {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist) && isFolder(filepath.Dir(path)):
			c.found.add(BootstrapStateWrong, where, "there is no session file "+clip(path))
			return
		case err == nil && info.Size() < offset:
			c.found.add(BootstrapStateWrong, where, fmt.Sprintf("read to %d, and the session file has only %d bytes", offset, info.Size())+byItself).downgrade()
			return
		}
	}
	switch {
	case offset < 0, offset > size:
		c.found.add(BootstrapStateWrong, where, fmt.Sprintf("read to %d of %d bytes", offset, size)+byItself).downgrade()
	case size == 0 && offset == 0 && path != "" && len(c.rows.Messages) > 0:
		c.found.add(BootstrapStateWrong, where, "a placeholder: nothing was read, and there are messages"+byItself).downgrade()
	}
}

// checkMaintenance finds compactions that never ended, are owed to an archived
// conversation, or keep failing.
func (c *hostStateCheck) checkMaintenance(r data.Row) {
	where := rowAt(scan.MaintenanceTable, formatID(c.rows.Row.ID))
	if scan.IntColumn(r, "running") == 1 {
		began, ok := scan.TimeColumn(r, "last_started_at")
		if !ok || began.Before(c.file.now.Add(-c.file.Limits.Running)) {
			c.found.add(CompactionStuck, where, "running since "+orUnknownTime(scan.TextColumn(r, "last_started_at")))
		}
	}
	if scan.IntColumn(r, "pending") != 1 {
		return
	}
	if c.rows.Row.Active.Value == 0 {
		c.found.add(CompactionOwedByArchived, where, "waiting since "+orUnknownTime(scan.TextColumn(r, "requested_at")))
	}
	if n := scan.IntColumn(r, "retry_attempts"); n >= 5 {
		detail := fmt.Sprintf("tried %d times", n)
		if why := scan.TextColumn(r, "last_failure_summary"); why != "" {
			detail += ": " + clip(why)
		}
		c.found.add(CompactionFailing, where, detail)
	}
}

// orUnknownTime returns a time, or words for a missing one.
func orUnknownTime(s string) string {
	if s == "" {
		return "an unknown time"
	}
	return clip(s)
}

// checkFocusBriefs finds a second active focus brief, and sources of an active brief that
// don't exist.
func (c *hostStateCheck) checkFocusBriefs(ctx context.Context) error {
	var active []string
	for _, r := range c.file.hostState[scan.BriefTable][c.rows.Row.ID] {
		if scan.TextColumn(r, "status") != "active" {
			continue
		}
		id := scan.TextColumn(r, "brief_id")
		active = append(active, id)
		sources, err := data.Images(ctx, c.file.db, "focus_brief_sources", data.Row{"brief_id": id})
		if err != nil {
			return err
		}
		for _, source := range sources {
			if lost := scan.TextColumn(source, "summary_id"); c.rows.Nodes[lost] == nil && !c.summaryExists(ctx, lost) {
				c.found.add(FocusBriefWrong, rowAt(scan.BriefTable, id), "its source summary "+clip(lost)+" doesn't exist", id, lost)
			}
		}
	}
	if len(active) > 1 {
		c.found.add(FocusBriefWrong, rowAt(scan.BriefTable, active[0]), fmt.Sprintf("%d briefs are active", len(active)), active...)
	}
	return nil
}

// summaryExists reports whether any conversation has the summary.
func (c *hostStateCheck) summaryExists(ctx context.Context, id string) bool {
	_, err := lcm.ReadSummary(ctx, c.file.db, id)
	return err == nil
}

// checkSharedTranscripts finds session files that two active conversations read.
func (c *sessionCheck) checkSharedTranscripts(ctx context.Context) error {
	const column = "session_file_path"
	if !c.file.db.Schema().Has(scan.BootstrapTable, column) || c.file.has(data.PendingBatchTable) {
		return nil
	}
	of := c.file.hostState[scan.BootstrapTable]
	if c.file.Conversation != 0 { // The rows of other conversations weren't read.
		path := scan.TextColumn(c.file.hostState.Row(scan.BootstrapTable, c.file.Conversation), column)
		rows, err := data.Images(ctx, c.file.db, scan.BootstrapTable, data.Row{column: path})
		if err != nil || path == "" {
			return err
		}
		of = map[int64][]data.Row{}
		for _, r := range rows {
			of[scan.IntColumn(r, "conversation_id")] = []data.Row{r}
		}
	}
	readers := map[string][]int64{}
	for _, v := range c.file.conversations {
		for _, r := range of[v.ID] {
			if path := scan.TextColumn(r, column); path != "" && v.Active.Value == 1 {
				readers[path] = append(readers[path], v.ID)
			}
		}
	}
	for _, v := range c.file.conversations {
		for _, r := range of[v.ID] {
			ids := readers[scan.TextColumn(r, column)]
			if newest := len(ids) - 1; newest > 0 && slices.Contains(ids[:newest], v.ID) && c.file.concerns(v.ID, ids[newest]) {
				c.found.add(TranscriptShared, rowAt(scan.BootstrapTable, formatID(v.ID)), fmt.Sprintf("reads %s, as does conversation %d", clip(scan.TextColumn(r, column)), ids[newest]),
					formatID(ids[newest]), formatID(v.ID)).Conversation = v.ID
			}
		}
	}
	return nil
}

// checkDanglingHostState finds notes about conversations that don't exist.
func (c *storageCheck) checkDanglingHostState() {
	known := map[int64]bool{}
	for _, v := range c.file.conversations {
		known[v.ID] = true
	}
	for _, table := range []string{scan.TelemetryTable, scan.MaintenanceTable, scan.BootstrapTable} {
		for id := range c.file.hostState[table] {
			if !known[id] {
				c.found.add(HostStateDangling, rowAt(table, formatID(id)), "there is no conversation "+formatID(id))
			}
		}
	}
}
