package faults

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"

	"lcm-tui/internal/fakehost"
)

// Interrupt makes of a file what is left when its host is killed in the middle of a
// transaction in rollback mode: pages that were written, and a journal with what stood
// there before. The script is what the host was about; it has to be too much for the cache.
func Interrupt(file, script string) error {
	if err := Alter(file, "SELECT 1"); err != nil { // It is in rollback mode now.
		return err
	}
	h, err := fakehost.Open(file)
	if err != nil {
		return err
	}
	left := map[string][]byte{}
	err = h.Script("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 2; PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE", script)
	for _, suffix := range []string{"", "-journal"} {
		if err == nil {
			left[suffix], err = os.ReadFile(file + suffix)
		}
	}
	_ = h.Script("ROLLBACK") // The copies matter.
	if e := h.Close(); err == nil {
		err = e
	}
	for suffix, b := range left {
		if err == nil {
			err = os.WriteFile(file+suffix, b, 0o600)
		}
	}
	if err != nil {
		return fmt.Errorf("interrupt %s: %w", file, err)
	}
	return nil
}

// FlipBytes returns a copy of a file's bytes with some of them wrong, anywhere behind its header;
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
