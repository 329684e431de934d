package replica

import (
	"iter"

	"lcm-tui/internal/parallel"
)

// A batch of rows that are read ahead is full with so many bytes of texts, or so many values. So many batches wait at most: about 1 MB, but
// for single long texts.
const (
	aheadBytes   = 64 << 10
	aheadValues  = 8 << 10
	aheadBatches = 8
)

// rowBatch is rows that were read, one behind another, or the error that ended them.
type rowBatch struct {
	values []any
	width  int // Of a row.
	bytes  int
	err    error
}

// ahead returns the rows of a sequence, which another goroutine reads on while the server takes those before. It reads no more once
// it returns.
func ahead(rows iter.Seq2[[]any, error]) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		batches, stop := make(chan rowBatch, aheadBatches), make(chan struct{})
		var reading parallel.Group
		defer reading.Wait()
		defer close(stop)
		reading.Go(func() {
			defer close(batches)
			readAhead(rows, batches, stop)
		})
		for b := range batches {
			for ; len(b.values) > 0; b.values = b.values[b.width:] {
				if !yield(b.values[:b.width:b.width], nil) {
					return
				}
			}
			if b.err != nil {
				yield(nil, b.err)
				return
			}
		}
	}
}

// readAhead sends the rows of a sequence in batches, until there are no more or stop is closed.
func readAhead(rows iter.Seq2[[]any, error], batches chan<- rowBatch, stop <-chan struct{}) {
	var b rowBatch
	send := func() bool {
		full := b
		b = rowBatch{}
		select {
		case batches <- full:
			return true
		case <-stop:
			return false
		}
	}
	for values, err := range rows {
		if err != nil {
			b.err = err
			send()
			return
		}
		b.values, b.width = append(b.values, values...), len(values)
		for _, v := range values {
			switch v := v.(type) {
			case string:
				b.bytes += len(v)
			case []byte:
				b.bytes += len(v)
			}
		}
		if (b.bytes >= aheadBytes || len(b.values) >= aheadValues) && !send() {
			return
		}
	}
	send()
}
