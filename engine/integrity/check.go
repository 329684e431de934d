package integrity

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/parallel"
)

// Request says what is to be checked.
type Request struct {
	Conversation int64     // 0: the whole file.
	Faults       []FaultID // The ids to look for; nil: all.
	FilesDir     string    // Where large files lie; empty: their places aren't looked at.
	Limits       Limits    // Of the settings in force, by LimitsOf.
	// Found is called with what each step of the check found, as soon as it is known; nil is
	// allowed. Calls come one after another, also from other goroutines than that of Check.
	Found func(Part)
	// Known are findings of checks of single conversations, by conversation, with the same
	// FilesDir and Limits and since when the conversation hasn't changed. A check of the file
	// takes them and doesn't read these conversations again.
	Known map[int64][]Finding
}

// Check looks for faults and says what it found. It reads only. On a damaged file
// it goes as far as it can, and S01 says that it did.
func Check(ctx context.Context, db *data.DB, r Request, report data.Report) (Diagnosis, error) {
	if report == nil {
		report = func(int, int, string) {}
	}
	r.Limits = r.Limits.filled()
	c := &checker{db: db, Request: r, now: db.Now(), report: report}
	if err := c.run(ctx); err != nil {
		return Diagnosis{}, err
	}
	return newDiagnosis(c.asked(c.list)), nil
}

// asked are the findings of faults that are asked for and certain, each once.
func (c *checker) asked(list []*Finding) (out []Finding) {
	asked := map[FaultID]bool{}
	for _, f := range list {
		is, decided := asked[f.Fault]
		if !decided {
			is = c.wants(f.Fault) && c.isCertain(f.Fault)
			asked[f.Fault] = is
		}
		if is {
			out = append(out, *f)
		}
	}
	return out
}

// publish passes on what a step found.
func (c *checker) publish(conversation int64, list []*Finding, known bool) {
	if c.Found == nil {
		return
	}
	c.publishing.Lock()
	defer c.publishing.Unlock()
	c.Found(Part{Conversation: conversation, Findings: c.asked(list), Known: known})
}

// checker is one check.
type checker struct {
	Request
	found
	db     *data.DB
	now    time.Time
	report data.Report

	publishing sync.Mutex // Held while Found is called.

	all    []data.RawConversation
	strays map[int64][]data.RawLink      // Links from elsewhere, by the conversation they lead to.
	index  map[string]map[string]indexed // What the search tables of summaries hold, by table and id.
	files  map[string]bool
	owned  map[int64][]string // Files by conversation.
	notes  notes
	// dissolved are summaries that lcm-tui took out of a context, with the record of it.
	dissolved map[string]int64
	// budgets are those that hosts noted, by conversation.
	budgets map[int64]int64
}

// has reports whether the file has all these tables.
func (c *checker) has(tables ...string) bool {
	return !slices.ContainsFunc(tables, func(t string) bool { return !c.db.Schema().Has(t) })
}

// wants reports whether one of the faults is asked for.
func (c *checker) wants(ids ...FaultID) bool {
	return c.Faults == nil || slices.ContainsFunc(ids, func(id FaultID) bool { return slices.Contains(c.Faults, id) })
}

// run checks the pages beside the rows, on another connection.
func (c *checker) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var work parallel.Group
	pages := &found{}
	if c.Conversation == 0 && c.wants(PagesDamaged, SearchTableDamaged) {
		work.Go(func() {
			var err error
			if pages, err = c.pages(ctx); err != nil {
				cancel(err)
			}
			c.publish(0, pages.list, false)
		})
	}
	err := c.rows(ctx)
	if err == nil && c.Conversation == 0 && c.wants(PagesDamaged, SearchTableDamaged) {
		c.report(0, 0, "checking the pages of the file")
	}
	if err != nil {
		cancel(err)
	}
	work.Wait()
	c.found.take(pages)
	before := len(c.list)
	c.unread()
	c.publish(0, c.list[before:], false)
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// rows checks the file's rows: first what is beside conversations, then each.
func (c *checker) rows(ctx context.Context) error {
	c.report(0, 0, "reading what all conversations share")
	if err := atOnce(ctx, c.prepare, c.indexes, c.straying, c.readNotes); err != nil {
		return err
	}
	type step struct {
		note      string
		do        func(context.Context) error
		publishes bool // By itself, after each conversation.
	}
	steps := []step{{"", c.siblings, false}, {"", c.transcripts, false}, {"checking conversations", c.talks, true}, {"", c.crossing, false}, {"", c.races, false}}
	if c.Conversation == 0 {
		steps = append([]step{{"following references", c.storage, false}, {"checking the search tables", c.stray, false}, {"", c.left, false}}, steps...)
	}
	for _, s := range steps {
		if s.note != "" {
			c.report(0, 0, s.note)
		}
		before := len(c.list)
		if err := s.do(ctx); err != nil {
			return err
		}
		if !s.publishes {
			c.publish(0, c.list[before:], false)
		}
	}
	return nil
}

// atOnce takes steps side by side, each on a connection of its own.
func atOnce(ctx context.Context, steps ...func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make([]error, len(steps))
	var work parallel.Group
	for i, step := range steps {
		work.Go(func() {
			if errs[i] = step(ctx); errs[i] != nil {
				cancel()
			}
		})
	}
	work.Wait()
	for _, err := range errs { // The first that isn't the end of another.
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return errors.Join(errs...)
}

// prepare reads what all conversations need.
func (c *checker) prepare(ctx context.Context) (err error) {
	if c.all, err = c.db.RawConversations(ctx); err != nil {
		return err
	}
	if c.budgets, err = c.db.Budgets(ctx); err != nil {
		return err
	}
	if err := c.readDissolved(ctx); err != nil {
		return err
	}
	owners, err := c.db.FileIDs(ctx)
	c.files, c.owned = map[string]bool{}, map[int64][]string{}
	for id, conv := range owners {
		c.files[id] = true
		c.owned[conv] = append(c.owned[conv], id)
	}
	return err
}

// talks checks the conversations.
func (c *checker) talks(ctx context.Context) error {
	if c.Conversation == 0 {
		before := len(c.list)
		c.homeless()
		c.publish(0, c.list[before:], false)
	}
	if !c.needs(StructureScope) {
		return nil
	}
	for i, conv := range c.all {
		if c.Conversation != 0 && conv.ID != c.Conversation {
			continue
		}
		c.report(i, len(c.all), "checking conversations")
		known, isKnown := c.Known[conv.ID]
		if isKnown && c.Conversation == 0 {
			c.publish(conv.ID, c.takeKnown(known), true)
			continue
		}
		found, err := c.talk(ctx, conv)
		if err != nil {
			return err
		}
		c.found.take(found)
		c.publish(conv.ID, found.list, false)
	}
	c.report(len(c.all), len(c.all), "checking conversations")
	return nil
}

// takeKnown takes findings of an earlier check, but for those that the check of the file
// makes itself. It returns those that it took.
func (c *checker) takeKnown(known []Finding) []*Finding {
	before := len(c.list)
	for _, f := range known {
		if f.Kind().Scope != FileScope && !f.AcrossConversations {
			c.list = append(c.list, &f)
		}
	}
	return c.list[before:]
}

// straying reads the links that lead out of conversations, or from nowhere.
func (c *checker) straying(ctx context.Context) error {
	links, err := c.db.DanglingLinks(ctx, c.Conversation)
	c.strays = map[int64][]data.RawLink{}
	for _, l := range links {
		c.strays[l.SourceOwner] = append(c.strays[l.SourceOwner], l)
	}
	for _, l := range c.strays[0] { // Neither end tells a conversation.
		if l.Owner == 0 {
			c.lost(l)
		}
	}
	return err
}
