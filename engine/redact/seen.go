package redact

import (
	"hash/maphash"
	"sync/atomic"
)

// Seen knows texts that were scanned and have no secret, so that copies of a text are scanned
// once. It holds digests in a table of a fixed size: where two texts want one place, the later one
// takes it. Any number of goroutines may use one. A nil one knows nothing.
type Seen struct {
	seed  maphash.Seed
	slots [1 << 20]atomic.Uint64
}

// NewSeen returns one that knows no text yet; it takes 8 MB.
func NewSeen() *Seen { return &Seen{seed: maphash.MakeSeed()} }

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
	return s.slots[n%uint64(len(s.slots))].Load() == n
}

func (s *Seen) add(key, text string) {
	if s == nil {
		return
	}
	n := s.digest(key, text)
	s.slots[n%uint64(len(s.slots))].Store(n)
}

// ScanNew works as Scan of a text of which nothing is scanned that seen knows.
func (s *Scanner) ScanNew(text string, seen *Seen) []Finding {
	found := s.spans(text, seen)
	if len(found) == 0 {
		return nil
	}
	return inOrder(found)
}
