package prune

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/hostactivity"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/prune/removal"
	"lcm-tui/ops/prune/selector"
	"lcm-tui/ops/space"
)

// Verb is what is pruned.
type Verb string

// The verbs, the one that loses least first.
const (
	Copies        Verb = "copies"
	Payloads      Verb = "payloads"
	Text          Verb = "text"
	Conversations Verb = "conversations"
)

// Verbs are all of them.
var Verbs = []Verb{Copies, Payloads, Text, Conversations}

// Op is a prune of what a selector matches.
type Op struct {
	Verb     Verb
	Selector selector.Selector
	// Uncovered also forgets texts that no summary in the context covers.
	Uncovered bool
	// KeepUser leaves what users said.
	KeepUser bool
	// Payload is from how many bytes on the output of a tool is a payload.
	Payload int64
	// Externalise moves payloads into large files instead of forgetting them.
	Externalise bool
	// FilesFolder is where large files lie that may move into the trash, and where those that
	// Externalise makes go; empty leaves them.
	FilesFolder string
	// StateFolder is that of the host, with its indexes of sessions; empty is unknown.
	StateFolder string
	// Matching chooses, for texts, the messages that a search finds; nil takes all that the selector selects.
	Matching *Matching
}

// DefaultPayload is from how many bytes on the output of a tool is a payload.
const DefaultPayload = 16 << 10

// ErrNoSelector says that nothing says what to prune.
var ErrNoSelector = errors.New("nothing says what to prune: nothing selected is never everything")

// Name implements ops.Op.
func (*Op) Name() string { return "prune" }

// byMessage reports whether the age of each message counts, and not that of the conversation.
func (o *Op) byMessage() bool { return o.Verb == Text || o.Verb == Payloads }

// pruning is the making of one plan.
type pruning struct {
	op    *Op
	db    *data.DB
	facts map[int64]removal.Facts
	live  *hostactivity.Check
	size  *space.Measurement

	// outputsOnly are the conversations in which only outputs of tools may move into files.
	outputsOnly map[int64]bool
	matched     *matched // What a query found; nil without one.
	// storedAgain are conversations of files of 1.0 of which a host that is handed the whole history again
	// would store all of it again.
	storedAgain []int64

	chosen  []candidate
	refused []ops.Refusal
}

// candidate is a conversation that qualifies, and what would leave the file with it.
type candidate struct {
	selector.Conversation
	facts   removal.Facts
	why     string
	removal space.Removal
	rows    map[string]int64
	rule    removal.TextRule // Of texts and payloads.

	files     int // Large files that move into the trash, or that are made.
	fileBytes int64
}

// Plan implements ops.Op.
func (o *Op) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	if o.Selector.IsEmpty() && o.Matching == nil {
		return ops.Plan{}, ErrNoSelector
	}
	report(0, 0, "checking the file")
	if err := removal.CheckSound(ctx, db); err != nil {
		return ops.Plan{}, err
	}
	p := &pruning{op: o, db: db, facts: map[int64]removal.Facts{}, live: hostactivity.New(db.Now(), o.StateFolder), outputsOnly: map[int64]bool{}}
	var err error
	if p.size, err = space.Measure(ctx, db, func(m *space.Measurement) { report(int(m.Done), int(m.Total), "measuring") }); err != nil {
		return ops.Plan{}, err
	}
	report(0, 0, "looking for what qualifies")
	all, err := p.read(ctx)
	if err != nil {
		return ops.Plan{}, err
	}
	selected, why := o.Selector.Select(all, o.byMessage())
	if o.Matching != nil {
		if p.matched, err = newMatched(ctx, db, o.Matching, report); err != nil {
			return ops.Plan{}, err
		}
		if len(p.matched.found) == 0 {
			return ops.Plan{}, fmt.Errorf("the query finds no message: %w", ops.ErrNothing)
		}
		selected, why = p.matched.selectFrom(o.Selector, all)
	}
	if err := p.qualify(ctx, selected, why, report); err != nil {
		return ops.Plan{}, err
	}
	plan, err := p.plan(ctx, p.limit())
	if err == nil && p.matched != nil {
		err = p.matched.addTo(ctx, db, &plan, report)
	}
	return plan, err
}

// read reads the facts of all conversations, and gives what selectors know of them.
func (p *pruning) read(ctx context.Context) ([]selector.Conversation, error) {
	facts, err := removal.ReadFacts(ctx, p.db)
	for _, f := range facts {
		p.facts[f.ID] = f
	}
	return conversations(ctx, facts, p.size, p.live), err
}

// hostFacts returns what decides whether a conversation may go on.
func hostFacts(f removal.Facts) hostactivity.Conversation {
	return hostactivity.Conversation{
		ID: f.ID, Known: f.Known, Active: f.Active, UpdatedAt: f.UpdatedAt, ArchivedAt: f.ArchivedAt, ByStore: f.One, Session: f.SessionID, Key: f.SessionKey,
		Messages: f.Messages > 0, Newest: f.Newest, Compacting: f.Compacting, Tracked: f.Tracked, Transcript: f.Transcript,
	}
}

// refuse leaves a conversation as it is.
func (p *pruning) refuse(id int64, format string, args ...any) {
	p.refused = append(p.refused, ops.Refusal{Conversation: id, Reason: fmt.Sprintf(format, args...)})
}

// limit keeps the oldest candidates with which the file has the size that is the target. It
// returns false where it can't be reached.
func (p *pruning) limit() (reached bool) {
	target := p.op.Selector.Target
	if target == 0 {
		return true
	}
	after := func(n int) int64 { return space.Predict(p.size, removalOf(p.chosen[:n])).After }
	if len(p.chosen) == 0 || after(len(p.chosen)) > target {
		return after(len(p.chosen)) <= target
	}
	low, high := 0, len(p.chosen) // The file is small enough with high of them.
	for low < high {
		if middle := (low + high) / 2; after(middle) <= target {
			high = middle
		} else {
			low = middle + 1
		}
	}
	p.chosen = p.chosen[:high]
	return true
}

// removalOf returns what leaves the file with some conversations.
func removalOf(cs []candidate) space.Removal {
	all := space.Removal{}
	for _, c := range cs {
		all.Add(c.removal)
	}
	return all
}

// plan makes the plan of what was chosen.
func (p *pruning) plan(ctx context.Context, reached bool) (ops.Plan, error) {
	removal := removalOf(p.chosen)
	forecast := space.Predict(p.size, removal)
	set := ops.Set{Verb: string(p.op.Verb), Selector: p.op.selected(p.op.Selector.String()), Rows: map[string]int64{}, Writer: &writer{p}}
	for _, c := range p.chosen {
		set.Conversations = append(set.Conversations, p.describe(c))
		for table, n := range c.rows {
			set.Rows[table] += n
		}
		set.Bytes += c.removal.Bytes()
		g, err := change.GuardConversation(ctx, p.db, c.ID, p.op.Verb != Conversations)
		if err != nil {
			return ops.Plan{}, err
		}
		set.Guards = append(set.Guards, g)
	}
	for _, o := range forecast.Objects {
		set.Objects = append(set.Objects, ops.SetObject{Name: o.Name, Bytes: o.Before, After: o.After})
	}
	if p.op.Verb != Copies {
		set.Trash = data.TrashFolder(p.db.Path())
		set.TrashBytes = set.Bytes - searchBytes(removal) + trashRowBytes*set.Total()
	}
	if p.op.Externalise {
		for _, c := range p.chosen {
			set.DiskNeeded += c.fileBytes
		}
	}
	set.DiskNeeded += set.TrashBytes + min(maxWALMargin, 16<<20+2*forecast.Before)
	plan := ops.NewSet("prune", p.op.title(ctx, p.db), set)
	plan.RefusedConversations = append(plan.RefusedConversations, p.refused...)
	plan.Forecast.Before, plan.Forecast.After = forecast.Before, forecast.After
	p.addNotes(&plan, forecast, reached)
	if plan.Empty() && len(p.refused) == 0 {
		return ops.Plan{}, fmt.Errorf("no conversation qualifies (%s): %w", set.Selector, ops.ErrNothing)
	}
	return plan, nil
}

// trashRowBytes is about what a row takes in the trash beside the texts that it loses: its ids, its
// hash, its metadata and its place in the indexes.
const trashRowBytes = 600

// maxWALMargin is the space that the -wal and the search tables may take at most while a set is
// written, in bytes.
const maxWALMargin = 256 << 20

// searchBytes returns the bytes of search tables in a removal: the trash doesn't keep them.
func searchBytes(r space.Removal) (n int64) {
	for table, a := range r {
		if slices.Contains(data.SearchTables(), table) {
			n += a.Bytes
		}
	}
	return n
}

// describe returns a conversation as the plan shows it.
func (p *pruning) describe(c candidate) ops.SetConversation {
	state := "archived"
	if c.Active {
		state = "active"
	}
	return ops.SetConversation{
		ID: c.ID, Key: c.Key, Agent: c.Agent, Lane: c.Lane, State: state, NewestMessage: c.facts.Newest,
		Rows: c.rows, Bytes: c.removal.Bytes(), Files: c.files, FileBytes: c.fileBytes, Why: c.why,
	}
}

// title names the plan.
func (o *Op) title(ctx context.Context, db *data.DB) string {
	payloads := "forget payloads"
	if o.Externalise {
		payloads = "move payloads into large files"
	}
	texts := "forget texts below summaries"
	if o.Uncovered {
		texts = "forget texts, also without a summary"
	}
	what := map[Verb]string{
		Copies: "drop copies of texts", Payloads: payloads, Text: texts, Conversations: "remove conversations",
	}[o.Verb]
	return strings.TrimSpace(what + " (" + o.selected(o.Selector.Words(func(ids []int64) string { return lcm.Labels(ctx, db, ids) })) + ")")
}

// selected says what is selected, of which the selector says words. What a query asks for isn't said: records and trash
// would keep it.
func (o *Op) selected(words string) string {
	switch {
	case o.Matching == nil:
		return words
	case words == "":
		return "what a query finds"
	}
	return "what a query finds, " + words
}

// addNotes says what the forecast rests on, and how to get what was removed back.
func (p *pruning) addNotes(plan *ops.Plan, f space.Forecast, reached bool) {
	if f.Estimated {
		plan.Note("the sizes are estimates, wrong by about 4 %: this file's pages can't be counted")
	}
	if !reached {
		plan.Warn("the target can't be reached with what was selected")
	}
	plan.NoteFlag("the file becomes smaller by lcm-tui reclaim", "the file becomes smaller when its free space is given back")
	switch {
	case p.op.Verb == Copies:
		plan.Note("nothing is lost: the copies are made again from the texts when this is undone")
	case p.op.Externalise:
		plan.Note("nothing is lost: the payloads lie in files in " + p.op.FilesFolder + ", and undo puts them back into the messages")
	default:
		plan.Note("what is removed is kept in the trash until that is emptied, and undo restores it from there")
	}
	if p.op.byMessage() {
		p.addHostNotes(plan)
	}
	if p.op.Verb != Copies {
		p.addSuccessorNote(plan)
	}
	if t := p.op.Selector.OlderThan; !t.IsZero() && t.After(p.db.Now().Add(-24*time.Hour)) {
		plan.Warn("also what was written less than a day ago is selected")
	}
}

// addHostNotes says what hosts make of other texts.
func (p *pruning) addHostNotes(plan *ops.Plan) {
	plan.Note("a host recognizes the messages by their rows, numbers and hashes, which stay")
	p.addAnchorNotes(plan)
	live := 0
	for _, c := range p.chosen {
		if c.facts.One {
			continue
		}
		if c.rule.KeepNewest > 0 && !p.outputsOnly[c.ID] {
			live++
		}
	}
	if live > 0 {
		plan.Warn(plural.Count(live, "conversation", "conversations") + " may go on: where the host later moves a picture or another payload of it into a file, and is then handed the whole history again, it stores all of it again, with these texts")
	}
}
