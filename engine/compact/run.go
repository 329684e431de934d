package compact

import (
	"context"
	"errors"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/engine/summarize"
)

// Run compacts a conversation's context in memory as the reference engine would in
// the file, and returns what it made: nothing is written. The model may be nil if
// the request allows the fallback, and so may report.
//
// A run that is cancelled or whose call fails returns a *PartialError and, with it,
// the outcome up to there.
func Run(ctx context.Context, db *data.DB, conv int64, r Request, m summarize.Model, report data.Report) (Outcome, error) {
	switch {
	case m == nil && !r.Fallback:
		return Outcome{}, ErrNoModel
	case m == nil:
		m = emptyModel{}
	}
	if report == nil {
		report = noReport
	}
	return run(ctx, db, conv, r, m, report)
}

func noReport(int, int, string) {}

// Estimate returns what Run would come to if the model wrote as much as it is asked for:
// the passes, the calls and their tokens. No call is made, and the texts of the
// outcome mean nothing.
func Estimate(ctx context.Context, db *data.DB, conv int64, r Request) (Outcome, error) {
	return run(ctx, db, conv, r, estimatingModel{}, noReport)
}

func run(ctx context.Context, db *data.DB, conv int64, r Request, m summarize.Model, report data.Report) (Outcome, error) {
	s, before, err := load(ctx, db, conv, r.Config)
	if err != nil {
		return Outcome{}, err
	}
	s.settled = r.Settled
	o := Outcome{Conversation: conv, Before: before, Context: before, TokensBefore: s.stored()}
	e := &engine{state: s, Request: r, model: m, report: report, out: &o, counted: o.TokensBefore}
	o.Stopped, err = e.runMode(ctx)
	if o.Acted() {
		o.Context = e.context()
	}
	o.TokensAfter, o.Counted, o.Unsettled = e.stored(), e.counted, e.skippedUnsettled
	if err != nil {
		o.Stopped, err = stopReason(ctx, err), &PartialError{len(o.New), err}
	}
	return o, err
}

// runMode runs what the request asks for.
func (e *engine) runMode(ctx context.Context) (Reason, error) {
	switch e.Mode {
	case Sweep:
		return e.runSweep(ctx, e.Force, e.deadline(0))
	case Leaf:
		return e.runLeaf(ctx)
	case Until:
		e.StopAt, e.Hard = 0, false // Its sweeps are plain ones.
		return e.runUntil(ctx)
	}
	return Failed, fmt.Errorf("compact: no mode %q", e.Mode)
}

func stopReason(ctx context.Context, err error) Reason {
	switch {
	case ctx.Err() != nil:
		return Cancelled
	case errors.Is(err, summarize.ErrAuth):
		return Refused
	}
	return Failed
}

// progressNote says what is being made, for people who wait.
func (e *engine) progressNote(d draft) string {
	what, n := "messages", d.end-d.first
	if d.Condensed() {
		what = "summaries"
	}
	return fmt.Sprintf("summarizing %d %s at depth %d", n, what, d.Depth)
}

// minPasses returns how many passes there will be at least: those made, and the leaves
// that a sweep still makes.
func (e *engine) minPasses() int {
	n := len(e.out.Passes) + 1
	if e.Mode == Leaf {
		return n
	}
	for at := e.leafChunk(0, e.Config.LeafChunkTokens); !at.empty(); n++ {
		at = e.leafChunk(at.end, e.Config.LeafChunkTokens)
	}
	if most := e.Config.MaxSweepIterations; most > 0 {
		n = min(n, max(most*max(1, e.round), len(e.out.Passes)+1))
	}
	return n
}
