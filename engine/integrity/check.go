package integrity

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/parallel"
)

// Request says what is to be checked.
type Request struct {
	Conversation int64     // 0: the whole file.
	Faults       []FaultID // The ids to look for; nil: all.
	FilesDir     string    // The folder of large files; empty: files aren't looked at.
	Limits       Limits    // Of the settings in force, by LimitsOf.
	// OnPart is called with what each step of the check found, as soon as it is known; nil is
	// allowed. Calls come one after another, also from other goroutines than that of Check.
	OnPart func(Part)
	// KnownFindings are findings of checks of single conversations, by conversation, with the same
	// FilesDir and Limits and since when the conversation hasn't changed. A check of the file
	// takes them and doesn't read these conversations again.
	KnownFindings map[int64][]Finding
}

// Check looks for faults and returns what it found. It only reads. On a damaged file it
// reads as much as it can, and PagesDamaged says which reads failed.
func Check(ctx context.Context, db *data.DB, r Request, report data.Report) (Diagnosis, error) {
	if report == nil {
		report = func(int, int, string) {}
	}
	r.Limits = r.Limits.withDefaults()
	c := &checker{db: db, Request: r, now: db.Now(), report: report}
	if err := c.run(ctx); err != nil {
		return Diagnosis{}, err
	}
	return newDiagnosis(c.wantedFindings(c.list)), nil
}

// wantedFindings are the findings of faults that are asked for and certain.
func (c *checker) wantedFindings(list []*Finding) (out []Finding) {
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
	if c.OnPart == nil {
		return
	}
	c.publishing.Lock()
	defer c.publishing.Unlock()
	c.OnPart(Part{Conversation: conversation, Findings: c.wantedFindings(list), FromKnown: known})
}

// checker is the state of a check.
type checker struct {
	Request
	findings
	db     *data.DB
	now    time.Time
	report data.Report

	publishing sync.Mutex // Held while OnPart is called.

	conversations  []lcm.RawConversation
	incomingLinks  map[int64][]lcm.RawLink        // Links from other conversations or with an end that doesn't exist, by the conversation of their source.
	summaryIndexes map[string]map[string]indexRow // Rows of the search tables, by table and summary.
	fileIDs        map[string]bool
	filesOf        map[int64][]string // Files by conversation.
	hostState      hostState
	anchors        anchorState
	// dissolved are the summaries that lcm-tui dissolved, with the record of it.
	dissolved map[string]int64
	// halfMade are the messages of changes that aren't finished; a finding names those already.
	halfMade map[int64]bool
	// budgets are the token budgets that hosts noted, by conversation.
	budgets map[int64]int64
}

// has reports whether the file has all these tables.
func (c *checker) has(tables ...string) bool {
	return !slices.ContainsFunc(tables, func(t string) bool { return !c.db.Schema().Has(t) })
}

// wants reports whether the request asks for one of the faults.
func (c *checker) wants(ids ...FaultID) bool {
	return c.Faults == nil || slices.ContainsFunc(ids, func(id FaultID) bool { return slices.Contains(c.Faults, id) })
}

// run checks the rows, and beside them the pages on another connection.
func (c *checker) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var work parallel.Group
	pages := &findings{}
	if c.Conversation == 0 && c.wants(PagesDamaged, SearchTableDamaged) {
		work.Go(func() {
			var err error
			if pages, err = c.checkPages(ctx); err != nil {
				cancel(err)
			}
			c.publish(0, pages.list, false)
		})
	}
	err := c.checkRows(ctx)
	if err == nil && c.Conversation == 0 && c.wants(SecretStored) {
		before := len(c.list)
		err = ignoreDamage(c.checkSecrets(ctx))
		c.publish(0, c.list[before:], false)
	}
	if err == nil && c.Conversation == 0 && c.wants(PagesDamaged, SearchTableDamaged) {
		c.report(0, 0, "checking the pages of the file")
	}
	if err != nil {
		cancel(err)
	}
	work.Wait()
	c.findings.append(pages)
	before := len(c.list)
	c.addUnreadable()
	c.publish(0, c.list[before:], false)
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// ignoreDamage leaves out an error of damage: it has a finding of its own.
func ignoreDamage(err error) error {
	if errors.Is(err, data.ErrDamaged) {
		return nil
	}
	return err
}

// checkRows checks what conversations share, then each conversation.
func (c *checker) checkRows(ctx context.Context) error {
	c.report(0, 0, "reading what all conversations share")
	if err := runParallel(ctx, c.readShared, c.readSummaryIndexes, c.readIncomingLinks, c.readHostState); err != nil {
		return err
	}
	type step struct {
		note      string
		do        func(context.Context) error
		publishes bool // It passes its findings on itself, after each conversation.
	}
	steps := []step{
		{"", c.checkActivePairs, false},
		{"", c.checkSharedTranscripts, false},
		{"", c.checkAnchors, false},
		{"checking conversations", c.scanConversations, true},
		{"", c.checkCrossingCycles, false},
		{"", c.checkLostMessages, false},
		{"", c.checkDoubledSummaries, false},
		{"", c.checkPending, false},
	}
	if c.Conversation == 0 {
		steps = append([]step{{"following references", c.checkStorage, false}, {"checking the search tables", c.checkDanglingIndexRows, false}, {"", c.checkFilesFolder, false}, {"", c.checkFilesBeside, false}, {"", c.checkTrash, false}}, steps...)
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

// runParallel runs steps side by side, each on a connection of its own.
func runParallel(ctx context.Context, steps ...func(context.Context) error) error {
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
	for _, err := range errs { // The first that isn't the cancellation by another.
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return errors.Join(errs...)
}

// readShared reads what the checks of all conversations need.
func (c *checker) readShared(ctx context.Context) (err error) {
	if c.conversations, err = lcm.RawConversations(ctx, c.db); err != nil {
		return err
	}
	if c.budgets, err = lcm.Budgets(ctx, c.db); err != nil {
		return err
	}
	if err := c.readDissolved(ctx); err != nil {
		return err
	}
	if c.halfMade, err = change.UnfinishedMessages(ctx, c.db); err != nil {
		return err
	}
	owners, err := lcm.FileIDs(ctx, c.db)
	c.fileIDs, c.filesOf = map[string]bool{}, map[int64][]string{}
	for id, conv := range owners {
		c.fileIDs[id] = true
		c.filesOf[conv] = append(c.filesOf[conv], id)
	}
	return err
}

// scanConversations checks each conversation that the request asks for.
func (c *checker) scanConversations(ctx context.Context) error {
	if c.Conversation == 0 {
		before := len(c.list)
		c.checkDanglingHostState()
		c.publish(0, c.list[before:], false)
	}
	if !c.needs(StructureScope) {
		return nil
	}
	for i, conv := range c.conversations {
		if c.Conversation != 0 && conv.ID != c.Conversation {
			continue
		}
		c.report(i, len(c.conversations), "checking conversations")
		known, isKnown := c.KnownFindings[conv.ID]
		if isKnown && c.Conversation == 0 {
			c.publish(conv.ID, c.takeKnown(known), true)
			continue
		}
		found, err := c.scanConversation(ctx, conv)
		if err != nil {
			return err
		}
		c.findings.append(found)
		c.publish(conv.ID, found.list, false)
	}
	c.report(len(c.conversations), len(c.conversations), "checking conversations")
	return nil
}

// takeKnown takes findings of an earlier check, except those that the check of the file
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

// readIncomingLinks reads the links from other conversations, and those with an end that
// doesn't exist.
func (c *checker) readIncomingLinks(ctx context.Context) error {
	links, err := lcm.DanglingLinks(ctx, c.db, c.Conversation)
	c.incomingLinks = map[int64][]lcm.RawLink{}
	for _, l := range links {
		c.incomingLinks[l.SourceOwner] = append(c.incomingLinks[l.SourceOwner], l)
	}
	for _, l := range c.incomingLinks[0] { // Neither end has a conversation.
		if l.Owner == 0 {
			c.addDanglingLink(l)
		}
	}
	return err
}
