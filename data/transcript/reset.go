package transcript

import (
	"context"
	"strings"
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

// BeginsConversation reports whether a host begins a new conversation at the reset. The command
// /new only empties the context.
func (r *Reset) BeginsConversation() bool { return r.Reason != ResetByNew }

// newReset returns the reset in a line, behind the one before it.
func newReset(v jstext.Value, line int64, before *Reset) *Reset {
	r := &Reset{Line: line, Number: 1, At: firstTime(v.Field("timestamp")), Reason: v.Field("reason").Text(), FirstKept: v.Field("firstKeptEntryId").Text()}
	if before != nil {
		r.Number += before.Number
	}
	return r
}

// readReset reads the reset in a line; nil where it holds none.
func readReset(line string, at int64) *Reset {
	if !strings.Contains(line, `"reset"`) {
		return nil
	}
	v := jstext.Parse(line)
	if v.Field("type") != `"reset"` {
		return nil
	}
	return newReset(v, at, nil)
}

// Resets returns the resets on the way to the last entry, in order.
func (f *File) Resets(ctx context.Context) ([]*Reset, error) {
	if f.Kind != OpenClaw {
		return nil, nil
	}
	o, err := f.findOrder(ctx)
	if err != nil {
		return nil, err
	}
	var out []*Reset
	for _, r := range o.resets {
		if !o.path.has(r.Line) {
			continue
		}
		on := *r
		on.Number = len(out) + 1
		out = append(out, &on)
	}
	return out, nil
}
