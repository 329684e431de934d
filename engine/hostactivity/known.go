package hostactivity

import (
	"context"

	"lcm-tui/data"
)

// Knowledge is what the host's indexes of sessions say of the session of a conversation.
type Knowledge struct {
	Found bool   // There is an index.
	Name  string // The session id or the key that an index has; empty is that none has either.
	Err   error  // Why an index can't be read.
}

// ReadKnown looks in the indexes of the host's agents for the session of a conversation. Of one that isn't in
// the file nothing is known.
func (c *Check) ReadKnown(ctx context.Context, db *data.DB, id int64) (k Knowledge, err error) {
	conv, ok, err := readConversation(ctx, db, id)
	if err != nil || !ok {
		return k, err
	}
	for _, folder := range c.foldersOf(conv) {
		index := c.index(ctx, folder)
		if index.err != nil && k.Err == nil {
			k.Err = index.err
		}
		k.Found = k.Found || index.found
		for _, name := range []string{conv.Session, conv.Key} {
			if name != "" && index.names[name] && k.Name == "" {
				k.Name = name
			}
		}
	}
	return k, ctx.Err()
}
