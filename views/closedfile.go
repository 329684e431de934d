package views

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/reclaim"
	"lcm-tui/ops/restore"
	"lcm-tui/ui"
)

// ClosedWork is work on the database for which no handle may be open on it: it runs between the end of
// the screens and their next start.
type ClosedWork struct {
	Name string // What is done.
	// Run does it and says what was done.
	Run func(ctx context.Context, report data.Report) (done string, err error)
}

// whyNotClosed says why no work can be done while the file is closed, or is empty.
func (e *Env) whyNotClosed() string {
	return firstNonEmpty(textWhen(e.WhileClosed == nil, "it needs the program to be started for this file"), e.readOnly())
}

// restartFor ends the screens, does some work, and starts them again.
func (e *Env) restartFor(question, verb string, w ClosedWork) tea.Cmd {
	return ui.Say(ui.RestartMsg{Question: question, Verb: verb, Before: func() { e.WhileClosed(w) }})
}

// reclaimCommand gives unused space back to the disk.
func (e *Env) reclaimCommand() ui.Command {
	path := e.DB.Path()
	work := ClosedWork{Name: "giving unused space back", Run: func(ctx context.Context, report data.Report) (string, error) {
		r, err := reclaim.File(ctx, path, reclaim.Options{}, report)
		if err != nil {
			return "", err
		}
		return strings.Join(append([]string{"the file and its -wal took " + ui.Size(r.Before.Total()) + " and take " + ui.Size(r.After.Total())}, r.Notes...), "; "), nil
	}}
	ask := ui.AskMsg{
		Title: "Give unused space back?", Verb: "give it back",
		Text: "The screens end while the file is compacted, and start again. No row changes. While a host has the file open, only its search tables are merged and the -wal is emptied.",
		Do:   func() tea.Cmd { return e.restartFor("Give unused space back?", "give it back", work) },
	}
	return ui.Command{Name: "give unused space back", Kind: "File", Why: e.whyNotClosed(), Run: func() tea.Cmd { return ui.Say(ask) }}
}

// findBackups lists the backups beside the database for a query that asks for them.
func (e *Env) findBackups(_ context.Context, query string) (out []ui.Command, err error) {
	backups, err := data.Backups(e.DB.Path())
	if err != nil {
		return nil, nil //nolint:nilerr // A folder that can't be read has no backups to offer.
	}
	why := e.whyNotClosed()
	for _, b := range backups {
		name := "restore " + ui.Line(filepath.Base(b.Path))
		if strings.Contains(name, query) {
			out = append(out, ui.Command{Name: name, Kind: "Backup", Why: why, Run: func() tea.Cmd { return e.askRestore(b.Path) }})
		}
	}
	return out[:min(len(out), maxFound)], nil
}

// askRestore checks a backup, says what its restore would change, and asks.
func (e *Env) askRestore(backup string) tea.Cmd {
	live := e.DB.Path()
	return e.Jobs.Start(e, "check the backup", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
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
			Do: func() tea.Cmd { return e.restartFor("Restore this backup?", "restore", restoreWork(backup, live)) },
		}, nil
	})
}

// restoreText says what a restore would change.
func restoreText(p restore.Preview) string {
	lines := []string{ui.Line(shortenHome(p.Backup)) + ", " + p.BackupKind + ", takes the place of the database, which is copied before."}
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
func restoreWork(backup, live string) ClosedWork {
	return ClosedWork{Name: "restoring " + ui.Line(filepath.Base(backup)), Run: func(ctx context.Context, report data.Report) (string, error) {
		b, err := restore.OpenBackup(ctx, backup, live, false, report)
		if err != nil {
			return "", err
		}
		defer b.Close()
		r, err := restore.Apply(ctx, restore.Request{Backup: b, Live: live, Now: time.Now}, report)
		if err != nil {
			return "", err
		}
		return "restored; what was there before is " + ui.Line(shortenHome(r.Saved)), nil
	}}
}
