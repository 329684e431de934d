package transcript

import (
	"bytes"
	"context"
	"time"

	"lcm-tui/data/jstext"
)

// Reset is an entry at which a session of OpenClaw starts over under the same id: what precedes it
// and what follows are two conversations.
type Reset struct {
	Line   int64 // Where it stands, from 1.
	Number int   // How many resets there are up to it, from 1.
	At     time.Time
	Reason string // One of the reasons below, or a newer one.
	// FirstKept is the id of the oldest entry before it that the new session still shows to
	// the model, or empty.
	FirstKept string
}

// The reasons of resets.
const (
	ResetByNew       = "new"   // The command /new.
	ResetByCommand   = "reset" // The command /reset.
	ResetByIdleTime  = "idle"
	ResetByDay       = "daily"
	ResetByCronStale = "cron-stale"
)

// newReset is the reset in a line, behind the one before it.
func newReset(v jstext.Value, line int64, before *Reset) *Reset {
	r := &Reset{Line: line, Number: 1, At: firstTime(v.Field("timestamp")), Reason: v.Field("reason").Text(), FirstKept: v.Field("firstKeptEntryId").Text()}
	if before != nil {
		r.Number += before.Number
	}
	return r
}

// Resets are the resets on the way to the last entry, in order.
func (f *File) Resets(ctx context.Context) (out []*Reset, err error) {
	if f.Kind != OpenClaw {
		return nil, nil
	}
	p, err := f.path(ctx)
	if err != nil {
		return nil, err
	}
	var last *Reset
	err = f.eachLine(ctx, func(at place, line []byte) (bool, error) {
		if !p.has(at.line) || !bytes.Contains(line, []byte(`"reset"`)) {
			return true, nil
		}
		if v := jstext.Parse(string(line)); v.Field("type") == `"reset"` {
			last = newReset(v, at.line, last)
			out = append(out, last)
		}
		return true, nil
	}, nil)
	return out, err
}
