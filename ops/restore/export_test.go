package restore

import (
	"context"
	"errors"
)

// Stopping works as Apply that calls reached at each of its steps.
func Stopping(ctx context.Context, r Request, reached func(step string)) (Result, error) {
	return StoppingFiles(ctx, r, true, reached)
}

// StoppingFiles is Stopping on a file system that has hard links, or none.
func StoppingFiles(ctx context.Context, r Request, links bool, reached func(step string)) (Result, error) {
	w, err := newWorker(r, func(int, int, string) {})
	if err != nil {
		return Result{}, err
	}
	w.reached = reached
	if !links {
		w.link = func(string, string) error { return errors.ErrUnsupported }
	}
	return w.apply(ctx)
}

// ComparePages compares the pages of two files that nobody has open.
func ComparePages(ctx context.Context, a, b string) (pages int64, err error) {
	pool, err := openReading(a)
	if err != nil {
		return 0, err
	}
	defer pool.Close()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	return comparePages(ctx, conn, b, func(int, int, string) {})
}
