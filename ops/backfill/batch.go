package backfill

import (
	"context"
	"path/filepath"

	"lcm-tui/data"
)

// How much is written at once: a host that waits for its turn should hardly notice.
const (
	batchMessages = 5000
	batchBytes    = 4 << 20
)

// batch are messages that are written together.
type batch struct {
	messages []message
	line     int64 // The last one that was read.
	offset   int64 // Behind it.
	whole    bool  // Nothing follows.
}

// batch is what a step writes: the same again while the step is the same, else what
// comes next.
func (r *run) batch(ctx context.Context, step int, report data.Report) (*batch, error) {
	if r.last != nil && r.step == step {
		return r.last, nil
	}
	b := &batch{}
	bytes := 0
	for !r.ended && (r.op.Whole || len(b.messages) < batchMessages && bytes < batchBytes) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m, ok, err := r.message()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		r.count(m)
		r.tell(report)
		b.messages = append(b.messages, m)
		bytes += len(m.Content)
		for _, p := range m.Parts {
			bytes += len(p.Metadata.Text)
		}
		for _, f := range m.Files {
			bytes += len(f.Body)
		}
	}
	b.line, b.offset, b.whole = r.line, r.offset, r.ended
	r.last, r.step = b, step
	report(int(r.offset>>10), int(r.file.Size>>10), "importing "+filepath.Base(r.op.Path))
	return b, nil
}
