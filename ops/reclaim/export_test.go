package reclaim

import (
	"context"
	"time"
)

// Stopping works as File that calls reached at each of its steps.
func Stopping(ctx context.Context, path string, o Options, reached func(step string)) (Result, error) {
	return run(ctx, path, o, func(int, int, string) {}, reached)
}

// Sample measures how fast a database is rewritten.
func Sample(ctx context.Context, path string) (bytes, perSecond int64, err error) {
	w, err := newWorker(path, Options{}, func(int, int, string) {}, func(string) {})
	if err != nil {
		return 0, 0, err
	}
	bytes, took, err := w.sample(ctx)
	return bytes, int64(float64(bytes) / took.Seconds()), err
}

// EmptyWAL empties the -wal, and tries it for so long.
func EmptyWAL(ctx context.Context, path string, trying time.Duration) (Result, error) {
	w, err := newWorker(path, Options{WAL: true}, func(int, int, string) {}, func(string) {})
	if err != nil {
		return Result{}, err
	}
	w.trying = trying
	return w.finish(ctx)
}
