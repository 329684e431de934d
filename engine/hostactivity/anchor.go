package hostactivity

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/sessiondb"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/identity"
	"lcm-tui/engine/ingest"
	"lcm-tui/engine/token"
)

// Anchor is a message by which a host of 1.0 finds its place in the transcript again: it names an
// entry, a trust row of its conversation vouches for that, and its role and text are those of the
// entry.
type Anchor struct {
	Message, Seq int64
	Role         string
	Bytes        int64 // Of its text.

	place int // Among the rows that are anchors, or were some before they were pruned.
}

// Anchors are those of a conversation.
type Anchors struct {
	Rows []Anchor // By seq.
	// Distrusted is how many messages name entries for which nobody vouches, so that the host
	// stores turns again that it has (T05 before its first start, T12 after it).
	Distrusted int
	// Compared says that the texts were compared with the transcript in the host's database.
	// Where that isn't found or can't be read, the trust rows alone decide.
	Compared bool

	first  int64 // The conversation's first message; 0 where it has none.
	places int
}

// Anchors reads the anchors of a conversation of a file of 1.0.
func (c *Check) Anchors(ctx context.Context, db *data.DB, conv Conversation) (*Anchors, error) {
	visible, err := c.visibleTexts(ctx, conv)
	if err != nil {
		return nil, err
	}
	a := &Anchors{Compared: visible != nil}
	err = lcm.EachAnchored(ctx, db, conv.ID, func(m lcm.Anchored) error {
		if a.first == 0 {
			a.first = m.ID
		}
		trusted := m.Entry != "" && m.Trusted
		if trusted && visible != nil {
			text, shown := visible[m.Entry]
			trusted = shown && text == identity.RawHash(m.Role, m.Content)
		}
		switch {
		case trusted:
			a.Rows = append(a.Rows, Anchor{m.ID, m.Seq, m.Role, int64(len(m.Content)), a.places})
		case m.Distrusted:
			a.Distrusted++
			return nil
		case m.Entry != "" || !data.IsForgotten(m.Content) && !lcm.RefersToPayload(m.Content):
			return nil
		}
		a.places++
		return nil
	})
	return a, err
}

// visibleTexts returns the hashes of role and text of the entries on the visible path of a session, by id; nil where no
// database of the host has the session, or it can't be read. A file with a transcript doesn't count: hosts of
// 1.0 read none.
func (c *Check) visibleTexts(ctx context.Context, conv Conversation) (map[string]string, error) {
	file := c.openVisible(ctx, conv.Session)
	if file == nil {
		return nil, ctx.Err()
	}
	rules := ingest.Rules{Estimator: token.Units, Threshold: 1 << 40, ContentOnly: true}
	out := map[string]string{}
	for e, err := range file.Entries(ctx) {
		var bad *transcript.LineError
		if errors.As(err, &bad) {
			continue // The host doesn't read it either.
		}
		if err != nil {
			return nil, ctx.Err()
		}
		if m, skip := rules.Store(e.Message, e.ID); skip == "" {
			out[e.ID] = identity.RawHash(m.Role, m.Content)
		}
	}
	return out, nil
}

// openVisible opens the transcript of a session in a database of an agent; nil where there is none
// that can be read.
func (c *Check) openVisible(ctx context.Context, session string) *transcript.File {
	for _, folder := range c.agentFolders() {
		database := filepath.Join(folder, "agent", sessiondb.FileName)
		if _, err := os.Lstat(database); err != nil || session == "" || !c.index(ctx, folder).names[session] {
			continue
		}
		if file, err := transcript.Open(ctx, transcript.Address(database, session)); err == nil {
			return file
		}
	}
	return nil
}

// Newest returns the three newest anchors, or as many as there are: texts may be replaced before the first
// of them, so that they stay behind every replaced text.
func (a *Anchors) Newest() []Anchor { return a.Rows[max(0, len(a.Rows)-anchorsKept):] }

const (
	// anchorsKept are how many of the newest anchors stay: the host's own masking of a transcript takes some away.
	anchorsKept = 3
	// milepostDistance is how many rows a host stores again at most, if a user goes back to an earlier entry: of so many
	// anchors in a row one stays.
	milepostDistance = 32
	// milepostBytes is the most that a text of a user has to have to stay rather than a shorter one of
	// another role: what comes back between two is what users said.
	milepostBytes = 2 << 10
)

// Mileposts returns the messages before a seq that stay, so that a host finds its place also after
// the user went back to an earlier entry: the first message, the first anchor, and of every 32
// anchors in a row the shortest. Rows that were pruned before count as anchors in that, so that pruning again
// takes no milepost.
func (a *Anchors) Mileposts(before int64) map[int64]bool {
	kept := map[int64]bool{}
	var below []Anchor
	end := a.places // The place of the first anchor that stays anyway.
	for _, r := range a.Rows {
		if r.Seq >= before {
			end = r.place
			break
		}
		below = append(below, r)
	}
	if len(below) == 0 {
		return kept
	}
	kept[a.first], kept[below[0].Message] = true, true
	last, group := below[0].place, below
	for len(group) > 0 {
		n := 1
		for n < len(group) && group[n].place/milepostDistance == group[0].place/milepostDistance {
			n++
		}
		next := milepostOf(group[:n])
		a.fill(kept, below, last, next.place)
		kept[next.Message], last, group = true, max(last, next.place), group[n:]
	}
	a.fill(kept, below, last, end)
	return kept
}

// fill keeps anchors between two places that are farther apart than a host may store again.
func (a *Anchors) fill(kept map[int64]bool, below []Anchor, from, to int) {
	for to-from > milepostDistance+1 {
		var bridging, near []Anchor
		var next *Anchor
		for i, r := range below {
			if r.place <= from || r.place >= to {
				continue
			}
			if next == nil {
				next = &below[i]
			}
			if r.place <= from+milepostDistance+1 {
				near = []Anchor{r} // The farthest of those that are near enough.
				if r.place >= to-milepostDistance-1 {
					bridging = append(bridging, r)
				}
			}
		}
		switch {
		case next == nil:
			return
		case len(bridging) > 0:
			near = bridging
		case len(near) == 0:
			near = []Anchor{*next} // Rows that were pruned before lie between.
		}
		m := milepostOf(near)
		kept[m.Message], from = true, m.place
	}
}

// milepostOf returns the anchor that stays of some: the shortest text of a user, unless that is long, else the
// shortest.
func milepostOf(some []Anchor) Anchor {
	best := some[0]
	for _, r := range some[1:] {
		user, bestUser := r.isShortUser(), best.isShortUser()
		if user && !bestUser || user == bestUser && r.Bytes < best.Bytes {
			best = r
		}
	}
	return best
}

// isShortUser reports whether the text is a user's, and not long.
func (r Anchor) isShortUser() bool { return r.Role == "user" && r.Bytes <= milepostBytes }
