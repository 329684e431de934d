package faults

import (
	"math/rand/v2"
	"slices"
)

// FlipBytes is a copy of a file's bytes with some of them wrong, anywhere behind its header;
// the same seed gives the same ones.
func FlipBytes(file []byte, seed uint64, count int) []byte {
	r := rand.New(rand.NewPCG(seed, uint64(count))) //nolint:gosec // The same every time.
	b := slices.Clone(file)
	const header = 100
	for range count {
		b[header+r.IntN(len(b)-header)] = byte(r.Uint32())
	}
	return b
}
