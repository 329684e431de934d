package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// memoryLimit is a limit of the memory of the process that rises with what is in use. A limit
// below that would keep the collector at work all the time.
type memoryLimit struct {
	least, was int64

	mu   sync.Mutex
	done bool
}

// watch adapts the limit after each collection: the cleanup of a value without references runs
// then.
func (l *memoryLimit) watch() {
	runtime.AddCleanup(&[64]byte{}, func(l *memoryLimit) { // Smaller values share their memory with others.
		l.mu.Lock()
		defer l.mu.Unlock()
		if !l.done {
			debug.SetMemoryLimit(max(l.least, limitFor(memoryInUse())))
			l.watch()
		}
	}, l)
}

// restore sets the limit that there was before.
func (l *memoryLimit) restore() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done = true
	debug.SetMemoryLimit(l.was)
}

// limitFor is the limit where so many bytes are in use, of which scanned are looked through for
// references. A collection takes time for these alone, so that long texts need little room.
func limitFor(used, scanned uint64) int64 {
	const room = 16 << 20
	return int64(used + used/16 + scanned/2 + room)
}

// memoryInUse is what the last collection found in use, and how much it looked through.
func memoryInUse() (used, scanned uint64) {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/heap:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64(), samples[1].Value.Uint64()
}
