package integrity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"lcm-tui/data"
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
	c := &checker{file: &fileScan{Request: r, db: db, now: db.Now()}, found: &findings{}, report: report}
	if err := c.run(ctx); err != nil {
		return Diagnosis{}, err
	}
	return newDiagnosis(c.wantedFindings(c.found.list)), nil
}

// wantedFindings returns the findings of faults that are asked for and certain.
func (c *checker) wantedFindings(list []*Finding) (out []Finding) {
	asked := map[FaultID]bool{}
	replica, isReplica := c.file.db.Replica()
	isSent := isReplica && replica.OnlySummaries // It was certain on the machine of the file.
	for _, f := range list {
		is, decided := asked[f.Fault]
		if !decided {
			is = c.file.wants(f.Fault) && (isSent || c.file.isCertain(f.Fault))
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
	if c.file.OnPart == nil {
		return
	}
	c.publishing.Lock()
	defer c.publishing.Unlock()
	c.file.OnPart(Part{Conversation: conversation, Findings: c.wantedFindings(list), FromKnown: known})
}

// checker is the state of a check.
type checker struct {
	file       *fileScan
	found      *findings
	report     data.Report
	publishing sync.Mutex // Held while OnPart is called.

	note         string // What is checked now, for report.
	begun, total int    // Of the checks with a name.
}

// begin says that a check begins, and how many there are.
func (c *checker) begin(name string) {
	c.begun++
	c.note = fmt.Sprintf("check %d of %d: %s", c.begun, c.total, name)
	c.report(0, 0, c.note)
}

// run checks the rows, and beside them the pages on other connections.
func (c *checker) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var work parallel.Group
	storage, pages := &storageCheck{c.found, c.file}, &findings{}
	_, isReplica := c.file.db.Replica()
	steps, checksPages := c.steps(), c.file.Conversation == 0 && !isReplica && c.file.wants(PagesDamaged, SearchTableDamaged)
	for _, s := range steps {
		if s.name != "" {
			c.total++
		}
	}
	if checksPages {
		c.total++
		work.Go(func() {
			var err error
			if pages, err = storage.checkPages(ctx); err != nil {
				cancel(err)
			}
			c.publish(0, pages.list, false)
		})
	}
	err := c.runSteps(ctx, steps)
	if err == nil && checksPages {
		c.begin("pages")
	}
	if err != nil {
		cancel(err)
	}
	work.Wait()
	c.found.append(pages)
	before := len(c.found.list)
	storage.addUnreadable()
	c.publish(0, c.found.list[before:], false)
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

// step is a part of a check. Those without a name belong to the one before.
type step struct {
	name      string
	do        func(context.Context) error
	publishes bool // It passes its findings on itself, after each conversation.
}

// steps returns what is checked, in an order in which the first findings come soon: what reads
// every row of the file comes after the conversations.
func (c *checker) steps() []step {
	file, found := c.file, c.found
	whole := &storageCheck{found, file}
	sessions, anchors, compactions := &sessionCheck{found, file}, &anchorCheck{found, file}, &compactionCheck{found, file}
	steps := []step{
		{"what conversations share", c.readShared, false},
		{"", sessions.checkActivePairs, false},
		{"", sessions.checkSharedTranscripts, false},
		{"", anchors.checkAnchors, false},
		{"conversations", c.scanConversations, true},
		{"", func(ctx context.Context) error { return checkCrossingCycles(ctx, file, found) }, false},
		{"", compactions.checkLostMessages, false},
		{"", compactions.checkDoubledSummaries, false},
		{"", func(ctx context.Context) error { return checkPending(ctx, file, found) }, false},
	}
	replica, isReplica := file.db.Replica()
	secrets := step{"secrets", func(ctx context.Context) error {
		return ignoreDamage(checkSecrets(ctx, file, found, func(done, total int, _ string) { c.report(done, total, c.note) }))
	}, false}
	switch {
	case file.db.IsHome() && file.Conversation == 0 && file.wants(SecretStored):
		return slices.Concat([]step{{"tables", whole.checkTables, false}, {"", whole.checkCounters, false}}, steps, []step{secrets})
	case isReplica && file.Conversation == 0:
		return c.replicaSteps(replica, slices.Concat([]step{{"tables", whole.checkTables, false}, {"", whole.checkCounters, false}}, steps))
	case isReplica:
		return c.replicaSteps(replica, steps)
	case file.Conversation != 0:
		return steps
	}
	steps = slices.Concat([]step{
		{"the file and what lies beside it", whole.checkTables, false},
		{"", whole.checkCounters, false},
		{"", whole.checkFilesBeside, false},
		{"", whole.checkTrash, false},
	}, steps, []step{
		{"files", whole.checkFilesFolder, false},
		{"references", whole.checkReferences, false},
		{"search tables", whole.checkDanglingIndexRows, false},
	})
	if file.wants(SecretStored) {
		steps = append(steps, secrets)
	}
	return steps
}

// runSteps runs steps one after another.
func (c *checker) runSteps(ctx context.Context, steps []step) error {
	for _, s := range steps {
		if s.name != "" {
			c.begin(s.name)
		}
		before := len(c.found.list)
		if err := s.do(ctx); err != nil {
			return err
		}
		if !s.publishes {
			c.publish(0, c.found.list[before:], false)
		}
	}
	return nil
}

// readShared reads what the checks of all conversations need.
func (c *checker) readShared(ctx context.Context) error {
	file := c.file
	if err := runParallel(ctx, file.readShared, file.readSummaryIndexes, file.readIncomingLinks, file.readHostState); err != nil {
		return err
	}
	for _, l := range file.incomingLinks[0] { // Neither end has a conversation.
		if l.Owner == 0 {
			c.found.addDanglingLink(l)
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

// scanConversations checks each conversation that the request asks for, the newest first.
func (c *checker) scanConversations(ctx context.Context) error {
	if c.file.Conversation == 0 {
		before := len(c.found.list)
		(&storageCheck{c.found, c.file}).checkDanglingHostState()
		c.publish(0, c.found.list[before:], false)
	}
	if !c.file.needs(StructureScope) {
		return nil
	}
	total := len(c.file.conversations)
	for i, conv := range slices.Backward(c.file.conversations) {
		if c.file.Conversation != 0 && conv.ID != c.file.Conversation {
			continue
		}
		c.report(total-1-i, total, c.note)
		known, isKnown := c.file.KnownFindings[conv.ID]
		if isKnown && c.file.Conversation == 0 {
			c.publish(conv.ID, c.takeKnown(known), true)
			continue
		}
		found, err := c.scanConversation(ctx, conv)
		if err != nil {
			return err
		}
		c.found.append(found)
		c.publish(conv.ID, found.list, false)
	}
	c.report(total, total, c.note)
	return nil
}

// takeKnown takes findings of an earlier check, except those that the check of the file
// makes itself. It returns those that it took.
func (c *checker) takeKnown(known []Finding) []*Finding {
	before := len(c.found.list)
	for _, f := range known {
		if f.Kind().Scope != FileScope && !f.AcrossConversations {
			c.found.list = append(c.found.list, &f)
		}
	}
	return c.found.list[before:]
}

// foundAtFile are the faults that only a check of the file itself shows: a replica has what its machine found.
var foundAtFile = []FaultID{
	PagesDamaged, ReferenceDangling, TablesIncomplete, TrashMissing, LogLargerThanFile, BackupReadable, SecretStored, FileWrong, FileUnreferenced,
	MessageNotIndexed, MessageIndexDangling, MessageIndexStale, SummaryIndexRowsWrong, SummaryIndexStale, SearchTableDamaged,
}

// replicaSteps returns what is checked of a replica: what its rows show now, and of the file what its machine found. Where the
// messages aren't sent, all is from there: without them the rows would look damaged. A home has no such machine.
func (c *checker) replicaSteps(r *data.Replica, steps []step) []step {
	if r.Home != nil {
		return steps
	}
	sent := []step{{"what the machine of the file found", func(ctx context.Context) error { return c.addSent(ctx, r) }, false}}
	if r.OnlySummaries {
		return sent
	}
	return append(steps, sent...)
}

// addSent adds what the machine of a replica found, but for what was found in the replica itself.
func (c *checker) addSent(ctx context.Context, r *data.Replica) error {
	sent, _, err := r.Findings(ctx)
	if err != nil {
		return err
	}
	type key struct {
		fault        FaultID
		conversation int64
		table, row   string
	}
	known := map[key]bool{}
	for _, f := range c.found.list {
		known[key{f.Fault, f.Conversation, f.Table, f.Row}] = true
	}
	for _, text := range sent {
		f := &Finding{}
		if json.Unmarshal(text, f) != nil || byID[f.Fault].ID == "" { // A newer version of this program made it.
			continue
		}
		switch isOfFile := slices.Contains(foundAtFile, f.Fault); {
		case !isOfFile && !r.OnlySummaries, known[key{f.Fault, f.Conversation, f.Table, f.Row}]:
		case c.file.Conversation == 0, f.Conversation == c.file.Conversation:
			c.found.list = append(c.found.list, f)
		}
	}
	return nil
}
