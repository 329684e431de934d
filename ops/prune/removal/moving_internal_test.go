package removal

import (
	"context"
	"errors"
	"testing"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// TestAReadThatFailsIsNoMessageThatStays: the set ends with the error, and isn't called done without the
// message.
func TestAReadThatFailsIsNoMessageThatStays(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	w := &mover{db: db, refer: func(*lcm.RawMessage, int64) (Reference, bool) { return Reference{}, true }}
	m := &lcm.RawMessage{ID: 1}
	if _, ok, err := w.reference(t.Context(), m, 1); !ok || err != nil || m.Role == "" {
		t.Fatalf("%v, %v, %+v", ok, err, m)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, ok, err := w.reference(ctx, m, 1); ok || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", ok, err)
	}
	if _, ok, err := w.reference(t.Context(), &lcm.RawMessage{ID: 1 << 40}, 1); ok || err != nil {
		t.Errorf("a message that is gone: %v, %v", ok, err)
	}
}
