package hostactivity

import (
	"context"
	"errors"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/identity"
	"lcm-tui/engine/ingest"
	"lcm-tui/engine/token"
)

// HasNewestEntry reports whether an anchor of a conversation names the newest entry of a session, as a host of 1.0
// is shown it. It is false where the session can't be read.
func (c *Check) HasNewestEntry(ctx context.Context, db *data.DB, conv int64, session string) (bool, error) {
	file := c.openVisible(ctx, session)
	if file == nil {
		return false, ctx.Err()
	}
	rules := ingest.Rules{Estimator: token.Units, Threshold: 1 << 40, ContentOnly: true}
	newest, text := "", ""
	for e, err := range file.Entries(ctx) {
		var bad *transcript.LineError
		if errors.As(err, &bad) {
			continue // The host doesn't read it either.
		}
		if err != nil {
			return false, ctx.Err()
		}
		if m, skip := rules.Store(e.Message, e.ID); skip == "" {
			newest, text = e.ID, identity.RawHash(m.Role, m.Content)
		}
	}
	found := false
	err := lcm.EachAnchored(ctx, db, conv, func(m lcm.Anchored) error {
		found = found || m.Trusted && m.Entry == newest && newest != "" && identity.RawHash(m.Role, m.Content) == text
		return nil
	})
	return found, err
}
