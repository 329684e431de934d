package compare

import (
	"context"
	"fmt"

	"lcm-tui/data/lcm"
)

// extraReasons says why the transcript lacks a message that is stored.
func (c *comparer) extraReasons(ctx context.Context) (func(Row) string, error) {
	trusts, err := lcm.AnchorTrusts(ctx, c.db, c.Conversation)
	if err != nil {
		return nil, err
	}
	trust := make(map[int64]lcm.AnchorTrust, len(trusts))
	for _, t := range trusts {
		trust[t.Message] = t
	}
	rewound, err := c.file.Rewound(ctx)
	if err != nil {
		return nil, err
	}
	sameText := map[uint64]int64{}
	index := make(map[int64]int, len(c.messages))
	for n, m := range c.messages {
		if index[m.ID] = n; c.taken[n] && c.marks[n].size > 0 {
			sameText[c.marks[n].text] = m.ID
		}
	}
	return func(r Row) string {
		t, judged := trust[r.Message]
		entry := r.Entry
		if entry == "" && !t.Entry.Null {
			entry = t.Entry.Text
		}
		other := sameText[c.marks[index[r.Message]].text]
		switch {
		case rewound[entry] && entry != "":
			return "the session went back to before it"
		case c.file.IsOfAnotherPart(entry):
			return "it is in another file of the session"
		case judged && t.State == lcm.TrustSuspect && t.Reason != "":
			return "the host doesn't trust its transcript entry: " + t.Reason
		case other != 0:
			return fmt.Sprintf("message %d says the same and is in the transcript", other)
		case entry != "":
			return "its transcript entry isn't in the transcript any more"
		}
		return "no entry of the transcript says it"
	}, nil
}
