package cli

import (
	"context"
	"errors"

	"lcm-tui/data/openclaw"
	"lcm-tui/work"
)

// DescribeLater requests that a model describes the large files of conversations, where the settings name one for it
// and work is done by itself. It makes what is noted beside the database where that isn't there.
func (c *Invocation) DescribeLater(ctx context.Context, set HostSettings, conversations ...int64) (err error) {
	state := openclaw.OwnState(c.Sys.Env)
	if len(conversations) == 0 || state == "" || !set.DescribesFiles() || !set.WorksByItself() {
		return nil
	}
	notes, err := work.Open(ctx, work.Folder(state, c.DB.Path()))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, notes.Close()) }()
	for _, id := range conversations {
		err = errors.Join(err, notes.Request(ctx, work.Description, id, work.SessionEnd))
	}
	return err
}

// WorksByItself reports whether work is done that nobody asked for.
func (c HostSettings) WorksByItself() bool { return c.Own.Work.Enabled && !c.AutocompactDisabled() }
