package agentdb

import (
	"context"
	"time"
)

// OpenFor is Open that waits on a lock for so long.
func OpenFor(ctx context.Context, path string, wait time.Duration) (*DB, error) {
	return open(ctx, path, wait)
}
