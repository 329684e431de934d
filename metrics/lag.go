package metrics

import (
	"context"
	"os"
	"time"

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
// again, until something of it is imported.
func followLag(ctx context.Context, notes *work.Sidecar, now time.Time) (lag time.Duration, err error) {
	files, err := notes.Counts().ImportedFiles(ctx)
	if err != nil || len(files) == 0 {
		return 0, err
	}
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
		}
		after[f.Path] = b
		lag = max(lag, now.Sub(b.Since))
	}
	if len(before) == 0 && len(after) == 0 {
		return lag, nil
	}
	return lag, notes.Counts().SetSample(ctx, lagSample, after)
}
