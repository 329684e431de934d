package agents

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"lcm-tui/cli"
	"lcm-tui/clients"
	"lcm-tui/data/transcript"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/backfill"
	"lcm-tui/ui"
)

// recoverPrompts imports what was typed into sessions that are gone.
func (f *archiveFlags) recoverPrompts(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	if f.apply {
		if err := c.ReadyToWrite(ctx, db); err != nil {
			return nil, err
		}
	}
	set := c.HostSettings(nil)
	ignored, err := clients.ParseIgnored(set.Own.IgnoredFolders)
	if err != nil {
		return nil, fmt.Errorf("config.toml: %w", err)
	}
	defer c.Sys.LimitMemory(cli.ImportMemory)()
	project := f.project.Value
	if cli.FileExists(project) {
		project = realPath(project)
	}
	r := &recoverResult{Applied: f.apply, Histories: []recoveredHistory{}}
	for _, client := range clients.All() {
		folder := client.Sessions(c.Sys.Env)
		if folder == "" {
			continue
		}
		search := backfill.Recovery{
			Path: filepath.Join(filepath.Dir(folder), transcript.HistoryFile), Project: project, Since: f.since.At, Ignores: ignored.Has,
			Sessions: []string{folder},
			Request:  backfill.Op{Files: c.Locations.FilesDir, Threshold: set.LargeFileTokens(), Filter: set.SessionFilter()},
		}
		h := recoveredHistory{Client: string(client), Path: search.Path, Sessions: []recoveredSession{}}
		dead, err := search.Find(ctx, db)
		switch {
		case ctx.Err() != nil:
			return r, ctx.Err()
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, transcript.ErrEmpty):
			continue
		case err != nil:
			r.Warnings = append(r.Warnings, err.Error())
			c.Exit = cli.ExitFailed
			continue
		}
		err = h.importAll(ctx, c, dead, f.apply)
		r.Histories = append(r.Histories, h)
		r.count(h)
		if err != nil {
			c.Partial = r.Records > 0
			return r, err
		}
	}
	if r.Prompts == 0 && c.Exit == 0 {
		c.Exit = cli.ExitNothing
	}
	return r, nil
}

// importAll imports the sessions that are gone, or says what that would add.
func (h *recoveredHistory) importAll(ctx context.Context, c *cli.Invocation, dead *backfill.Dead, apply bool) error {
	h.Skipped, h.BadLines = dead.Skipped, dead.History.BadLines
	for i, o := range dead.Imports {
		var err error
		s := recoveredSession{Project: o.Opened.Session.CWD}
		c.Progress()(i, len(dead.Imports), "reading the prompts of "+h.Client)
		if apply {
			s.Records, err = o.Import(ctx, c.DB, func(int, int, string) {})
			s.Survey = o.Done()
		} else {
			s.Survey, err = o.Survey(ctx, c.DB, func(int, int, string) {})
		}
		o.Close()
		var filtered *backfill.FilteredError
		if errors.As(err, &filtered) {
			h.Skipped[filtered.Why]++
			continue
		}
		switch {
		case len(s.Records) > 0 || err == nil && s.Messages > 0:
			h.Sessions = append(h.Sessions, s)
		case err == nil:
			h.Skipped["its prompts are stored"]++
		}
		if err != nil {
			return fmt.Errorf("%s: %w", o.Path, err)
		}
	}
	c.Wipe()
	return nil
}

// recoverResult is what was typed into sessions that are gone.
type recoverResult struct {
	Applied    bool               `json:"applied"`
	Sessions   int                `json:"sessions"`
	Prompts    int                `json:"prompts"`
	PastesLost int                `json:"pastes_lost"`
	Records    int                `json:"record_count"`
	Histories  []recoveredHistory `json:"histories"`
	cli.WarningList
}

// recoveredHistory is what the history of a client still knows.
type recoveredHistory struct {
	Client   string             `json:"client"`
	Path     string             `json:"path"`
	BadLines int                `json:"bad_line_count"`
	Skipped  map[string]int     `json:"skipped"` // Sessions, by the reason.
	Sessions []recoveredSession `json:"sessions"`
}

// recoveredSession is one session that is gone.
type recoveredSession struct {
	backfill.Survey
	Project string  `json:"project"`
	Records []int64 `json:"records,omitempty"`
}

func (r *recoverResult) count(h recoveredHistory) {
	r.Sessions += len(h.Sessions)
	for _, s := range h.Sessions {
		r.Prompts, r.PastesLost, r.Records = r.Prompts+s.Messages, r.PastesLost+s.PastesLost, r.Records+len(s.Records)
	}
}

// Print implements cli.Result.
func (r *recoverResult) Print(p *cli.Printer) {
	var rows [][]string
	for _, h := range r.Histories {
		for _, s := range h.Sessions {
			rows = append(rows, []string{h.Client, ui.Line(s.Session), ui.Num(int64(s.Messages)), ui.Num(int64(s.PastesLost)), ui.Line(s.Project)})
		}
	}
	if len(rows) > 0 {
		p.Table([]cli.Column{{Title: "client"}, {Title: "session"}, {Title: "prompts", Right: true}, {Title: "lost pastes", Right: true}, {Title: "project", Grows: true}}, rows)
	}
	for _, h := range r.Histories {
		for _, why := range slices.Sorted(maps.Keys(h.Skipped)) {
			p.Muted(fmt.Sprintf("%s: %s passed over: %s", h.Client, plural.Count(h.Skipped[why], "session", "sessions"), why))
		}
		if h.BadLines > 0 {
			p.Muted(fmt.Sprintf("%s: %s of %s can't be read", h.Client, plural.Count(h.BadLines, "line", "lines"), ui.Line(h.Path)))
		}
	}
	amount := plural.Count(r.Prompts, "prompt", "prompts") + " of " + plural.Count(r.Sessions, "session", "sessions")
	switch {
	case r.Prompts == 0:
		p.Line("there are no prompts to recover")
	case r.Applied:
		p.Linef("recovered %s, as %s: lcm-tui undo takes them back one by one", amount, plural.Count(r.Records, "record", "records"))
	default:
		p.Line("would recover " + amount + "; nothing was written: add --apply")
	}
}
