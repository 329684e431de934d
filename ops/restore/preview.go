package restore

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/ops/diff"
)

// Preview is what a restore would change.
type Preview struct {
	Live   string `json:"live"`
	Backup string `json:"backup"`
	Method Method `json:"method"`
	// LiveKind is empty where the live database can't be opened, and LiveProblem says why.
	LiveKind    string           `json:"live_kind,omitempty"`
	LiveProblem string           `json:"live_problem,omitempty"`
	LiveBytes   int64            `json:"live_bytes"`
	BackupKind  string           `json:"backup_kind"`
	BackupBytes int64            `json:"backup_bytes"`
	Tables      map[string]int64 `json:"tables"` // Rows of the backup.
	InUseBy     []string         `json:"in_use_by,omitempty"`
	// Differences go from the live database to the backup; nil where the live one can't be opened.
	Differences *diff.Report `json:"differences"`
	Transcripts []Transcript `json:"transcripts"`
	Lost        Lost         `json:"lost"`
	// Checkpoints are those that a restore at the state of the backup would set.
	Checkpoints []Checkpoint `json:"checkpoints,omitempty"`
	Notes       []string     `json:"notes,omitempty"`
}

// Transcript is what a host will store again from a transcript after the restore.
type Transcript struct {
	Conversation int64  `json:"conversation_id"`
	Path         string `json:"transcript"`
	Bytes        int64  `json:"bytes"` // It has so many beyond what the backup holds.
	// Why says why it isn't known or nothing can come; empty otherwise.
	Why string `json:"why,omitempty"`
}

// Lost is what no transcript brings back.
type Lost struct {
	Conversations int64 `json:"conversations"` // Begun since, without a transcript that is there.
	Messages      int64 `json:"messages"`      // Of conversations without a transcript that is there.
	Summaries     int64 `json:"summaries"`     // Made since; compaction is paid for again.
	FocusBriefs   int64 `json:"focus_briefs"`
	Records       int   `json:"records"` // Writes of this program since, which can't be undone then.
}

// Plan reads what the restore of a backup over the database at live would change. atBackup is whether
// hosts are kept from catching up. It writes nothing.
func Plan(ctx context.Context, b *Backup, live string, atBackup bool, report data.Report) (p Preview, err error) {
	if live, err = LivePath(live); err != nil {
		return p, err
	}
	p = Preview{
		Live: live, Backup: b.Named, Method: MethodPages, BackupKind: b.Kind().String(), BackupBytes: b.Bytes(),
		Tables: b.Tables, InUseBy: data.HolderNames(live), Transcripts: []Transcript{},
	}
	file, wal := data.FileBytes(live)
	p.LiveBytes = file + wal
	if atBackup {
		if p.Checkpoints, err = b.Checkpoints(ctx); err != nil {
			return p, err
		}
	} else if p.Transcripts, err = transcripts(ctx, b); err != nil {
		return p, err
	}
	if readsSessions(b.DB) {
		p.Notes = append(p.Notes, "the host stores again what its sessions in openclaw-agent.sqlite have beyond the backup; these aren't looked at here, so what is said to be lost may come back")
	}
	if b.Violations > 0 {
		p.Notes = append(p.Notes, "the backup has rows whose references lead nowhere; lcm-tui doctor lists them")
	}
	db, err := data.Open(ctx, live)
	switch {
	case errors.Is(err, data.ErrDamaged), errors.Is(err, data.ErrNotSQLite), errors.Is(err, data.ErrEmpty), errors.Is(err, data.ErrMissing):
		p.LiveProblem, p.Method = data.ProblemOf(err), MethodFiles
		return p, nil
	case err != nil:
		return p, err
	}
	defer db.Close()
	return p, p.compare(ctx, db, b, report)
}

// compare fills in what differs and what is lost.
func (p *Preview) compare(ctx context.Context, live *data.DB, b *Backup, report data.Report) (err error) {
	p.LiveKind = live.Kind().String()
	if err := CheckVersions(b, live); err != nil {
		return err
	}
	for _, w := range live.Warnings() {
		p.LiveProblem = data.ProblemOf(w)
	}
	records, err := change.RecordsMissingIn(ctx, live, b.DB)
	if err != nil {
		return err
	}
	p.Lost.Records = len(records)
	p.Differences, err = diff.Compare(ctx, live, b.DB, diff.Request{}, report)
	if err != nil {
		return err
	}
	tracked := map[int64]lcm.Bootstrap{}
	if !readsSessions(live) {
		if tracked, err = lcm.Bootstraps(ctx, live); err != nil {
			return err
		}
	}
	for _, c := range p.Differences.Conversations {
		p.Lost.Summaries += c.Summaries.Removed
		for _, t := range c.Tables {
			if t.Name == "focus_briefs" {
				p.Lost.FocusBriefs += t.Removed
			}
		}
		if _, err := os.Stat(tracked[c.ID].Path); tracked[c.ID].Path != "" && err == nil && len(p.Checkpoints) == 0 {
			continue // Its messages come again.
		}
		p.Lost.Messages += c.Messages.Removed
		if c.AfterID == nil {
			p.Lost.Conversations++
		}
	}
	return nil
}

// transcripts lists those that have more than the backup holds, and those that can't be read.
func transcripts(ctx context.Context, b *Backup) (out []Transcript, err error) {
	tracked, err := b.Tracked(ctx)
	out = []Transcript{}
	for _, t := range tracked {
		info, missing := os.Stat(t.Path)
		switch {
		case missing != nil:
			out = append(out, Transcript{Conversation: t.Conversation, Path: filepath.Clean(t.Path), Why: "the transcript isn't there"})
		case info.Size() < t.Offset:
			out = append(out, Transcript{Conversation: t.Conversation, Path: t.Path, Why: "the transcript was rewritten and is shorter now"})
		case info.Size() > t.Offset:
			out = append(out, Transcript{Conversation: t.Conversation, Path: t.Path, Bytes: info.Size() - t.Offset})
		}
	}
	return out, err
}
