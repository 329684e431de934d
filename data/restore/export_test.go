package restore

import "context"

// Stopping is Apply that calls reached at each of its steps.
func Stopping(ctx context.Context, r Request, reached func(step string)) (Result, error) {
	return apply(ctx, r, func(int, int, string) {}, reached)
}
