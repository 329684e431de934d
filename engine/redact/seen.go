package redact

import (
	"hash/maphash"
	"sync/atomic"
)

// Seen knows texts that were scanned and have no secret, so that copies of a text are scanned
// once. It holds digests in a table of a fixed size: where two texts want one place, the later one
// takes it. Any number of goroutines may use one. A nil one knows nothing.
type Seen struct {
	seed   maphash.Seed
	blocks [1 << 13]atomic.Pointer[seenBlock]
}

// seenBlock is a part of the table, made when the first digest goes there: few texts take little memory.
type seenBlock [1 << 7]atomic.Uint64

// NewSeen returns one that knows no text yet; it takes at most 8 MB.
func NewSeen() *Seen { return &Seen{seed: maphash.MakeSeed()} }

// block returns where the part of the table for a digest stands; it is nil before the first.
func (s *Seen) block(digest uint64) *atomic.Pointer[seenBlock] {
	return &s.blocks[digest%uint64(len(s.blocks))]
}

// slot returns the place of a digest in its block.
func (b *seenBlock) slot(digest uint64) *atomic.Uint64 {
	return &b[digest>>32%uint64(len(b))]
}

// digest returns that of a text as the value of a key: under another key the text may be a secret.
func (s *Seen) digest(key, text string) uint64 {
	n := maphash.String(s.seed, text)
	if len(text) <= maxAssigned && key != "" {
		n ^= maphash.String(s.seed, key)
	}
	return max(n, 1)
}

func (s *Seen) has(key, text string) bool {
	if s == nil {
		return false
	}
	n := s.digest(key, text)
	b := s.block(n).Load()
	return b != nil && b.slot(n).Load() == n
}

func (s *Seen) add(key, text string) {
	if s == nil {
		return
	}
	n := s.digest(key, text)
	at := s.block(n)
	if at.Load() == nil {
		at.CompareAndSwap(nil, new(seenBlock))
	}
	at.Load().slot(n).Store(n)
}

// ScanNew works as Scan of a text of which nothing is scanned that seen knows.
func (s *Scanner) ScanNew(text string, seen *Seen) []Finding {
	found := s.spans(text, seen)
	if len(found) == 0 {
		return nil
	}
	return inOrder(found)
}
