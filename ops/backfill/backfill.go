package backfill

import (
	"context"
	"fmt"
	"maps"

	"lcm-tui/data"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/settings"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// Op imports the session file at Path.
type Op struct {
	Path string
	// Opened is the transcript itself where it is open already; nil opens Path.
	Opened *transcript.File
	// Agent is whose session a session file is where OpenClaw didn't note that: a
	// addConversation that is made gets a session key of it.
	Agent string
	Keys  *Keys // May be nil.
	// Title is that of the conversation, if one is made; empty is none.
	Title string
	// Files is the folder of large files, and Threshold the number of tokens from
	// which on a payload goes there.
	Files     string
	Threshold int64
	// Filter leaves out sessions of which nothing is stored.
	Filter settings.SessionFilter
	// Ignores says of the working folder of a session of an agent without a host that nothing of it is stored; nil ignores none.
	Ignores func(folder string) bool
	// Batch is how many messages are written at once; 0 is a number that locks the file for a moment only.
	Batch int
	// Whole plans all of it as one change, however much that is.
	Whole bool
	// Follow says that the file is read on as it grows, and From is where that went on last, or nil.
	Follow bool
	From   *Position
	// Ended says that the last answer is whole, also where the file doesn't say so.
	Ended bool

	run  *importRun
	step int
}

var (
	_ ops.Op      = (*Op)(nil)
	_ ops.Stepper = (*Op)(nil)
)

// Name implements ops.Op.
func (o *Op) Name() string {
	if o.Follow {
		return "follow"
	}
	return "backfill"
}

// Step implements ops.Stepper: a long session file is written batch by batch, so that
// memory stays small, and what was written stays when it is broken off. The steps
// belong together: each goes on where the one before it ended.
func (o *Op) Step(n int) (ops.Op, bool) {
	if o.Whole {
		return nil, false
	}
	if o.run == nil {
		o.run = &importRun{op: o}
	}
	next := *o
	next.step = n
	return &next, true
}

// Close frees what the steps of an operation hold that wasn't carried to its end.
func (o *Op) Close() {
	if o.run != nil {
		o.run.close()
	}
}

// Plan implements ops.Op. Not written step by step, it is the first batch.
func (o *Op) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	r := o.run
	if r == nil {
		r = &importRun{op: o}
		defer r.close()
	}
	if err := r.begin(ctx, db, report); err != nil {
		return ops.Plan{}, err
	}
	if r.last.batch != nil && r.last.step == o.step {
		if err := r.restart(ctx, db, report); err != nil {
			return ops.Plan{}, err
		}
	}
	b, err := r.batch(ctx, o.step, report)
	if err != nil {
		return ops.Plan{}, err
	}
	if len(b.messages) == 0 {
		stored := o.Path + ": everything in it is stored already"
		if r.survey.Growing {
			stored += " but its last answer, which may not be whole: the file was written just now"
		}
		return ops.Plan{}, &hint.Error{Text: stored, Err: ops.ErrNothing}
	}
	return r.plan(ctx, db, b)
}

// Survey is what importing a session file would add.
type Survey struct {
	Path         string          `json:"path"`
	Kind         transcript.Kind `json:"kind"`
	Session      string          `json:"session_id"`
	SessionKey   string          `json:"session_key,omitempty"`
	Conversation int64           `json:"conversation_id"` // 0 for one that would be made.
	New          bool            `json:"new"`
	Archived     bool            `json:"archived"`
	Bytes        int64           `json:"bytes"`
	Stored       int             `json:"stored"`   // Entries that the conversation has.
	Messages     int             `json:"messages"` // That would be added.
	Tokens       int64           `json:"tokens"`
	Files        int             `json:"large_files"`
	FileBytes    int64           `json:"large_file_bytes"`
	BadLines     int             `json:"bad_line_count"`
	Bad          []Bad           `json:"bad_lines"`             // The first of them.
	PastesLost   int             `json:"pastes_lost,omitempty"` // Prompts into which a text was pasted that is lost.
	Left         map[string]int  `json:"left_out,omitempty"`    // Messages that hosts don't store, by reason.
	Growing      bool            `json:"growing,omitempty"`     // The last answer is still being written, and left out.
	Origin       int64           `json:"forked_from,omitempty"` // The conversation of which this one is a fork, or 0.
	Notes        []string        `json:"notes"`
}

// Bad is a line that can't be read.
type Bad struct {
	Line  int64  `json:"line"`
	Error string `json:"error"`
}

// Survey reads a session file and says what importing it would add; it holds no more
// of it than a message at a time.
func (o *Op) Survey(ctx context.Context, db *data.DB, report data.Report) (Survey, error) {
	r := &importRun{op: o}
	defer r.close()
	if err := r.begin(ctx, db, report); err != nil {
		return Survey{Path: o.Path}, err
	}
	for {
		m, ok, err := r.message(ctx)
		if err != nil {
			return r.survey, err
		}
		if !ok {
			break
		}
		r.count(m)
		r.reportProgress(report)
	}
	r.survey.Notes = r.notes()
	return r.survey, nil
}

// Done returns what the steps that were planned so far have added.
func (o *Op) Done() Survey {
	if o.run == nil {
		return Survey{Path: o.Path}
	}
	s := o.run.survey
	s.Left = maps.Clone(s.Left)
	if s.Notes = o.run.notes(); s.Messages > 0 {
		s.Conversation = o.run.into
	}
	return s
}

// notes returns what there is to say beside the numbers.
func (r *importRun) notes() (out []string) {
	if n := r.survey.BadLines; n > 0 {
		out = append(out, fmt.Sprintf("%s can't be read, the first is line %d: %s", plural.Count(n, "line", "lines"), r.survey.Bad[0].Line, r.survey.Bad[0].Error))
	}
	for _, why := range sortedKeys(r.survey.Left) {
		out = append(out, fmt.Sprintf("%s left out: %s", plural.Count(r.survey.Left[why], "message", "messages"), why))
	}
	if r.survey.Growing {
		out = append(out, "the file was written just now, so its last answer may not be whole; import it again to add that answer")
	}
	if r.survey.Origin != 0 {
		out = append(out, fmt.Sprintf("the session is a fork: it begins with copies of messages of conversation %d", r.survey.Origin))
	}
	if r.target.Rebound {
		out = append(out, fmt.Sprintf("conversation %d has the session key, and gets this session", r.target.ID))
	}
	if out == nil {
		out = []string{}
	}
	return out
}
