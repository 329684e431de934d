package cli

import "testing"

// TestTheLimitLeavesRoomForWhatIsInUse, the more the longer a collection takes.
func TestTheLimitLeavesRoomForWhatIsInUse(t *testing.T) {
	t.Parallel()
	const mb = 1 << 20
	for _, c := range []struct{ used, scanned, least, most uint64 }{
		{200 * mb, 1 * mb, 210 * mb, 250 * mb},   // Long texts.
		{200 * mb, 200 * mb, 300 * mb, 350 * mb}, // Many rows.
	} {
		if got := uint64(limitFor(c.used, c.scanned)); got < c.least || got > c.most {
			t.Errorf("%d bytes in use, %d of them looked through: the limit is %d", c.used, c.scanned, got)
		}
	}
}
