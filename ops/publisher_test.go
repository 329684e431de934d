package ops_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	engine "lcm-tui/engine/compact"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/engine/token"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/backfill"
	"lcm-tui/ops/compact"
	"lcm-tui/ops/dissolve"
	"lcm-tui/ops/redo"
	"lcm-tui/ops/repair"
	"lcm-tui/ops/rewrite"
	"lcm-tui/ops/transplant"
	"lcm-tui/ops/undo"
)

// publisher is a host of 1.0 that has looked at a wholly prepared batch and is about to publish
// it, and our program beside it.
type publisher struct {
	*testing.T
	db    *data.DB
	host  *fakehost.Host
	conv  int64
	other int64 // Another conversation with messages.
	batch string
	was   map[int64]bool // The messages that could be reached from contexts.
	left  map[int64]bool // The messages that a plan put out of reach on purpose.
}

// preparedFile makes a file whose conversation has a prepared batch, and names that.
type preparedFile struct {
	name string
	make func(t *testing.T) (path string, conv, other int64)
}

// preparedFiles returns real files of the reference engine, and one of the fake host.
func preparedFiles() []preparedFile {
	fixture := func(name string, conv, other int64) preparedFile {
		return preparedFile{fmt.Sprintf("%s conversation %d", name, conv), func(t *testing.T) (string, int64, int64) {
			t.Helper()
			return testdb.Fixture(t, "v1.0/"+name), conv, other
		}}
	}
	files := []preparedFile{fixture("small.db", 1, 2), {"the fake host's", fakePrepared}}
	if testlength.Short() {
		return files
	}
	return append(files, fixture("small.db", 2, 1), fixture("rich.db", 9, 8), fixture("rich.db", 1, 8), fixture("upgraded.db", 2, 1), fixture("upgraded-small.db", 2, 1))
}

// fakePrepared returns a file of the fake host, in which a context begins with a condensed summary
// of leaves. Its batch has leaves and a condensed node over two of them.
func fakePrepared(t *testing.T) (path string, conv, other int64) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "lcm.db")
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	w, err := fakehost.Create(path, fakehost.Beta)
	check(err)
	for _, key := range []string{"agent:main:main", "agent:main:other"} {
		_, err := w.Conversation(fakehost.Conversation{SessionKey: key, Active: true})
		check(err)
	}
	check(w.Close())
	h, err := fakehost.Start(path, fakehost.Config{FreshTailCount: 4, LeafChunkTokens: 40, LeafMinFanout: 2, CondensedMinFanout: 2, HardMinFanout: 2})
	check(err)
	defer h.Close()
	for i := range 30 {
		_, err := h.Append(int64(1+i%2), fakeMessage(i))
		check(err)
	}
	for i := range 20 {
		_, err := h.Append(1, fakeMessage(30+i))
		check(err)
	}
	var leaves []string
	for range 2 {
		c, _, err := h.ChooseLeaf(1)
		check(err)
		id, err := h.Write(c, fmt.Sprintf("leaf %d", c.First))
		check(err)
		leaves = append(leaves, id)
	}
	_, err = h.Condense(1, leaves, "both leaves")
	check(err)
	batch, nodes, ok, err := h.Plan(1)
	if check(err); !ok || len(nodes) < 4 {
		t.Fatalf("%d nodes are planned", len(nodes))
	}
	_, err = h.PlanCondensed(batch, nodes[1:3])
	check(err)
	return path, 1, 2
}

// fakeMessage returns a message of a few tokens.
func fakeMessage(i int) fakehost.Message {
	return fakehost.Message{
		Role: []string{"user", "assistant"}[i%2], EntryID: fmt.Sprintf("entry%d", i), At: time.Date(2026, 1, 5, 9, i, 0, 0, time.UTC),
		Content: fmt.Sprintf("message %d %s", i, strings.Repeat("of many words ", 4)),
	}
}

// newPublisher lets the host finish every node of its batch, and look at it for the last time.
func newPublisher(t *testing.T, f preparedFile) *publisher {
	t.Helper()
	path, conv, other := f.make(t)
	h, err := fakehost.Start(path, fakehost.Config{}) // The fresh tail isn't the question here.
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	p := &publisher{T: t, host: h, conv: conv, other: other, db: testdb.Open(t, path)}
	const ready = `UPDATE pending_summary_nodes SET status = 'ready', content = coalesce(content, 'prepared ' || node_id), token_count = coalesce(token_count, 7),
		lease_owner = NULL, lease_expires_at = NULL WHERE status IN ('planned', 'running', 'failed') AND conversation_id = ?`
	p.check(h.Exec(ready, conv))
	p.check(h.Read([]any{&p.batch}, "SELECT batch_id FROM pending_compaction_batches WHERE conversation_id = ? AND status = 'planning' ORDER BY created_at DESC, batch_id DESC", conv))
	if why, err := h.Check(p.batch); err != nil || why != "" {
		t.Fatalf("the batch can't be published to begin with: %s, %v", why, err)
	}
	p.was = p.reached()
	return p
}

func (p *publisher) check(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

// reached returns the messages that can be reached from a context.
func (p *publisher) reached() map[int64]bool {
	return p.ids(`WITH RECURSIVE below(id) AS (SELECT summary_id FROM context_items WHERE summary_id IS NOT NULL
		UNION SELECT p.parent_summary_id FROM below JOIN summary_parents p ON p.summary_id = below.id)
		SELECT message_id FROM context_items WHERE message_id IS NOT NULL
		UNION SELECT l.message_id FROM below JOIN summary_messages l ON l.summary_id = below.id`)
}

func (p *publisher) ids(query string) map[int64]bool {
	out := map[int64]bool{}
	p.check(p.host.Each(query, nil, func(scan func(...any) error) error {
		var id int64
		err := scan(&id)
		out[id] = true
		return err
	}))
	return out
}

// nothingLost fails where a message that could be reached can't be any more. Unless all are
// meant, those that our plan deleted or put out of reach on purpose aren't lost.
func (p *publisher) nothingLost(when string, all bool) {
	p.Helper()
	now, there := p.reached(), p.ids("SELECT message_id FROM messages")
	var lost []int64
	for id := range p.was {
		if !now[id] && (all || there[id] && !p.left[id]) {
			lost = append(lost, id)
		}
	}
	if len(lost) > 0 {
		slices.Sort(lost)
		p.Errorf("%s: messages %v can't be reached any more", when, lost)
	}
	if n := len(p.ids("SELECT max(ordinal) FROM context_items GROUP BY conversation_id, coalesce(summary_id, message_id) HAVING count(*) > 1")); n > 0 {
		p.Errorf("%s: %d items stand twice in a context", when, n)
	}
}

// publishes lets the host run the transaction of its publication, and fails unless that ends
// as it should.
func (p *publisher) publishes(when string, should bool) {
	p.Helper()
	if err := p.host.Publish(p.batch); (err == nil) != should {
		p.Errorf("%s: the host publishes: %v", when, err)
	}
	active := "SELECT rowid FROM pending_compaction_batches WHERE status = 'planning' AND conversation_id = " + fmt.Sprint(p.conv)
	if n := len(p.ids(active)); n > 0 {
		p.Errorf("%s: %d batches are active", when, n)
	}
}

// publisherOps are the operations that change a context or a text of the batch, and those that
// change neither.
var publisherOps = []struct {
	name  string
	op    func(p *publisher) ops.Op
	stale bool // It changes what the batch was prepared from.
}{
	{"compact", func(p *publisher) ops.Op {
		c := engine.Defaults()
		c.FreshTailCount, c.LeafChunkTokens, c.LeafMinFanout, c.CondensedMinFanout, c.CondensedTargetTokens, c.SummaryPrefixTargetTokens = 4, 100, 2, 2, 4, 1
		return &compact.Op{Conversation: p.conv, Model: model{}, Generate: true, Request: engine.Request{Mode: engine.Leaf, Config: c, Force: true, Job: summarize.Job{Estimator: token.Weighted}}}
	}, true},
	{"dissolve", func(p *publisher) ops.Op { return &dissolve.Op{Conversation: p.conv, Summary: p.summary(1)} }, true},
	{"dissolve and purge", func(p *publisher) ops.Op {
		return &dissolve.Op{Conversation: p.conv, Summary: p.summary(1), Purge: true}
	}, true},
	{"rewrite", func(p *publisher) ops.Op {
		id := p.summary(0)
		return &rewrite.Op{
			Conversation: p.conv, Pick: rewrite.Pick{Summary: id}, Texts: map[string]string{id: "written by hand"},
			Options: regenerate.Options{Job: summarize.Job{Estimator: token.Weighted}},
		}
	}, true},
	{"transplant", func(p *publisher) ops.Op {
		return &transplant.Op{Source: p.other, Target: p.conv, Messages: true}
	}, true},
	{"repair", func(p *publisher) ops.Op {
		p.check(p.host.Exec(`DELETE FROM context_items WHERE conversation_id = ? AND ordinal = (SELECT max(ordinal) - 1 FROM context_items WHERE conversation_id = ?)`, p.conv, p.conv))
		p.was = p.reached() // The damage is behind the batch, and so is its repair.
		return &repair.Op{All: true}
	}, true},
	{"backfill", func(p *publisher) ops.Op {
		file := fakehost.Transcript{Path: filepath.Join(p.TempDir(), "session.jsonl")}
		p.check(p.host.Read([]any{&file.Header}, "SELECT session_id FROM conversations WHERE conversation_id = ?", p.conv))
		for i := range 31 {
			if i == 30 || i%2 == 0 {
				file.Entries = append(file.Entries, fakeMessage(i))
			}
		}
		for i := 31; i < 51; i++ { // One more than the host has stored.
			file.Entries = append(file.Entries, fakeMessage(i))
		}
		p.check(file.Save())
		return &backfill.Op{Path: file.Path, Keys: &backfill.Keys{}, Files: p.TempDir(), Threshold: 25_000, Whole: true}
	}, false},
}

// summary returns the first summary of the context that is at least so deep.
func (p *publisher) summary(depth int) (id string) {
	err := p.host.Read([]any{&id}, `SELECT coalesce((SELECT summary_id FROM context_items JOIN summaries s USING (summary_id)
		WHERE context_items.conversation_id = ? AND s.depth >= ? ORDER BY ordinal LIMIT 1), '')`, p.conv, depth)
	if p.check(err); id == "" {
		p.Skip("the context has no such summary")
	}
	return id
}

// TestAHostPublishesNothingThatWeChanged: the host has looked at its batch, our operation is
// written, and then the host's transaction runs: it fails, and every message can be reached
// that could be. So it is after an undo and a redo, since the batch stays stale.
func TestAHostPublishesNothingThatWeChanged(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, f := range preparedFiles() {
		for _, o := range publisherOps {
			t.Run(f.name+", "+o.name, func(t *testing.T) {
				t.Parallel()
				p := newPublisher(t, f)
				record, ok := p.write(f, o.op(p))
				if !ok {
					return
				}
				p.publishes("after our write", !o.stale)
				p.nothingLost("after our write and the publication", false)
				if !o.stale {
					return
				}
				plan, err := (&undo.Op{Record: record}).Plan(t.Context(), p.db, noReport)
				p.check(err)
				_, err = ops.Apply(t.Context(), p.db, plan)
				p.check(err)
				p.publishes("after the undo", false)
				p.nothingLost("after the undo", true)
				again, err := (&redo.Op{Record: record}).Plan(t.Context(), p.db, noReport)
				p.check(err)
				_, err = ops.Apply(t.Context(), p.db, again)
				p.check(err)
				p.publishes("after the redo", false)
				p.nothingLost("after the redo", false)
			})
		}
	}
}

func noReport(int, int, string) {}

// leave notes which messages a plan puts out of reach on purpose.
func (p *publisher) leave(plan ops.Plan) {
	p.left = map[int64]bool{}
	for _, id := range plan.Leaves {
		p.left[id] = true
	}
}

// write plans and writes an operation; not ok where the file has nothing for it to do, which
// only real files may have.
func (p *publisher) write(f preparedFile, op ops.Op) (record int64, ok bool) {
	p.Helper()
	plan, err := op.Plan(p.Context(), p.db, noReport)
	if err == nil && plan.Refused == nil && !plan.Empty() {
		record, err = ops.Apply(p.Context(), p.db, plan)
		p.check(err)
		p.leave(plan)
		return record, true
	}
	if strings.HasPrefix(f.name, "the fake host") {
		p.Fatalf("%s has nothing to do: %v, %v", op.Name(), err, plan.Refused)
	}
	p.Skipf("%s has nothing to do: %v, %v", op.Name(), err, plan.Refused)
	return 0, false
}

// TestAPublicationBetweenPlanAndWrite makes the plan stale, or is no hindrance: nothing is lost
// either way.
func TestAPublicationBetweenPlanAndWrite(t *testing.T) {
	t.Parallel()
	for _, f := range preparedFiles() {
		for _, o := range publisherOps {
			t.Run(f.name+", "+o.name, func(t *testing.T) {
				t.Parallel()
				p := newPublisher(t, f)
				plan, err := o.op(p).Plan(t.Context(), p.db, noReport)
				if err != nil || plan.Refused != nil || plan.Empty() {
					t.Skip(err)
				}
				p.publishes("before our write", true)
				p.nothingLost("after the publication", true)
				record, err := ops.Apply(t.Context(), p.db, plan)
				if err != nil && !refused(err) && !errors.Is(err, data.ErrConstraint) {
					t.Fatal(err)
				}
				p.leave(plan)
				p.nothingLost("after our write", false)
				if err != nil {
					return
				}
				if err := ops.Undo(t.Context(), p.db, record); err != nil && !refused(err) {
					t.Error(err)
				}
				p.nothingLost("after the undo", true)
			})
		}
	}
}
