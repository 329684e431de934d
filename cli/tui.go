package cli

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/engine/settings"
	"lcm-tui/views"
)

// ui shows the screens. That no database can be opened is something to show there.
func (a *app) ui(ctx context.Context) error {
	c := &call{app: a}
	defer c.close()
	db, err := c.open(ctx)
	return a.show(ctx, db, c.locations, err)
}

func (a *app) show(ctx context.Context, db *data.DB, l openclaw.Locations, err error) error {
	return views.Run(ctx, views.Options{
		DB: db, Files: l.FilesDir, Sessions: a.sessions(l), Locations: l, Err: err, Version: a.sys.version(),
		Settings:   func() settings.Settings { return (&call{app: a}).configured(nil).Settings },
		Editor:     a.edited(),
		Summarizer: func(context.Context) (views.Summarizer, error) { return a.summarizer(db) },
	})
}

// summarizer finds what the screens have summaries made with, without any flags.
func (a *app) summarizer(db *data.DB) (views.Summarizer, error) {
	c, w := &call{app: a, db: db}, &workshop{}
	w.bind(&cobra.Command{})
	t, err := w.tools(c)
	return views.Summarizer{Model: t.model, Settings: t.settings, Form: t.form, Job: t.job}, err
}

// sessions are the folders in which hosts keep their transcripts, or the one that was
// named.
func (a *app) sessions(l openclaw.Locations) []string {
	if a.opts.sessions.value != "" {
		return []string{a.opts.sessions.value}
	}
	found, _ := filepath.Glob(filepath.Join(l.StateDir, "agents", "*", "sessions")) // The pattern is a good one.
	if home := a.sys.Env("HOME"); home != "" {
		found = append(found, filepath.Join(home, ".claude", "projects"), filepath.Join(home, ".codex", "sessions"))
	}
	return found
}
