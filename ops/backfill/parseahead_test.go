package backfill

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"lcm-tui/data/jstext"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/ingest"
	"lcm-tui/internal/parallel"
)

// many gives n groups of about a kilobyte each.
func many(n int, given *int) func(func(group, error) bool) {
	text := jstext.Quote(strings.Repeat("x", 1000))
	return func(yield func(group, error) bool) {
		for i := range n {
			*given = i + 1
			if !yield(group{Entry: transcript.Entry{ID: fmt.Sprint(i), Message: text}}, nil) {
				return
			}
		}
	}
}

func stored(g group) (ingest.Stored, ingest.Skip) { return ingest.Stored{Content: g.ID}, "" }

// TestParseAhead: everything comes, in order, and parsed.
func TestParseAhead(t *testing.T) {
	t.Parallel()
	var given int
	next, stop := parseAhead(t.Context(), many(5000, &given), stored)
	defer stop()
	for i := range 5000 {
		p, ok := next()
		if !ok || p.err != nil || p.ID != fmt.Sprint(i) || p.stored.Content != p.ID {
			t.Fatalf("group %d: %v, %q stored as %q, %v", i, ok, p.ID, p.stored.Content, p.err)
		}
	}
	if p, ok := next(); ok {
		t.Errorf("after the last: %q, %v", p.ID, p.err)
	}
}

// TestParseAheadLimit: what isn't asked for isn't read, but for a few chunks.
func TestParseAheadLimit(t *testing.T) {
	t.Parallel()
	var given int
	next, stop := parseAhead(t.Context(), many(50_000, &given), stored)
	next()
	stop() // Ends the goroutine, so that given may be read.
	if given > (chunksAhead+4)*chunkBytes/1000 {
		t.Errorf("%d groups were read for one that was asked for", given)
	}
}

// TestParseAheadCancelled: a reading that is cancelled ends with an error, and never as
// if the file ended there.
func TestParseAheadCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var given int
	next, stop := parseAhead(ctx, many(50_000, &given), stored)
	defer stop()
	next()
	cancel()
	for range 50_001 {
		p, ok := next()
		if !ok {
			t.Fatal("it ended as if all was read")
		}
		if p.err != nil {
			if !errors.Is(p.err, context.Canceled) {
				t.Error(p.err)
			}
			return
		}
	}
	t.Error("all was read")
}

// TestParseAheadPanic: a line on which the parser panics is an error of the import, which
// doesn't take the program down.
func TestParseAheadPanic(t *testing.T) {
	t.Parallel()
	var given int
	next, stop := parseAhead(t.Context(), many(10, &given), func(group) (ingest.Stored, ingest.Skip) { panic("out of range") })
	defer stop()
	var p *parallel.PanicError
	if got, ok := next(); !ok || !errors.As(got.err, &p) {
		t.Errorf("%v, %v", got.err, ok)
	}
}
