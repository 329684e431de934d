package agents

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/clients"
	"lcm-tui/clients/install"
	"lcm-tui/data/transcript"
	"lcm-tui/internal/plural"
	"lcm-tui/internal/regularfile"
	"lcm-tui/ops/follow"
	"lcm-tui/ui"
)

// archiveFlags is how long sessions are to be kept.
type archiveFlags struct {
	days       *cli.IntegerFlag
	project    cli.TextFlag
	since      cli.TimePoint
	apply, dry bool
}

func archiveCommand(a *cli.App) *cobra.Command {
	f := &archiveFlags{days: cli.AtLeast(1, "N"), project: cli.TextFlag{Noun: "FOLDER"}}
	cmd := a.Command(cli.GroupAgents, "archive", "Show which sessions a client will delete, and keep them", f.run)
	cmd.Long = `Shows, for each client, after how many days it deletes session files and which setting says so,
how many files there are, how many of them die within seven days, how many are imported as a
whole, and of how many sessions only their prompts are left.

keep sets how many days Claude Code keeps session files, in your own settings; nothing else in
the file changes. lcm-tui follow --apply --once imports what there is, those that die first
first.

recover imports what you typed into sessions that were deleted before they were imported, from
the history.jsonl of Claude Code and Codex. Each session becomes a conversation that has only
prompts: it can be searched, and is never compacted or handed to an agent.

Writes nothing without --apply.`
	cmd.Example = "  lcm-tui archive\n  lcm-tui archive keep --days 365\n  lcm-tui archive keep --days 365 --apply\n  lcm-tui archive recover\n  lcm-tui archive recover --since 2026-01-01 --apply"
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.Var(f.days, "days", "with keep: for how many days")
	fs.Var(&f.project, "project", "with recover: only sessions in this folder, or of this project in session keys")
	fs.Var(&f.since, "since", "with recover: only sessions that went on after this time, such as 2026-01-05")
	fs.BoolVar(&f.apply, "apply", false, "with keep and recover: write the change")
	fs.BoolVar(&f.dry, "dry-run", false, "with keep and recover: only show what would change (the default)")
	return cmd
}

// keepAction is the action that sets how long sessions are kept, and recoverAction the one that imports the prompts of
// those that are gone.
const (
	keepAction    = "keep"
	recoverAction = "recover"
)

func (f *archiveFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	c.OwnDatabase = true
	switch c.Action {
	case keepAction:
		return f.keep(c)
	case recoverAction:
		return f.recoverPrompts(ctx, c)
	}
	r := &archiveResult{Clients: []archivedClient{}}
	saved, known, err := c.StoredSessions(ctx)
	if err != nil {
		return nil, err
	}
	for _, client := range clients.All() {
		one := archivedClient{Client: string(client), Retention: c.Clients().RetentionOf(string(client))}
		folder := client.Sessions(c.Sys.Env)
		if folder != "" && cli.FileExists(folder) {
			found, _ := follow.List(ctx, []string{folder}) // What can't be read can't be kept either.
			one.count(found, saved, time.Now(), cli.KeepsNothingOf(ctx, c.Sys.Env))
			if client == clients.ClaudeCode {
				one.LastSweep = lastSweep(filepath.Dir(folder))
				one.Lost = lostSessions(ctx, filepath.Join(filepath.Dir(folder), transcript.HistoryFile), found, known)
			}
		}
		r.Clients = append(r.Clients, one)
	}
	return r, ctx.Err()
}

// keep changes how long Claude Code keeps session files.
func (f *archiveFlags) keep(c *cli.Invocation) (cli.Result, error) {
	if !f.days.IsSet {
		return nil, cli.UsageErrorf("archive keep: expected --days N, such as 365")
	}
	change, err := c.Clients().KeepSessions(int(f.days.Value))
	if err != nil {
		return nil, err
	}
	row := installedFile{Part: change.Part, Path: change.Path, Diff: change.Diff(), change: change}
	r := &installResult{Client: string(clients.ClaudeCode), Scope: change.Scope, Applied: f.apply}
	if f.apply {
		backup, err := change.Apply(time.Now())
		if err != nil {
			return nil, err
		}
		row.Backup = cli.OrNull(backup)
	}
	r.Changes = []installedFile{row}
	return r, nil
}

// archivedClient is what a client keeps, and what of it is safe.
type archivedClient struct {
	Client string `json:"client"`
	install.Retention
	LastSweep *string `json:"last_sweep"` // When it looked last for files to delete.
	Files     int     `json:"files"`
	// Dying are the files that it deletes within seven days, and Unsaved those of them that aren't imported as a whole.
	Dying   int `json:"dying_7d"`
	Unsaved int `json:"dying_7d_unsaved"`
	Saved   int `json:"saved"` // Imported as a whole.
	// Lost are the sessions of which only prompts are left.
	Lost int `json:"lost"`
}

// dyingDays is how many days ahead is looked.
const dyingDays = 7

// count counts the session files of a client. Those that aren't to be imported aren't unsaved.
func (a *archivedClient) count(found []follow.Session, saved map[string]int64, now time.Time, ignored func(path string) bool) {
	a.Files = len(found)
	for _, s := range found {
		isSaved := saved[s.Path] >= s.Size
		if isSaved {
			a.Saved++
		}
		if a.DiesWithin(dyingDays, s.ModTime, now) {
			a.Dying++
			if !isSaved && !ignored(s.Path) {
				a.Unsaved++
			}
		}
	}
}

// lastSweep returns when Claude Code looked last for files to delete.
func lastSweep(folder string) *string {
	text, err := regularfile.Read(filepath.Join(folder, ".last-cleanup"), 100)
	if err != nil {
		return nil
	}
	return cli.OrNull(ui.Line(string(text)))
}

// lostSessions counts the sessions with an id, in a history of prompts, that have neither a file nor a conversation.
func lostSessions(ctx context.Context, path string, found []follow.Session, known map[string]bool) (lost int) {
	h, err := transcript.OpenHistory(ctx, path)
	if err != nil {
		return 0
	}
	files := map[string]bool{}
	for _, s := range found {
		files[strings.TrimSuffix(filepath.Base(s.Path), filepath.Ext(s.Path))] = true
	}
	for _, s := range h.Sessions {
		if !s.Unnamed && !files[s.ID] && !known[s.ID] {
			lost++
		}
	}
	return lost
}

// archiveResult is what clients delete, and what of it is safe.
type archiveResult struct {
	Clients []archivedClient `json:"clients"`
	cli.WarningList
}

// Print implements cli.Result.
func (r *archiveResult) Print(p *cli.Printer) {
	rows := make([][]string, len(r.Clients))
	unsaved, lost := 0, 0
	for i, a := range r.Clients {
		period, source := "never", a.Source
		if a.Days > 0 {
			period = plural.Count(a.Days, "day", "days")
		}
		if source == "" && a.Days > 0 {
			source = "its default"
		}
		if a.Unread != "" {
			source += "; " + a.Unread + " can't be read, and may say otherwise"
		}
		if a.Problem != "" {
			source += ": " + a.Problem + "; it deletes nothing meanwhile"
		}
		unsaved, lost = unsaved+a.Unsaved, lost+a.Lost
		rows[i] = []string{a.Client, period, ui.Num(int64(a.Files)), ui.Num(int64(a.Saved)), ui.Num(int64(a.Dying)), ui.Num(int64(a.Unsaved)), ui.Num(int64(a.Lost)), ui.Line(source)}
	}
	p.Table([]cli.Column{
		{Title: "client"},
		{Title: "deletes after"},
		{Title: "files", Right: true},
		{Title: "imported", Right: true},
		{Title: "die soon", Right: true},
		{Title: "unsaved", Right: true},
		{Title: "lost", Right: true},
		{Title: "because of", Grows: true},
	}, rows)
	p.Muted("die soon: in seven days; unsaved: those that aren't imported; lost: of which only prompts are left")
	if unsaved > 0 {
		p.Line(cli.Styled(p.Styles.Warn, plural.Count(unsaved, "session file dies", "session files die")+" unsaved within seven days: lcm-tui follow --apply --once imports them"))
	}
	if lost > 0 {
		p.Muted("lcm-tui archive recover restores the prompts of those that are lost")
	}
}
