package backfill

import (
	"context"
	"maps"
	"path/filepath"

	"lcm-tui/data"
)

// How much is written at once: a host that waits for its turn should hardly notice.
const (
	batchMessages = 2000
	batchBytes    = 2 << 20
)

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
	was := r.last.before
	*r = importRun{op: r.op, into: r.into, last: plannedStep{step: r.last.step}}
	if err := r.begin(ctx, db, report); err != nil {
		return err
	}
	was.Stored, was.Conversation, was.New = r.survey.Stored, r.survey.Conversation, r.survey.New
	r.survey = was
	return nil
}

// nextMessage returns the message that was put aside, or the next of the file.
func (r *importRun) nextMessage(ctx context.Context) (m message, ok bool, err error) {
	if r.pending != nil {
		m, r.pending = *r.pending, nil
		return m, true, nil
	}
	return r.message(ctx)
}

// batch returns what comes next. Its messages are of one conversation.
func (r *importRun) batch(ctx context.Context, step int, report data.Report) (*batch, error) {
	r.last.before = r.survey
	r.last.before.Left = maps.Clone(r.survey.Left)
	b := &batch{}
	bytes, limit := 0, r.op.Batch
	if limit == 0 {
		limit = batchMessages
	}
	for !r.ended && (r.op.Whole || len(b.messages) < limit && bytes < batchBytes) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m, ok, err := r.nextMessage(ctx)
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
		r.tail.newest = m.entry
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
	b.line, b.offset, b.last, b.whole = r.reading.line, r.reading.offset, r.ended, r.ended && !r.survey.Growing && !r.file.Cut()
	r.last.batch, r.last.step = b, step
	report(int(r.reading.offset>>10), int(r.file.Size>>10), "importing "+filepath.Base(r.op.Path))
	return b, nil
}
