package metrics

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"lcm-tui/ops/follow"
	"lcm-tui/work"
)

// lagSample is the name under which it is kept since when session files have something that isn't imported.
const lagSample = "follow_lag"

// behind is a session file with something that isn't imported.
type behind struct {
	Offset int64     `json:"offset"` // Up to which it is imported, in bytes.
	Since  time.Time `json:"since"`
}

// followLag returns for how long the session file that waits longest has had something that isn't imported, and keeps
// what it has to know the next time. A file counts from its last write on, and goes on counting, though it is written
// again, until something of it is imported. One of which nothing was imported counts where the service that follows
// hasn't looked at it since that write, or failed with it: the others it leaves out.
func followLag(ctx context.Context, notes *work.Sidecar, now time.Time) (lag time.Duration, err error) {
	files, err := notes.Counts().ImportedFiles(ctx)
	if err != nil {
		return 0, err
	}
	tick, _, err := notes.Counts().Tick(ctx, work.FollowService)
	if err != nil {
		return 0, err
	}
	files = append(files, unseen(ctx, files, tick)...)
	before := map[string]behind{}
	if _, err := notes.Counts().Sample(ctx, lagSample, &before); err != nil {
		return 0, err
	}
	after := map[string]behind{}
	for _, f := range files {
		info, err := os.Stat(f.Path)
		if err != nil || info.Size() <= f.Offset {
			continue // It is gone, or imported to its end.
		}
		b, ok := before[f.Path]
		if !ok || b.Offset != f.Offset {
			b = behind{f.Offset, info.ModTime()}
			if since, failing := tick.Failing[f.Path]; failing && since.Before(b.Since) {
				b.Since = since
			}
		}
		after[f.Path] = b
		lag = max(lag, now.Sub(b.Since))
	}
	if len(before) == 0 && len(after) == 0 {
		return lag, nil
	}
	return lag, notes.Counts().SetSample(ctx, lagSample, after)
}

// unseen returns the session files of which nothing was imported, though a service follows them: those that were
// written since its tick, and those with which it failed.
func unseen(ctx context.Context, imported []work.Imported, tick work.Tick) (out []work.Imported) {
	known := map[string]bool{}
	for _, f := range imported {
		known[f.Path] = true
		if whole, err := filepath.EvalSymlinks(f.Path); err == nil {
			known[whole] = true
		}
	}
	found, _ := follow.List(ctx, tick.Paths) // What can't be read is reported by the service.
	for _, s := range found {
		_, failing := tick.Failing[s.Path]
		if !known[s.Path] && (failing || s.ModTime.After(tick.At)) {
			out = append(out, work.Imported{Path: s.Path})
		}
	}
	return out
}
