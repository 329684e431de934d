package cli

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/views"
)

// ui shows the screens. That no database can be opened is something to show there.
func (a *app) ui(ctx context.Context) error {
	c := &call{app: a}
	defer c.close()
	db, err := c.open(ctx)
	return a.show(ctx, db, c.locations, err)
}

func (a *app) show(ctx context.Context, db *data.DB, l data.Locations, err error) error {
	return views.Run(ctx, views.Options{DB: db, Files: l.FilesDir, Locations: l, Err: err, Version: a.sys.version()})
}
