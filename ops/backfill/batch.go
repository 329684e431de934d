package backfill

import (
	"context"
	"maps"
	"path/filepath"
	"time"

	"lcm-tui/data"
)

// How much is written at once: a host that waits for its turn should hardly notice. On a busy machine a batch
// has less than that, down to a sixteenth.
const (
	batchMessages = 2000
	batchBytes    = 2 << 20
	leastShare    = 1. / 16
	longLock      = 400 * time.Millisecond
)

// nextShare returns which part of a full batch the next one may have, after one that had the part before and kept
// the lock for so long. The first one is full.
func nextShare(before float64, locked time.Duration) float64 {
	if before == 0 {
		return 1
	}
	fits := min(2, float64(longLock)/float64(max(locked, time.Millisecond)))
	return max(leastShare, min(1, before*fits))
}

// batch are messages that are written together.
type batch struct {
	messages []message
	line     int64 // The last one that was read.
	offset   int64 // Behind it.
	last     bool  // Nothing follows in the file as it is now.
	whole    bool  // Nothing at all is left of it.
}

// restart starts over, to plan a step once more: whoever wrote in the meantime may have
// stored some of it.
func (r *importRun) restart(ctx context.Context, db *data.DB, report data.Report) error {
	r.close()
	was := r.before
	*r = importRun{op: r.op, into: r.into, step: r.step}
	if err := r.begin(ctx, db, report); err != nil {
		return err
	}
	was.Stored, was.Conversation, was.New = r.survey.Stored, r.survey.Conversation, r.survey.New
	r.survey = was
	return nil
}

// nextMessage returns the message that was put aside, or the next of the file.
func (r *importRun) nextMessage() (m message, ok bool, err error) {
	if r.pending != nil {
		m, r.pending = *r.pending, nil
		return m, true, nil
	}
	return r.message()
}

// batch returns what comes next. Its messages are of one conversation.
func (r *importRun) batch(ctx context.Context, step int, report data.Report) (*batch, error) {
	r.before = r.survey
	r.before.Left = maps.Clone(r.survey.Left)
	b := &batch{}
	bytes, limit := 0, r.op.Batch
	if limit == 0 {
		limit = int(batchMessages * r.op.share)
	}
	for !r.ended && (r.op.Whole || len(b.messages) < limit && bytes < int(batchBytes*r.op.share)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m, ok, err := r.nextMessage()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		if b.messages != nil && m.segment != b.messages[0].segment {
			r.pending = &m
			break
		}
		r.count(m)
		r.reportProgress(report)
		b.messages = append(b.messages, m)
		bytes += len(m.Content)
		for _, p := range m.Parts {
			bytes += len(p.Metadata.Text)
		}
		for _, f := range m.Files {
			bytes += len(f.Body)
		}
	}
	b.line, b.offset, b.last, b.whole = r.line, r.offset, r.ended, r.ended && !r.survey.Growing && !r.file.Cut()
	r.last, r.step = b, step
	report(int(r.offset>>10), int(r.file.Size>>10), "importing "+filepath.Base(r.op.Path))
	return b, nil
}
