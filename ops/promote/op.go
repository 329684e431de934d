package promote

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/data/promoted"
	"lcm-tui/engine/promote"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// Op promotes summaries of conversations.
type Op struct {
	Conversations []int64
}

var _ ops.Op = (*Op)(nil)

// Name implements ops.Op.
func (*Op) Name() string { return "promote" }

// firstCharacters is how many characters two entries share at their beginning that are taken for one, and
// duplicateRank from which rank on a text says what an entry says; both are those of lossless-claude 0.2.
const (
	firstCharacters = 100
	duplicateRank   = -15
	mostDuplicates  = 3
	decay           = 0.1 // Of the confidence, where an entry takes the place of others.
	leastConfidence = 0.2 // Of an entry that is in use.
)

// noProject is the project of a conversation whose key names none, as imports call it: its entries aren't those of all
// projects.
const noProject = "unknown"

// run is one plan.
type run struct {
	db      *data.DB
	plan    ops.Plan
	entries map[string]promoted.Entry // Those in use, by id.
	begins  map[[2]string]bool        // How the texts of these begin, with their project.
	sources map[string]bool           // The summaries of all entries, also of archived ones.
	index   *promoted.Index
	added   int
	old     int
}

// Plan implements ops.Op.
func (o *Op) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	r, err := newRun(ctx, db, o.Name())
	if err != nil {
		return ops.Plan{}, err
	}
	defer r.index.Close()
	scanned := 0
	for i, id := range o.Conversations {
		report(i, len(o.Conversations), "looking for what is worth keeping")
		conv, err := lcm.ReadConversation(ctx, db, id)
		if err != nil {
			return ops.Plan{}, err
		}
		if conv.OnlyPrompts() {
			continue
		}
		n, err := r.promote(ctx, conv)
		if err != nil {
			return ops.Plan{}, err
		}
		scanned += n
	}
	if r.added == 0 {
		return ops.Plan{}, fmt.Errorf("promote: of %s none is worth an entry that isn't there: %w", plural.Count(scanned, "summary", "summaries"), ops.ErrNothing)
	}
	r.plan.Title = "promote " + plural.Count(r.added, "summary", "summaries")
	if r.old > 0 {
		r.plan.Title += ", and archive " + plural.Count(r.old, "older entry", "older entries")
	}
	r.plan.Note(fmt.Sprintf("%s were looked at", plural.Count(scanned, "summary", "summaries")))
	return r.plan, nil
}

// newRun reads the entries that there are.
func newRun(ctx context.Context, db *data.DB, name string) (*run, error) {
	all, err := promoted.List(ctx, db)
	if err != nil {
		return nil, err
	}
	r := &run{db: db, plan: ops.New(name, ""), entries: map[string]promoted.Entry{}, begins: map[[2]string]bool{}, sources: map[string]bool{}}
	r.plan.Tables = []string{promoted.Schema}
	var used []promoted.Entry
	for _, e := range all {
		r.sources[e.Summary] = true
		if !e.IsArchived() {
			used = append(used, e)
			r.entries[e.ID], r.begins[[2]string{e.Project, beginning(e.Content)}] = e, true
		}
	}
	r.index, err = promoted.NewIndex(ctx, used)
	return r, err
}

// beginning returns the first characters of a text.
func beginning(text string) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), firstCharacters)])
}

// begun reports whether an entry of a project, or of all, begins as a text does. A session gets nothing of other projects.
func (r *run) begun(project, text string) bool {
	begin := beginning(text)
	return r.begins[[2]string{project, begin}] || r.begins[[2]string{"", begin}]
}

// promote plans the entries of a conversation, and returns how many summaries it has.
func (r *run) promote(ctx context.Context, conv lcm.Conversation) (scanned int, err error) {
	const whole = 1 << 20 // Bytes; no summary is longer.
	summaries, err := lcm.Summaries(ctx, r.db, conv.ID, whole)
	if err != nil {
		return 0, err
	}
	project := cmp.Or(conv.Agent(), noProject)
	for _, s := range summaries {
		if r.sources[s.ID] || r.begun(project, s.Content) || strings.TrimSpace(s.Content) == "" || summarize.Detect(s.Content, s.Model) != summarize.None {
			continue
		}
		signals := promote.Signals(promote.Summary{Text: s.Content, Depth: s.Depth, Tokens: s.Tokens, SourceTokens: s.SourceTokens})
		if len(signals) == 0 {
			continue
		}
		e := promoted.Entry{
			ID: "mem_" + r.db.NewID(), Content: s.Content, Tags: signals, Summary: s.ID, Project: project, Session: conv.SessionID,
			Depth: s.Depth, Confidence: promote.Confidence(len(signals)), CreatedAt: data.CellTime(r.db.FormatNow()),
		}
		if err := r.add(ctx, e, s.ID+": "+strings.Join(signals, ", ")); err != nil {
			return 0, err
		}
	}
	return len(summaries), nil
}

// add plans an entry. Entries that say the same are archived: the newer one stays.
func (r *run) add(ctx context.Context, e promoted.Entry, why string) error {
	same, err := r.index.Search(ctx, e.Content, mostDuplicates, func(other promoted.Entry) bool {
		_, used := r.entries[other.ID]
		return used && other.Project == e.Project
	})
	if err != nil {
		return err
	}
	var old []promoted.Entry
	for _, hit := range same {
		if hit.Rank <= duplicateRank {
			old = append(old, r.entries[hit.ID])
			e.Confidence = max(e.Confidence, hit.Confidence)
		}
	}
	if len(old) > 0 {
		if e.Confidence -= decay; e.Confidence < leastConfidence {
			e.ArchivedAt = e.CreatedAt
		}
	}
	r.insert(e)
	for _, o := range old {
		r.supersede(o, e)
		why += fmt.Sprintf("; it takes the place of %s", o.ID)
	}
	r.plan.Note(fmt.Sprintf("%s (confidence %.2f): %s", why, e.Confidence, strings.Join(strings.Fields(beginning(e.Content)), " ")))
	return r.index.Add(ctx, e)
}

// insert plans the row of an entry.
func (r *run) insert(e promoted.Entry) {
	r.added++
	same := data.Row{"project_id": e.Project, "content": e.Content, "archived_at": nil}
	if e.Summary != "" {
		same = data.Row{"source_summary_id": e.Summary}
	}
	insert(&r.plan, e, same)
	r.sources[e.Summary], r.begins[[2]string{e.Project, beginning(e.Content)}] = true, true
	if !e.IsArchived() {
		r.entries[e.ID] = e
	}
}

// insert plans a row. The plan is stale once there is an entry that is the same by these columns.
func insert(p *ops.Plan, e promoted.Entry, same data.Row) {
	p.Changes = append(p.Changes, change.Change{Table: promoted.Table, Key: []string{"id"}, After: e.Row()})
	p.Guard(promoted.Table, same, 0)
}

// supersede plans that an entry is archived, because another says the same.
func (r *run) supersede(old, by promoted.Entry) {
	r.old++
	delete(r.entries, old.ID)
	next := old
	next.ArchivedAt, next.Superseded = by.CreatedAt, by.ID
	for i, c := range r.plan.Changes { // It came with this plan.
		if c.After["id"] == old.ID {
			r.plan.Changes[i].After = next.Row()
			return
		}
	}
	r.plan.Changes = append(r.plan.Changes, update(old, next))
}

// update changes an entry.
func update(before, after promoted.Entry) change.Change {
	return change.Change{Table: promoted.Table, Key: []string{"id"}, Before: before.Row(), After: after.Row()}
}
