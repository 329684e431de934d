package backfill

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/ingest"
	"lcm-tui/engine/token"
)

// Position is how far a session file was imported. From it on the file is imported without what stands
// before it being read again.
type Position struct {
	Mark    transcript.Mark    `json:"mark"`
	Kind    transcript.Kind    `json:"kind"`
	Session transcript.Session `json:"session"`
	// Conversation has the messages, and Entry is the entry of its newest one when the position was
	// reached: it has another one after an undo, and the file is read as a whole then.
	Conversation int64     `json:"conversation_id"`
	Entry        string    `json:"entry"`
	At           time.Time `json:"at"` // When the message before the position was made.
	// Seen is the size of the file where all in it was looked at: behind the mark nothing is left to import, such as a
	// line that broke off. 0 is that more may come of it.
	Seen int64 `json:"seen,omitempty"`
}

// Reached returns the position that the steps of a followed session file reached. Not ok is a file that
// isn't read to its end, or can't be read on: the whole file is looked at the next time.
func (o *Op) Reached() (p Position, ok bool) {
	r := o.run
	if r == nil || !o.Follow || !r.ended || r.file.Kind == transcript.OpenClaw || len(r.segments) != 1 {
		return p, false
	}
	p = Position{Kind: r.file.Kind, Session: r.file.Session, Conversation: r.into, Entry: r.tail.newest, At: r.at}
	if p.Conversation == 0 {
		p.Conversation = r.target.ID
	}
	if p.Mark, ok = r.file.Mark(r.reading.growing); !ok || p.Conversation == 0 || p.Entry == "" {
		return Position{}, false
	}
	if !r.reading.growing && !o.Waits() {
		p.Seen = r.file.Size
	}
	return p, true
}

// Waits reports whether the last line of a followed session file may be being written: the file is looked at again when it
// is quiet, though nothing comes.
func (o *Op) Waits() bool {
	return o.run != nil && o.run.ended && o.run.file.Cut() && !o.run.file.Quiet
}

// resume begins at the position of the operation, if the file and the conversation go on from it.
func (r *importRun) resume(ctx context.Context, db *data.DB) (resumed bool, err error) {
	p := r.op.From
	if p == nil {
		return false, nil
	}
	f, err := transcript.OpenAt(ctx, r.op.Path, p.Kind, p.Session, p.Mark)
	if errors.Is(err, transcript.ErrMoved) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if _, err := f.Rewound(ctx); errors.Is(err, transcript.ErrMoved) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	conv, err := lcm.ReadConversation(ctx, db, p.Conversation)
	if errors.Is(err, data.ErrNotFound) || err == nil && (conv.SessionID != p.Session.ID || !conv.Active) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	newest, err := lcm.ReadNewestMessage(ctx, db, p.Conversation)
	if err != nil || newest.Entry != p.Entry {
		return false, err
	}
	r.file, r.target, r.at, r.tail.newest, r.tail.resumed = f, Target{Conversation: conv}, p.At, p.Entry, true
	r.segments, r.segmentOf = []*segment{{target: r.target, holder: conv.ID}}, []int{0}
	return true, r.readNewest(ctx, db)
}

// isKnown reports whether a message of the file is stored, by its entry or its event.
func (r *importRun) isKnown(ctx context.Context, entry, event string) (bool, error) {
	if r.rules.First && r.file.Session.Exported { // The first hosts stored results twice.
		event = ""
	}
	if r.known.has(entry) || r.known.has(event) || !r.tail.resumed {
		return r.known.has(entry) || r.known.has(event), nil
	}
	return lcm.HasEntry(ctx, r.tail.db, r.target.ID, entry, event)
}

// newSurvey returns the survey of a file of which nothing is read yet.
func (r *importRun) newSurvey() Survey {
	return Survey{
		Path: r.op.Path, Kind: r.file.Kind, Session: r.file.Session.ID, SessionKey: r.target.SessionKey, Conversation: r.target.ID,
		New: r.target.New, Archived: Archived(r.op.Path), Bytes: r.file.Size, Bad: []Bad{}, Left: map[string]int{},
	}
}

// prepareRules sets how messages are stored.
func (r *importRun) prepareRules(db *data.DB) {
	r.rules = ingest.RulesOf(db.Schema(), token.Of(db.Kind().Level), r.op.Threshold)
	r.rules.AllImages = r.file.Kind != transcript.OpenClaw
	if r.file.Session.ID == "" {
		r.file.Session.ID = sessionOf(r.op.Path)
	}
}

// open opens the session file from its beginning, and finds what of it is stored.
func (r *importRun) open(ctx context.Context, db *data.DB) (err error) {
	if r.op.Opened != nil {
		opened := *r.op.Opened
		r.file = &opened
	} else if r.file, err = transcript.Open(ctx, r.op.Path); err != nil {
		return err
	}
	r.file.Follow = r.op.Follow
	r.prepareRules(db)
	if r.target, err = r.op.find(ctx, db, r.file); err != nil {
		return err
	}
	r.survey = r.newSurvey()
	if err := r.checkFilter(); err != nil {
		return err
	}
	if r.target.New && r.file.Kind == transcript.ClaudeCode {
		if err := r.findOrigin(ctx, db); err != nil {
			return err
		}
	}
	if err := r.divide(ctx); err != nil {
		return err
	}
	if err := r.readStored(ctx, db); err != nil || !r.op.Follow || r.target.ID == 0 {
		return err
	}
	newest, err := lcm.ReadNewestMessage(ctx, db, r.target.ID)
	r.tail.newest = newest.Entry
	return err
}

// begin opens the session file and finds what of it is stored.
func (r *importRun) begin(ctx context.Context, db *data.DB, report data.Report) error {
	if r.begun {
		return nil
	}
	report(0, 0, "reading "+filepath.Base(r.op.Path))
	r.known, r.reading.events, r.counted, r.tail.db = newIDSet(), newIDSet(), -1, db
	resumed, err := r.resume(ctx, db)
	switch {
	case err != nil:
		return err
	case resumed:
		r.prepareRules(db)
		r.survey = r.newSurvey()
		if err := r.checkFilter(); err != nil {
			return err
		}
	default:
		if err := r.open(ctx, db); err != nil {
			return err
		}
	}
	r.file.Quiet = r.op.Ended || !isFresh(db.Now().Sub(r.file.ModTime))
	entries := r.file.Entries(ctx)
	if r.same {
		entries = func(func(transcript.Entry, error) bool) {}
	}
	read := groupEntries(entries, r.isStored, func() bool {
		r.reading.growing = !r.file.Quiet && r.file.Unfinished()
		return r.reading.growing
	})
	r.reading.next, r.reading.stop = parseAhead(ctx, read, func(g group) (ingest.Stored, ingest.Skip) {
		stored, skip := r.rules.Store(g.Message, r.salt(g.Entry))
		addNote(&stored, g.Note)
		return stored, skip
	})
	r.begun = true
	return nil
}
