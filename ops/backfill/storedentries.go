package backfill

import (
	"context"
	"errors"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/compare"
)

// isStored reports whether the n-th entry of the file is stored: with the last entry of a
// segment that is, those before it are.
func (r *importRun) isStored(n int, e transcript.Entry) bool {
	return n <= r.segments[r.segmentAt(e)].stored
}

// findStored finds up to which entry each segment is stored in the conversations of the session.
func (r *importRun) findStored(ctx context.Context, db *data.DB, family []lcm.Conversation) error {
	if len(family) == 1 && len(r.segments) == 1 {
		if found, err := r.findNewest(ctx, db, family[0].ID); err != nil || found {
			return err
		}
	}
	marker := compare.NewMarker()
	stored, err := readMessages(ctx, db, marker, family, r.file)
	if err != nil || len(stored.marks) == 0 {
		return err
	}
	entries, err := r.readEntries(ctx, marker)
	if err != nil {
		return err
	}
	if r.namesPlaces() && compare.IsRenumbered(stored.marks, entries.marks) {
		r.reading.renumbered = true
		compare.ForgetIDs(stored.marks)
		compare.ForgetIDs(entries.marks)
	}
	aligned := compare.Align(stored.marks, entries.marks, func(i int) (string, string) {
		return stored.text(ctx, db, i)
	})
	for k, i := range aligned.Stored {
		s := r.segments[entries.segments[k]]
		if end := int(entries.ends[k]); end > s.stored && aligned.Sure(k, entries.marks) {
			s.stored, s.holder = end, stored.conversations[i]
		}
	}
	r.countStored(entries)
	return nil
}

// countStored counts the entries up to the last that is stored, of each segment.
func (r *importRun) countStored(entries fileEntries) {
	before := 0
	for n, s := range r.segments {
		if s.stored > 0 {
			r.survey.Stored += s.stored - before
		}
		for k, at := range entries.segments {
			if at == n {
				before = max(before, int(entries.ends[k]))
			}
		}
	}
}

// namesPlaces reports whether the ids of the file's entries are made of the places of their lines.
func (r *importRun) namesPlaces() bool { return r.file.Kind == transcript.Codex }

// findNewest finds the conversation's newest message by its entry's id.
func (r *importRun) findNewest(ctx context.Context, db *data.DB, conv int64) (found bool, err error) {
	newest, err := lcm.ReadNewestMessage(ctx, db, conv)
	if err != nil || newest.Entry == "" {
		return false, err
	}
	if r.namesPlaces() {
		if same, err := r.standsAt(ctx, db, newest); err != nil || !same {
			return false, err
		}
	}
	n := 0
	for e, err := range r.file.Entries(ctx) {
		if isSkippable(err) {
			continue
		}
		if err != nil {
			return false, err
		}
		if n++; e.ID == newest.Entry {
			r.segments[0].stored, r.segments[0].holder, r.survey.Stored = n, conv, n
		}
	}
	return r.survey.Stored > 0, nil
}

// standsAt reports whether the entry that a message names says what the message says.
func (r *importRun) standsAt(ctx context.Context, db *data.DB, m lcm.NewestMessage) (bool, error) {
	found, err := lcm.WholeMessages(ctx, db, []int64{m.ID})
	if err != nil || len(found) == 0 {
		return false, err
	}
	for g, err := range groupEntries(r.file.Entries(ctx), nil, func() bool { return false }) {
		switch {
		case isSkippable(err):
		case err != nil:
			return false, err
		case g.ID == m.Entry:
			s, _ := r.rules.Store(g.Message, r.salt(g.Entry))
			return s.Role == found[0].Role && s.Content == found[0].Content, nil
		}
	}
	return false, nil
}

// storedMessages are the messages of the session's conversations.
type storedMessages struct {
	marks              []compare.Mark
	ids, conversations []int64
}

// readMessages reads the messages of conversations, without what old hosts noted about their own
// work, and without those of other files of the session.
func readMessages(ctx context.Context, db *data.DB, marker *compare.Marker, family []lcm.Conversation, file *transcript.File) (out storedMessages, err error) {
	for _, c := range family {
		err := lcm.EachMessage(ctx, db, c.ID, func(t lcm.Message) error {
			if !file.IsOfAnotherPart(t.Entry) && (t.Role != "system" || !strings.HasPrefix(t.Content, "LCM compaction ")) {
				out.marks = append(out.marks, marker.Stored(t.Entry, t.Role, t.Content))
				out.ids, out.conversations = append(out.ids, t.ID), append(out.conversations, c.ID)
			}
			return nil
		})
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// text returns what a message says; nothing where it can't be read.
func (s *storedMessages) text(ctx context.Context, db *data.DB, i int) (role, content string) {
	found, err := lcm.WholeMessages(ctx, db, []int64{s.ids[i]})
	if err != nil || len(found) == 0 {
		return "", ""
	}
	return found[0].Role, found[0].Content
}

// fileEntries are the messages of a session file: their marks, how many entries end with each,
// and their segments.
type fileEntries struct {
	marks    []compare.Mark
	ends     []int32
	segments []int
}

func (r *importRun) readEntries(ctx context.Context, marker *compare.Marker) (out fileEntries, err error) {
	n := 0
	for g, err := range groupEntries(r.file.Entries(ctx), nil, func() bool { return false }) {
		if isSkippable(err) {
			continue
		}
		if err != nil {
			return out, err
		}
		n += g.entries
		if s, skip := r.rules.Store(g.Message, r.salt(g.Entry)); skip == "" {
			out.marks = append(out.marks, marker.Entry(g.ID, s.Role, s.Content))
			out.ends = append(out.ends, int32(n))
			out.segments = append(out.segments, r.segmentAt(g.Entry))
		}
	}
	out.marks = slices.Clip(out.marks)
	return out, nil
}

// isSkippable reports whether an error is that of a line alone.
func isSkippable(err error) bool {
	var bad *transcript.LineError
	return errors.As(err, &bad)
}
