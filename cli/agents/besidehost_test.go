//go:build unix

package agents_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	engine "lcm-tui/engine/compact"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
	"lcm-tui/ops/repair"
	"lcm-tui/work"
	"lcm-tui/work/pass"
)

// besideHost is a host that goes on with a conversation, and workers on the same file.
type besideHost struct {
	t      *testing.T
	r      *rand.Rand
	path   string
	host   *fakehost.Host
	db     *data.DB
	pass   *pass.Pass
	chosen *fakehost.Choice // What the host compacts; it hasn't written it yet.
	after  bool             // A worker wrote since the host chose.
	alone  bool             // The host isn't there.

	stored        int
	done, crossed int64
	story         []string
}

// levels are the generations of hosts that have the old sweep.
var levels = []fakehost.Level{fakehost.V0_12, fakehost.V0_15, fakehost.Head, fakehost.Beta}

func newBesideHost(t *testing.T, r *rand.Rand) *besideHost {
	t.Helper()
	b := &besideHost{t: t, r: r, path: filepath.Join(t.TempDir(), "lcm.db")}
	w, err := fakehost.Create(b.path, levels[r.IntN(len(levels))])
	testdb.Must(t, err)
	_, err = w.Conversation(fakehost.Conversation{SessionKey: "agent:main:main", Active: true})
	testdb.Must(t, err)
	testdb.Must(t, w.Close())
	c := fakehost.Defaults()
	c.FreshTailCount, c.LeafChunkTokens, c.LeafMinFanout, c.CondensedMinFanout, c.HardMinFanout, c.CondensedTarget = 3, 100, 2, 2, 2, 1
	b.host, err = fakehost.Start(b.path, c)
	testdb.Must(t, err)
	t.Cleanup(func() { _ = b.host.Close() })
	b.say(12)
	b.db = testdb.Open(t, b.path)
	b.pass = anyPass(t, b.db, b, b.r)
	return b
}

// anyPass returns passes of a worker that compacts conversation 1 each time, by settings that are other ones each time.
func anyPass(t *testing.T, db *data.DB, model summarize.Model, r *rand.Rand) *pass.Pass {
	t.Helper()
	notes, err := work.Open(t.Context(), t.TempDir())
	testdb.Must(t, err)
	t.Cleanup(func() { _ = notes.Close() })
	passes := 0
	return &pass.Pass{
		DB: db, Notes: notes, Report: func(int, int, string) {},
		Operation: func(_ context.Context, j work.Job) (ops.Op, error) {
			c := engine.Defaults()
			c.FreshTailCount, c.LeafChunkTokens, c.LeafMinFanout, c.CondensedMinFanout = 1+r.IntN(4), 60+int64(r.IntN(80)), 2, 2
			c.CondensedTargetTokens, c.SummaryPrefixTargetTokens, c.MaxSweepIterations = 10, 1, 1+r.IntN(3)
			return &compact.Op{Conversation: j.Conversation, Model: model, Generate: true, Request: engine.Request{Mode: engine.Sweep, Config: c, Force: true}}, nil
		},
		Candidates: func(context.Context) ([]work.Candidate, error) {
			passes++
			return []work.Candidate{{Conversation: 1, Reason: work.Threshold, Mark: fmt.Sprint(passes)}}, nil
		},
	}
}

func (*besideHost) Name() string { return "test/beside" }

// Summarize implements summarize.Model: meanwhile the host does something.
func (b *besideHost) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	if !b.alone {
		b.meanwhile()
	}
	return summarize.Reply{Text: "what was said, in brief", Model: b.Name()}, nil
}

func (b *besideHost) note(format string, args ...any) {
	b.story = append(b.story, fmt.Sprintf(format, args...))
}

// say lets the host store messages.
func (b *besideHost) say(n int) {
	for range n {
		b.stored++
		m := fakehost.Message{Role: []string{"user", "assistant"}[b.stored%2], Content: fmt.Sprintf("message %d %s", b.stored, strings.Repeat("of many words ", 5)), At: time.Now().UTC()}
		_, err := b.host.Append(1, m)
		testdb.Must(b.t, err)
	}
	b.note("the host says %d", n)
}

// meanwhile is something that a host does: it says more, chooses what it compacts, or writes what it chose.
func (b *besideHost) meanwhile() {
	switch {
	case b.r.IntN(3) == 0:
		b.say(1 + b.r.IntN(3))
	case b.chosen == nil:
		b.choose()
	case b.r.IntN(2) == 0:
		b.finish()
	}
}

func (b *besideHost) choose() {
	choose := b.host.ChooseLeaf
	if b.r.IntN(3) == 0 {
		choose = func(conv int64) (fakehost.Choice, bool, error) { return b.host.ChooseCondensed(conv, -1, true) }
	}
	c, ok, err := choose(1)
	testdb.Must(b.t, err)
	if ok {
		b.chosen, b.after = &c, false
		b.note("the host chooses %d to %d", c.First, c.Last)
	}
}

// finish lets the host write what it chose, whatever stands there now.
func (b *besideHost) finish() {
	if b.chosen == nil {
		return
	}
	if b.after {
		b.crossed++
	}
	_, err := b.host.Write(*b.chosen, "what the host made of it")
	b.note("the host writes %d to %d, after a worker: %v (%v)", b.chosen.First, b.chosen.Last, b.after, err)
	b.chosen = nil
}

// interleave is one pass of a worker with a host that does something before, during and after it.
func (b *besideHost) interleave() {
	b.t.Helper()
	for range b.r.IntN(3) {
		b.meanwhile()
	}
	if b.alone = b.chosen == nil && b.r.IntN(4) == 0; b.alone {
		testdb.WithoutHost(b.db)
	} else {
		testdb.BesideHost(b.db)
	}
	jobs, err := b.pass.Run(b.t.Context())
	testdb.Must(b.t, err)
	for _, j := range jobs {
		b.note("worker: %s %s%s", j.State, j.Result, j.Error)
		if j.State == work.Done {
			b.done, b.after = b.done+1, true
		}
	}
	for range b.r.IntN(3) {
		b.meanwhile()
	}
	if n, err := b.count(unreachableMessages); err != nil || n != 0 {
		b.t.Fatalf("%d messages can't be reached, %v\n%s", n, err, strings.Join(b.story, "\n"))
	}
}

// unreachableMessages counts the messages that no context leads to.
const unreachableMessages = `WITH RECURSIVE below(id) AS (SELECT summary_id FROM context_items WHERE summary_id IS NOT NULL
	UNION SELECT p.parent_summary_id FROM below JOIN summary_parents p ON p.summary_id = below.id)
	SELECT count(*) FROM messages WHERE message_id NOT IN (SELECT message_id FROM context_items WHERE message_id IS NOT NULL)
		AND message_id NOT IN (SELECT l.message_id FROM below JOIN summary_messages l ON l.summary_id = below.id)`

// count returns the one number that a query gives.
func (b *besideHost) count(query string) (int, error) {
	var n data.Integer
	_, err := data.One(b.t.Context(), b.db, "count", query, nil, &n)
	return int(n), err
}

// doubled are the faults of messages and summaries that stand in a context, or below summaries, twice: that is what comes
// of a host's write after another one. Nothing is missing then, and a repair takes it out of the context.
var doubled = []integrity.FaultID{
	integrity.CoveredMessageInContext, integrity.CoveredSummaryInContext, integrity.SummaryDoubled, integrity.MessageInSeveralLeaves, integrity.SummaryInSeveralSummaries,
}

// end looks for broken lineage, also after the repair of what is doubled.
func (b *besideHost) end() {
	b.t.Helper()
	b.finish()
	b.whole(doubled...)
	p, err := (&repair.Op{All: true, Faults: doubled[:3]}).Plan(b.t.Context(), b.db, b.pass.Report)
	if errors.Is(err, ops.ErrNothing) {
		return
	}
	testdb.Must(b.t, err)
	_, err = ops.Apply(b.t.Context(), b.db, p)
	testdb.Must(b.t, err)
	b.whole(append(slices.Clone(doubled[3:]), integrity.SummaryUnreferenced)...) // What was taken out stays in the file.
}

// whole works as wholeLineage.
func (b *besideHost) whole(allowed ...integrity.FaultID) {
	b.t.Helper()
	wholeLineage(b.t, b.db, b.stored, b.story, allowed...)
}

// wholeLineage fails where one of so many messages is missing, or a check finds a broken link or an error but those that are
// allowed. The story says what was done before.
func wholeLineage(t *testing.T, db *data.DB, stored int, story []string, allowed ...integrity.FaultID) {
	t.Helper()
	for query, want := range map[string]int{unreachableMessages: 0, "SELECT count(*) FROM messages": stored} {
		var n data.Integer
		if _, err := data.One(t.Context(), db, "count", query, nil, &n); err != nil || int(n) != want {
			t.Errorf("%d, not %d, %v: %s\n%s", n, want, err, query, strings.Join(story, "\n"))
		}
	}
	d, err := integrity.Check(t.Context(), db, integrity.Request{}, nil)
	testdb.Must(t, err)
	for _, f := range d.Findings {
		bad := f.Severity == integrity.Fatal || f.Severity == integrity.Error || f.Fault.Area() == integrity.LinkArea
		if bad && !slices.Contains(allowed, f.Fault) {
			t.Errorf("%s %s: %s\n%s", f.Fault, f.Severity, f.Detail, strings.Join(story, "\n"))
		}
	}
}
