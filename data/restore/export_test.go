package restore

import "context"

// Stopping is Apply that calls reached at each of its steps.
func Stopping(ctx context.Context, r Request, reached func(step string)) (Result, error) {
	return apply(ctx, r, func(int, int, string) {}, reached)
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
