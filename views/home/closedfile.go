package home

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/restore"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// findBackups lists the backups beside the database for a query that asks for them.
func findBackups(_ context.Context, e *views.Env, query string) (out []ui.Command, err error) {
	backups, err := data.Backups(e.DB.Path())
	if err != nil {
		return nil, nil //nolint:nilerr // A folder that can't be read has no backups to offer.
	}
	why := e.WhyNotClosed()
	for _, b := range backups {
		name := "restore " + ui.Line(filepath.Base(b.Path))
		if strings.Contains(name, query) {
			out = append(out, ui.Command{Name: name, Kind: "Backup", Word: "restore", Why: why, Run: func() tea.Cmd { return askRestore(e, b.Path) }})
		}
	}
	if len(backups) == 0 && strings.HasPrefix("restore", query) {
		out = append(out, ui.Command{Name: "restore a backup", Kind: "Backup", Word: "restore", Why: "there is no backup beside the database"})
	}
	return out[:min(len(out), views.MaxFound)], nil
}

// askRestore checks a backup, says what its restore would change, and asks.
func askRestore(e *views.Env, backup string) tea.Cmd {
	live := e.DB.Path()
	return e.Jobs.Open(e, "check the backup", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		b, err := restore.OpenBackup(ctx, backup, live, false, report)
		if err != nil {
			return nil, err
		}
		defer b.Close()
		p, err := restore.Plan(ctx, b, live, false, report)
		if err != nil {
			return nil, err
		}
		return ui.AskMsg{
			Title: "Restore this backup?", Verb: "restore", Text: restoreText(p),
			Do: func() tea.Cmd { return e.RestartFor("Restore this backup?", "restore", restoreWork(backup, live)) },
		}, nil
	})
}

// restoreText says what a restore would change.
func restoreText(p restore.Preview) string {
	lines := []string{ui.Line(views.ShortenHome(p.Backup)) + ", " + p.BackupKind + ", takes the place of the database, which is copied before."}
	if p.Differences != nil {
		l := p.Lost
		lines = append(lines,
			plural.Count(len(p.Differences.Conversations), "conversation differs", "conversations differ")+".",
			fmt.Sprintf("Lost for good: %s, %s, %s. %s can't be undone any more.", plural.Count(l.Messages, "message", "messages"),
				plural.Count(l.Summaries, "summary", "summaries"), plural.Count(l.FocusBriefs, "focus brief", "focus briefs"),
				plural.Count(l.Records, "change of this program", "changes of this program")))
	}
	again := 0
	for _, t := range p.Transcripts {
		if t.Bytes > 0 {
			again++
		}
	}
	lines = append(lines, "The host stores again what came since in "+plural.Count(again, "transcript", "transcripts")+".")
	for _, name := range p.InUseBy {
		lines = append(lines, "Open in "+ui.Line(name)+": stop it before.")
	}
	return strings.Join(lines, "\n")
}

// restoreWork restores a backup.
func restoreWork(backup, live string) views.ClosedWork {
	return views.ClosedWork{Name: "restoring " + ui.Line(filepath.Base(backup)), Run: func(ctx context.Context, report data.Report) (string, error) {
		b, err := restore.OpenBackup(ctx, backup, live, false, report)
		if err != nil {
			return "", err
		}
		defer b.Close()
		r, err := restore.Apply(ctx, restore.Request{Backup: b, Live: live, Now: time.Now}, report)
		if err != nil {
			return "", err
		}
		return "restored; what was there before is " + ui.Line(views.ShortenHome(r.Saved)), nil
	}}
}
