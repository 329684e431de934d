package fleet

import (
	"context"
	"math"
	"path/filepath"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/textsearch"
)

// messageRuns is what is noted of a copy so that a search finds its newest messages without reading the times of all.
type messageRuns struct {
	File     string    `json:"file"` // The generation that was read.
	PulledAt time.Time `json:"pulled_at"`
	// Runs have, for each range of messages in which times rise with ids, its first id and the times at both ends in nanoseconds
	// since 1970. There are none where the ranges are too many.
	Runs [][3]int64 `json:"runs"`
}

const (
	runsFile = "runs.json"
	mostRuns = 400 // Each has up to 100 bytes of the file.
)

// MessageRuns returns the ranges of messages of a source's newest copy in which times rise with ids, or nothing where they aren't
// noted.
func (s Store) MessageRuns(t State) []textsearch.TimeRun {
	o, ok := s.messageRuns(t)
	if !ok || len(o.Runs) == 0 {
		return nil
	}
	runs := make([]textsearch.TimeRun, len(o.Runs))
	for i, r := range o.Runs {
		runs[i] = textsearch.TimeRun{IDRange: textsearch.IDRange{From: r[0], To: math.MaxInt64}, First: time.Unix(0, r[1]), Last: time.Unix(0, r[2])}
		if i > 0 {
			runs[i-1].To = r[0] - 1
		}
	}
	return runs
}

// messageRuns returns what is noted of a source's newest copy; ok is false where that wasn't read yet.
func (s Store) messageRuns(t State) (o messageRuns, ok bool) {
	if t.Newest == nil || readState(filepath.Join(s.folder(t.Name), runsFile), &o) != nil {
		return messageRuns{}, false
	}
	return o, o.File == t.Newest.File && o.PulledAt.Equal(t.Newest.PulledAt)
}

// noteRuns notes the ranges of messages of a source's newest copy, unless that is done. Without the note searches take longer.
func (s Store) noteRuns(ctx context.Context, t State) {
	path, err := s.Path(t)
	if _, done := s.messageRuns(t); done || err != nil {
		return
	}
	db, err := data.Open(ctx, path)
	if err != nil {
		return
	}
	defer db.Close()
	runs, err := textsearch.ExactTimeRuns(ctx, db, mostRuns)
	if err != nil {
		return
	}
	o := messageRuns{File: t.Newest.File, PulledAt: t.Newest.PulledAt, Runs: [][3]int64{}}
	for _, r := range runs {
		if r.First.IsZero() || r.First.Year() < 1700 || r.Last.Year() > 2200 { // Nanoseconds have no room for them.
			o.Runs = o.Runs[:0]
			break
		}
		o.Runs = append(o.Runs, [3]int64{r.From, r.First.UnixNano(), r.Last.UnixNano()})
	}
	_ = writeState(filepath.Join(s.folder(t.Name), runsFile), o)
}
