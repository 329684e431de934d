package backfill

import (
	"context"
	"errors"
	"hash/maphash"
	"regexp"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/transcript"
)

// entryMark is a message as far as it takes to know it again: by the entry that it came
// from, or by what it says.
type entryMark struct {
	entry, textHash uint64
	nth             int32 // Of those that say the same, from 1.
	end             int32 // In a session file: how many entries end with it.
}

// hasher makes marks, which only compare with those that it made.
type hasher struct {
	seed maphash.Seed
	seen map[uint64]int32
}

func newHasher(seed maphash.Seed) *hasher { return &hasher{seed, map[uint64]int32{}} }

// fileID is the id of a file in a reference, which may be another each time that
// the message is taken in.
var fileID = regexp.MustCompile(data.FileIDPattern)

func (h *hasher) mark(entry, role, content string) entryMark {
	m := entryMark{entry: maphash.String(h.seed, entry)}
	if entry == "" {
		m.entry = 0
	}
	if strings.Contains(content, data.FileIDPrefix) {
		content = fileID.ReplaceAllString(content, data.FileIDPrefix)
	}
	m.textHash = maphash.String(h.seed, role+"\x00"+content)
	h.seen[m.textHash]++
	m.nth = h.seen[m.textHash]
	return m
}

// countStored is how many of a session file's entries the conversation has: those up to
// its newest message that is in the session file.
func (r *importRun) countStored(ctx context.Context, db *data.DB) (int, error) {
	seed := maphash.MakeSeed()
	newest, err := db.NewestEntry(ctx, r.target.ID)
	if err != nil {
		return 0, err
	}
	if newest != "" {
		n, found := 0, 0
		for e, err := range r.file.Entries(ctx) {
			if isSkippable(err) {
				continue
			}
			if err != nil {
				return 0, err
			}
			if n++; e.ID == newest {
				found = n
			}
		}
		if found > 0 {
			return found, nil
		}
	}
	stored, err := r.storedMarks(ctx, db, seed)
	if err != nil || len(stored) == 0 {
		return 0, err
	}
	marked, err := r.fileMarks(ctx, seed)
	return newestCommon(stored, marked), err
}

// storedMarks are those of the conversation's messages, by seq, without what old
// hosts noted about their own work.
func (r *importRun) storedMarks(ctx context.Context, db *data.DB, seed maphash.Seed) (out []entryMark, err error) {
	h := newHasher(seed)
	err = db.EachMessage(ctx, r.target.ID, func(t data.Message) error {
		if t.Role != "system" || !strings.HasPrefix(t.Content, "LCM compaction ") {
			out = append(out, h.mark(t.Entry, t.Role, t.Content))
		}
		return nil
	})
	return out, err
}

// fileMarks are those of the session file's messages.
func (r *importRun) fileMarks(ctx context.Context, seed maphash.Seed) (out []entryMark, err error) {
	h := newHasher(seed)
	n := 0
	for g, err := range groupEntries(r.file.Entries(ctx), 0, func() bool { return false }) {
		if isSkippable(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		n += g.entries
		if s, skip := r.rules.Store(g.Message, r.salt(g.Entry)); skip == "" {
			m := h.mark(g.ID, s.Role, s.Content)
			m.end = int32(n)
			out = append(out, m)
		}
	}
	return out, nil
}

// newestCommon finds the newest stored message that is in the session file, and gives how
// many entries end with it. A message that is known only by what it says counts
// only with the one before it, since much is said more than once.
func newestCommon(stored, marked []entryMark) int {
	byEntry, byText := map[uint64]int{}, map[[2]uint64]int{}
	for i, m := range marked {
		byEntry[m.entry] = i
		byText[[2]uint64{m.textHash, uint64(m.nth)}] = i
	}
	for i := len(stored) - 1; i >= 0; i-- {
		m := stored[i]
		if m.entry != 0 {
			if k, ok := byEntry[m.entry]; ok {
				return int(marked[k].end)
			}
			continue
		}
		k, ok := byText[[2]uint64{m.textHash, uint64(m.nth)}]
		if !ok {
			continue
		}
		if i == 0 && k == 0 || i > 0 && k > 0 && isSameEntry(stored[i-1], marked[k-1]) || k == 0 && i == len(stored)-1 {
			return int(marked[k].end)
		}
	}
	return 0
}

func isSameEntry(stored, marked entryMark) bool {
	return stored.entry != 0 && stored.entry == marked.entry || stored.textHash == marked.textHash
}

// isSkippable is whether an error is that of a line alone.
func isSkippable(err error) bool {
	var bad *transcript.LineError
	return errors.As(err, &bad)
}
