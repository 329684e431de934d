package backfill

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/ingest"
)

// importRun is one way through a session file.
type importRun struct {
	op     *Op
	file   *transcript.File
	rules  ingest.Rules
	target Target // Of the last segment, then of the batch that is planned.
	// segments are the conversations of the session, and segmentOf says which one follows a
	// reset, by the reset's number.
	segments  []*segment
	segmentOf []int
	begun     bool
	same      bool // All of it is stored, since the file is what it was.
	known     idSet
	survey    Survey
	at        time.Time // Of the message before.
	reading   reading
	ended     bool
	last      plannedStep
	// tokens and items are of the context of the segment counted, when what was planned is
	// written; -1 is none.
	tokens, items int64
	counted       int
	pending       *message // That was read, and belongs to the next segment.
	into          int64    // The conversation that was planned for.
	tail          tail
}

// tail is what a followed file is read on from.
type tail struct {
	resumed bool   // The file is read from a position on; what is stored before it isn't known.
	newest  string // The entry of the newest message that is stored or planned.
	db      *data.DB
}

// reading is the reading of the session file, and how far it is.
type reading struct {
	next    func() (parsedGroup, bool)
	stop    func()
	growing bool // Set by the time that next has no more.
	// renumbered says that the ids of stored messages are those of other entries by now, since the file was rewritten.
	renumbered bool
	events     idSet // The keys of the messages that were read.

	line, offset int64
}

// plannedStep is the step that was planned last.
type plannedStep struct {
	step   int
	batch  *batch
	before Survey // What there was to say before that batch.
}

// mostBad is how many bad lines are named.
const mostBad = 100

// message is what is stored of one.
type message struct {
	ingest.Stored
	entry string
	at    time.Time
	end   int64 // The offset behind it.
	// outside says that it gets no place in the context.
	outside bool
	segment int
	lost    bool // A text that was pasted into it is lost.
}

// quiet is how long nothing is written to a session file before an answer without an
// end counts as whole.
const quiet = 10 * time.Second

// isFresh says whether a file that was written so long ago may still be growing. A time
// far in the future is another machine's and says nothing.
func isFresh(age time.Duration) bool { return age.Abs() < quiet }

// findOrigin finds the conversation that a session was forked from. Claude Code copies
// the entries that it goes on from, with their ids.
func (r *importRun) findOrigin(ctx context.Context, db *data.DB) (err error) {
	for e, wrong := range r.file.Entries(ctx) {
		if isSkippable(wrong) {
			continue
		}
		if wrong != nil {
			return wrong
		}
		r.survey.Origin, err = lcm.ConversationOfEntry(ctx, db, e.ID)
		return err
	}
	return nil
}

// readStored finds what of the session file is stored: in the conversation, or in another one of
// the session.
func (r *importRun) readStored(ctx context.Context, db *data.DB) error {
	family, err := r.family(ctx, db)
	if err != nil {
		return err
	}
	if len(family) == 0 {
		r.chooseTargets(nil)
		return nil
	}
	states, err := lcm.Bootstraps(ctx, db)
	if err != nil {
		return err
	}
	state, ok := states[r.target.ID]
	if ok && r.unchanged(state) {
		r.same = true
		r.segments[len(r.segments)-1].target = r.target
		n, _, err := lcm.CountMessagesAndItems(ctx, db, r.target.ID)
		r.survey.Stored = int(n)
		return err
	}
	if err = r.findStored(ctx, db, family); err != nil {
		return err
	}
	if r.target.ended && !r.holdsAny(r.target.ID) {
		r.target = newEnded(r.file, r.target.SessionKey, "session-end")
	}
	r.chooseTargets(family)
	r.target = r.segments[len(r.segments)-1].target
	r.survey.Conversation, r.survey.New, r.survey.SessionKey = r.target.ID, r.target.New, r.target.SessionKey
	if err := r.readNewest(ctx, db); err != nil {
		return err
	}
	for _, c := range family {
		err := lcm.EachMessageHeader(ctx, db, c.ID, func(t lcm.MessageHeader) error {
			r.known.add(t.Entry)
			r.known.add(t.EventKey)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// family returns the conversations of the session, oldest first, and the one that has its key.
func (r *importRun) family(ctx context.Context, db *data.DB) ([]lcm.Conversation, error) {
	all, err := lcm.ConversationsOf(ctx, db, r.file.Session.ID, r.op.key(r.file))
	if err != nil {
		return nil, err
	}
	family := slices.DeleteFunc(ofSameForm(all, r.file), func(c lcm.Conversation) bool { return c.SessionID != r.file.Session.ID && c.ID != r.target.ID })
	slices.SortFunc(family, func(a, b lcm.Conversation) int { return cmp.Compare(a.ID, b.ID) })
	return family, nil
}

// readNewest reads the newest message of each conversation that has any.
func (r *importRun) readNewest(ctx context.Context, db *data.DB) error {
	for _, s := range r.segments {
		if s.target.ID == 0 {
			continue
		}
		last, err := lcm.ReadNewestMessage(ctx, db, s.target.ID)
		if err != nil {
			return err
		}
		if last.Role != "assistant" {
			continue
		}
		m, err := lcm.ReadRawMessage(ctx, db, last.ID)
		if err != nil {
			return err
		}
		s.newest = &ingest.Stored{Role: last.Role, Content: m.Content.Text, Parts: m.Parts}
	}
	return nil
}

// unchanged reports whether all that stands in the file was read before.
func (r *importRun) unchanged(state lcm.Bootstrap) bool {
	return state.Path == r.file.Path && state.Size == r.file.Size && state.Offset == r.file.Size && state.ModTimeMS == r.file.ModTime.UnixMilli()
}

// close ends the reading of the file.
func (r *importRun) close() {
	if r.reading.stop != nil {
		r.reading.stop()
	}
}

// message returns the next one that isn't stored; not ok at the end.
func (r *importRun) message(ctx context.Context) (m message, ok bool, err error) {
	for {
		g, more := r.reading.next()
		err, bad := g.err, (*transcript.LineError)(nil)
		switch {
		case !more:
			r.ended, r.survey.Growing = true, r.reading.growing
			return m, false, nil
		case errors.As(err, &bad):
			if r.survey.BadLines++; len(r.survey.Bad) < mostBad {
				r.survey.Bad = append(r.survey.Bad, Bad{bad.Line, bad.Err.Error()})
			}
			continue
		case err != nil:
			return m, false, err
		}
		r.reading.line, r.reading.offset = g.Line, g.End
		at := r.segmentAt(g.Entry)
		s := g.stored
		entry := g.ID
		if r.reading.renumbered && r.known.has(entry) {
			entry = "" // Another message has it.
		}
		known, err := r.isKnown(ctx, entry, s.EventKey)
		switch {
		case err != nil:
			return m, false, err
		case known:
			if !r.known.has(entry) && r.reading.events.has(s.EventKey) {
				r.survey.Left[string(ingest.Repeated)]++
			}
			continue
		}
		if g.skip != "" {
			r.survey.Left[string(g.skip)]++
			continue
		}
		if !r.rules.First && !r.file.Session.Exported && s.Repeats(r.segments[at].newest) {
			r.survey.Left[string(ingest.Mirror)]++
			continue
		}
		r.segments[at].newest = &s
		r.known.add(entry)
		r.known.add(s.EventKey)
		r.reading.events.add(s.EventKey)
		return message{s, entry, r.when(g.At), g.End, g.OutsideContext, at, g.Note.Field(transcript.PasteLost) == jstext.True}, true, nil
	}
}

// when returns a message's time: its own, or that of the one before it.
func (r *importRun) when(at time.Time) time.Time {
	if at.IsZero() {
		if at = r.at; at.IsZero() {
			at = r.file.ModTime
		}
	}
	r.at = at
	return at
}

// salt makes the ids of a message's files, the same each time.
func (r *importRun) salt(e transcript.Entry) string { return r.file.Session.ID + "\x00" + e.ID }

func (r *importRun) count(m message) {
	r.segments[m.segment].messages++
	r.survey.Messages++
	if m.lost {
		r.survey.PastesLost++
	}
	r.survey.Tokens += m.Tokens
	r.survey.Files += len(m.Files)
	for _, f := range m.Files {
		r.survey.FileBytes += int64(len(f.Body))
	}
}

// reportProgress reports how far the reading is.
func (r *importRun) reportProgress(report data.Report) {
	if r.survey.Messages%256 == 0 {
		report(int(r.reading.offset>>10), int(r.file.Size>>10), "reading "+filepath.Base(r.op.Path))
	}
}

func sortedKeys(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }

// sessionOf returns a session's id where the file doesn't say it: its name.
func sessionOf(path string) string {
	name := filepath.Base(path)
	for ext := filepath.Ext(name); ext != ""; ext = filepath.Ext(name) {
		name = name[:len(name)-len(ext)]
	}
	if name == "" {
		return filepath.Base(path)
	}
	return name
}
