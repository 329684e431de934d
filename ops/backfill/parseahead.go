package backfill

import (
	"context"
	"iter"

	"lcm-tui/engine/ingest"
	"lcm-tui/internal/parallel"
)

// parsedGroup is a group as a host would store it, or the error of a line.
type parsedGroup struct {
	group
	stored ingest.Stored
	skip   ingest.Skip
	err    error
}

// chunkBytes is about how much of a file is passed on at once, and chunksAhead how many such
// pieces are parsed before they're asked for: enough for a batch, so that the next one is
// parsed when one is written.
const (
	chunkBytes  = 512 << 10
	chunksAhead = 4
)

// parseAhead parses groups in a goroutine of its own, while what came before them is
// written. When ctx ends before the groups do, next gives its error; a panic is an error too. Call stop when no
// more are wanted: it waits until nothing is read any more.
func parseAhead(ctx context.Context, groups iter.Seq2[group, error], store func(group) (ingest.Stored, ingest.Skip)) (next func() (parsedGroup, bool), stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	chunks := make(chan []parsedGroup, chunksAhead)
	whole := false // All was sent. Read when chunks is closed.
	var failed error
	read := func() error {
		var chunk []parsedGroup
		size := 0
		send := func() bool {
			if ctx.Err() != nil {
				return false // Else it would go on at random while stop takes what was sent.
			}
			select {
			case chunks <- chunk:
				chunk, size = nil, 0
				return true
			case <-ctx.Done():
				return false
			}
		}
		for g, err := range groups {
			p := parsedGroup{group: g, err: err}
			if err == nil {
				p.stored, p.skip = store(g)
				p.Message = "" // What is stored of it needn't hold the whole line.
			}
			chunk = append(chunk, p)
			if size += len(g.Message) + 64; size >= chunkBytes && !send() {
				return ctx.Err()
			}
		}
		whole = len(chunk) == 0 || send()
		return ctx.Err()
	}
	go func() {
		defer close(chunks)
		failed = parallel.Call(read)
	}()
	var chunk []parsedGroup
	next = func() (p parsedGroup, ok bool) {
		for len(chunk) == 0 {
			if chunk, ok = <-chunks; !ok && !whole {
				return parsedGroup{err: failed}, true
			} else if !ok {
				return parsedGroup{}, false
			}
		}
		p, chunk = chunk[0], chunk[1:]
		return p, true
	}
	return next, func() {
		cancel()
		for range chunks { // The goroutine ends once nobody takes what it sends.
		}
	}
}
