package backfill

import (
	"cmp"
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/ingest"
)

// segment is the part of a session that is one conversation. A session has several where it
// was reset: its host keeps the session's id and begins a new conversation.
type segment struct {
	target     Target
	begin, end *transcript.Reset // The resets around it; nil before the first and behind the last.
	stored     int               // The last entry of it that is stored, counted through the file from 1; 0 for none.
	holder     int64             // The conversation that has that entry, or 0.
	// archives is the active conversation that is archived when the segment's own is made, or 0.
	archives int64
	planned  int64 // The conversation that a step makes for it, or 0.
	messages int   // How many were read to be added.
	// newest is the newest message that its conversation has or gets, or nil.
	newest *ingest.Stored
}

// divide finds the segments of the session. Each reset belongs to the segment that follows it.
func (r *importRun) divide(ctx context.Context) error {
	resets, err := r.file.Resets(ctx)
	if err != nil {
		return err
	}
	r.segments, r.segmentOf = []*segment{{}}, []int{0}
	for _, reset := range resets {
		if reset.BeginsConversation() {
			r.segments[len(r.segments)-1].end = reset
			r.segments = append(r.segments, &segment{begin: reset})
		}
		r.segmentOf = append(r.segmentOf, len(r.segments)-1)
	}
	return nil
}

// segmentAt returns the number of the segment of an entry.
func (r *importRun) segmentAt(e transcript.Entry) int {
	if e.Reset == nil {
		return 0
	}
	return r.segmentOf[min(e.Reset.Number, len(r.segmentOf)-1)]
}

// chooseTargets chooses the conversation of each segment. One that has messages of it is the
// segment's; else the last segment goes to the session's active conversation, and each before it
// to an archived one of its own, which is made if there is none.
func (r *importRun) chooseTargets(family []lcm.Conversation) {
	last := len(r.segments) - 1
	archived := slices.DeleteFunc(slices.Clone(family), func(c lcm.Conversation) bool { return c.Active })
	slices.SortFunc(archived, func(a, b lcm.Conversation) int { return cmp.Compare(a.ID, b.ID) })
	for n, s := range r.segments {
		at := slices.IndexFunc(family, func(c lcm.Conversation) bool { return c.ID == s.holder })
		switch {
		case at >= 0 && n == last && r.succeeds(family[at]):
			s.target = r.target
		case at >= 0:
			s.target = Target{Conversation: family[at]}
		case n == last && (r.target.New || !r.holdsEarlier(r.target.ID) || len(archived) >= last):
			s.target = r.target
		case n == last:
			s.target, s.archives = newTarget(r.file.Session.ID, r.target.SessionKey, s), r.target.ID
		case n < len(archived) && !r.holdsAny(archived[n].ID):
			s.target = Target{Conversation: archived[n]}
		default:
			s.target = newTarget(r.file.Session.ID, r.target.SessionKey, s)
		}
	}
	s := r.segments[last]
	if s.holder != 0 && r.target.ID == s.holder {
		s.target = r.target
	}
	if s.target.New && s.archives == 0 {
		s.archives = s.target.Replaced
	}
}

// succeeds reports whether the session's active conversation began when an archived one ended, without a reset in the
// transcript: what follows is said in the active one.
func (r *importRun) succeeds(c lcm.Conversation) bool {
	t := r.target
	return !c.Active && t.Active && !t.New && !t.ended && t.ID > c.ID && t.SessionID == c.SessionID && t.SessionKey == c.SessionKey && !Archived(r.file.Path)
}

// holdsEarlier reports whether a conversation has messages of a segment before the last.
func (r *importRun) holdsEarlier(conv int64) bool {
	return slices.ContainsFunc(r.segments[:len(r.segments)-1], func(s *segment) bool { return s.holder == conv })
}

func (r *importRun) holdsAny(conv int64) bool {
	return slices.ContainsFunc(r.segments, func(s *segment) bool { return s.holder == conv })
}

// newTarget returns a conversation to be made for a segment: the active one for the last, archived
// ones for those before it, for the cause that a host notes.
func newTarget(session, key string, s *segment) Target {
	t := Target{New: true, Conversation: lcm.Conversation{SessionID: session, SessionKey: key, Active: s.end == nil}}
	if s.end != nil {
		t.ArchivedAt, t.ArchiveCause = data.Time{Time: s.end.At}, resetCause(s.end)
	}
	return t
}

// resetCause returns what a host notes of a conversation that ended with a reset.
func resetCause(reset *transcript.Reset) string {
	switch reset.Reason {
	case transcript.ResetByCommand:
		return "manual-reset"
	case transcript.ResetByCronStale:
		return "cron-rotation"
	}
	return "session-end"
}

// findSegment finds the conversation of a segment again, which the step before may have made.
func (r *importRun) findSegment(ctx context.Context, db *data.DB, n int) (*segment, error) {
	s := r.segments[n]
	if !s.target.New || s.target.ID != 0 {
		return s, nil
	}
	if len(r.segments) == 1 {
		again, err := r.op.find(ctx, db, r.file)
		s.target = again
		return s, err
	}
	if s.planned == 0 {
		return s, nil
	}
	all, err := lcm.ConversationsOf(ctx, db, r.file.Session.ID, "")
	for _, c := range all {
		if c.ID == s.planned && c.SessionID == r.file.Session.ID {
			s.target.ID = c.ID
		}
	}
	return s, err
}
