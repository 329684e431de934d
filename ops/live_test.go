package ops_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"lcm-tui/data/change"
	engine "lcm-tui/engine/compact"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/engine/token"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/backfill"
	"lcm-tui/ops/compact"
	"lcm-tui/ops/dissolve"
	"lcm-tui/ops/redo"
	"lcm-tui/ops/repair"
	"lcm-tui/ops/rewrite"
	"lcm-tui/ops/transplant"
)

// sequences are played on each database, one after the other.
const sequences = 10

// worlds returns how many databases are played on.
func worlds() int {
	if testlength.Short() {
		return 3
	}
	return 100
}

// enough is how many databases it takes until every operation was refused, written and
// undone.
const enough = 100

// tally counts what became of our writes.
type tally struct {
	mu      sync.Mutex
	counts  map[string]map[string]int // By what became of it, then by operation.
	crosses int                       // Compactions of the host that ended after a write of ours.
}

func (c *tally) count(what, op string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts[what] == nil {
		c.counts[what] = map[string]int{}
	}
	c.counts[what][op]++
}

// What becomes of an operation.
const (
	planned = "planned" // Or refused when it was planned.
	written = "written"
	undone  = "undone"
	redone  = "redone"
)

// TestBesideALiveHost: whatever the host does while our program plans, writes and undoes,
// no message is lost or doubled, and a check finds nothing new.
func TestBesideALiveHost(t *testing.T) { //nolint:tparallel // What is within ends first.
	t.Parallel()
	c := tally{counts: map[string]map[string]int{}}
	t.Run("worlds", func(t *testing.T) {
		for seed := range uint64(worlds()) {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				live(t, seed, &c)
			})
		}
	})
	t.Logf("%v; %d compactions of the host ended after a write of ours", c.counts, c.crosses)
	if c.crosses < worlds()/2 {
		t.Errorf("only %d compactions of the host ended after a write of ours", c.crosses)
	}
	if worlds() < enough {
		return
	}
	for _, op := range []string{"backfill", "compact", "dissolve", "repair", "rewrite", "transplant"} {
		if p, w, u := c.counts[planned][op], c.counts[written][op], c.counts[undone][op]; w < p/10 || w == 0 || u == 0 {
			t.Errorf("%s: of %d plans only %d were written, and %d undone", op, p, w, u)
		}
		if r := c.counts[redone][op]; (r == 0) != (op == "backfill") {
			t.Errorf("%s: %d were redone; only what keeps its rows in the record can be", op, r)
		}
	}
}

// live lets a host and our program work on one database.
func live(t *testing.T, seed uint64, c *tally) {
	t.Helper()
	w := newWorld(t, rand.New(rand.NewPCG(seed, 11))) //nolint:gosec // The same every time.
	for n := range sequences {
		w.sequence(c)
		if what := w.held(); what != "" {
			t.Fatalf("seed %d, sequence %d: %s\n%s", seed, n, what, w.story())
		}
	}
	if found := w.newFindings(); len(found) > 0 {
		t.Errorf("seed %d: %s\n%s", seed, strings.Join(found, "\n"), w.story())
	}
	w.takeDoublesOut()
	c.mu.Lock()
	c.crosses += w.crosses
	c.mu.Unlock()
}

// takeDoublesOut repairs what the host doubled: afterwards no message is lost, and no summary
// of the host stands beside its own messages.
func (w *world) takeDoublesOut() {
	w.Helper()
	w.finish()
	p, err := (&repair.Op{All: true, Faults: []integrity.FaultID{integrity.SummaryDoubled}}).Plan(w.Context(), w.db, func(int, int, string) {})
	if errors.Is(err, ops.ErrNothing) {
		return
	}
	if err == nil {
		_, err = ops.Apply(w.Context(), w.db, p)
	}
	w.check(err)
	if what := w.held(); what != "" {
		w.Errorf("after the repair %s\n%s", what, w.story())
	}
	if found := w.findings(); found["C12"] != "" {
		w.Errorf("after the repair %s\n%s", found["C12"], w.story())
	}
}

// sequence is one operation of ours from its plan to its undo, with a host that does
// something at every moment in between.
func (w *world) sequence(c *tally) {
	defer w.store()
	w.away = w.r.IntN(4) == 0
	w.meanwhile(true)
	op := w.operation()
	p, err := op.Plan(w.Context(), w.db, func(int, int, string) {})
	if err != nil {
		w.step("%s: no plan: %v", op.Name(), err)
		if refused(err) {
			c.count(planned, op.Name())
		}
		return
	}
	c.count(planned, op.Name())
	w.meanwhile(false)
	before, reached := w.messages(), w.reached(1)
	gaps := w.gaps
	id, err := ops.Apply(w.Context(), w.db, p)
	if err != nil {
		w.step("%s is refused: %v", p.Title, err)
		if !refused(err) {
			w.Errorf("%s: %v", p.Title, err)
		}
		return
	}
	w.gaps = w.gaps && !slices.ContainsFunc(p.Changes, func(c change.Change) bool { return c.Table == "context_items" })
	w.wrote(p.Title, before)
	gained := w.reached(1) // By ours.
	maps.DeleteFunc(gained, func(id int64, _ bool) bool { return reached[id] })
	c.count(written, op.Name())
	if op.Name() == "dissolve" { // The summary stays, and nothing leads to it.
		w.known["L09"], w.known["L11"] = true, true
	}
	w.meanwhile(w.r.IntN(2) == 0)
	if w.r.IntN(2) == 0 {
		return
	}
	if err := ops.Undo(w.Context(), w.db, id); err != nil {
		w.step("undo is refused: %v", err)
		if !refused(err) {
			w.Errorf("undo of %s: %v", p.Title, err)
		}
		return
	}
	for id := range gained { // What it brought into the context may go with it.
		delete(w.must, id)
	}
	w.gaps = w.gaps || gaps
	w.store()
	w.wrote("undo of "+p.Title, before)
	c.count(undone, op.Name())
	w.meanwhile(true)
	w.redo(c, op.Name(), id)
}

// redo makes the changes of an undone record again, with a host that does something
// before they are written.
func (w *world) redo(c *tally, name string, record int64) {
	p, err := (&redo.Op{Record: record}).Plan(w.Context(), w.db, func(int, int, string) {})
	if err == nil {
		w.meanwhile(false)
		before := w.messages()
		if _, err = ops.Apply(w.Context(), w.db, p); err == nil {
			w.wrote(p.Title, before)
			c.count(redone, name)
			w.meanwhile(true)
			return
		}
	}
	w.step("redo is refused: %v", err)
	if !refused(err) && !errors.Is(err, change.ErrNeverRedone) && !errors.Is(err, ops.ErrNothing) {
		w.Errorf("redo of record %d: %v", record, err)
	}
}

// story returns what happened last.
func (w *world) story() string { return strings.Join(w.steps[max(0, len(w.steps)-60):], "\n") }

func (w *world) step(format string, args ...any) {
	w.steps = append(w.steps, fmt.Sprintf(format, args...))
}

// wrote takes down a write of ours.
func (w *world) wrote(what string, before map[int64]bool) {
	w.step("ours: %s", what)
	for id := range w.messages() {
		w.loose[id] = w.loose[id] || !before[id]
	}
	w.crossed = w.busy()
	w.note()
}

// meanwhile lets the host do something. It ends what it is compacting if it must, or by
// chance.
func (w *world) meanwhile(end bool) {
	if end || w.r.IntN(3) == 0 {
		w.finish()
	}
	for range w.r.IntN(3) {
		switch n := w.r.IntN(12); {
		case n < 5:
			w.step("host: a turn")
			w.turn(1)
		case n < 10:
			w.choose(1)
		case n == 10:
			w.check(w.host.Restart())
			w.store() // It looks into the session file first.
			added, err := w.host.Replay(1, w.history)
			w.check(err)
			w.step("host: a replay brings %d", added)
		case !w.busy() && w.r.IntN(4) == 0:
			w.step("host: /new")
			w.check(w.host.New(1))
			clear(w.must)
			w.gaps = true                                                // Its items keep their ordinals.
			for _, fault := range []string{"C09", "C10", "C11", "L08"} { // Nothing notes when it was.
				w.known[fault] = true
			}
		}
		w.note()
	}
}

// operation returns one of ours, on conversation 1.
func (w *world) operation() ops.Op {
	job := summarize.Job{Estimator: token.Weighted}
	making := regenerate.Options{Model: model{}, Ask: true, Job: job, LeafTarget: 50, CondensedTarget: 50}
	switch w.r.IntN(8) {
	case 0:
		return &dissolve.Op{Conversation: 1, Summary: w.summary("AND depth > 0 AND summary_id IN (SELECT summary_id FROM context_items)"), Purge: w.r.IntN(3) == 0}
	case 1:
		return &rewrite.Op{Conversation: 1, Pick: rewrite.Pick{Summary: w.summary(""), Ancestors: w.r.IntN(2) == 0}, Options: making}
	case 2:
		id := w.summary("")
		return &rewrite.Op{
			Conversation: 1, Pick: rewrite.Pick{Summary: id}, Texts: map[string]string{id: fmt.Sprintf("by hand %d", w.r.IntN(1000))},
			Options: regenerate.Options{Job: job},
		}
	case 3:
		return &transplant.Op{Source: 2, Target: 1, Messages: w.r.IntN(2) == 0}
	case 4:
		w.damage()
		return &repair.Op{All: true, Regenerate: making}
	case 5:
		return w.transcript()
	}
	c := engine.Defaults()
	c.FreshTailCount, c.LeafChunkTokens, c.LeafMinFanout, c.CondensedMinFanout = 2+w.r.IntN(4), int64(40+w.r.IntN(80)), 2, 2
	c.CondensedTargetTokens, c.SummaryPrefixTargetTokens = 4, 1
	mode := []engine.Mode{engine.Sweep, engine.Leaf}[w.r.IntN(2)]
	return &compact.Op{Conversation: 1, Model: model{}, Generate: true, Request: engine.Request{Mode: mode, Config: c, Force: true, Job: job}}
}

// transcript imports what the host has said in conversation 1, and a message that it
// hasn't stored yet.
func (w *world) transcript() ops.Op {
	file := fakehost.Transcript{Path: filepath.Join(w.TempDir(), "session.jsonl")}
	w.check(w.host.Read([]any{&file.Header}, "SELECT session_id FROM conversations WHERE conversation_id = 1"))
	m := w.message(1)
	w.missed, w.history = append(w.missed, m), append(w.history, m)
	file.Entries = w.history
	w.check(file.Save())
	return &backfill.Op{Path: file.Path, Keys: &backfill.Keys{}, Files: w.TempDir(), Threshold: 25_000, Whole: true}
}

// summary returns one of conversation 1 at random, or a name that none has.
func (w *world) summary(where string) string {
	var ids []string
	w.check(w.host.Each("SELECT summary_id FROM summaries WHERE conversation_id = 1 "+where+" ORDER BY rowid", nil, func(scan func(...any) error) error {
		var id string
		err := scan(&id)
		ids = append(ids, id)
		return err
	}))
	if len(ids) == 0 {
		return "sum_none"
	}
	return ids[w.r.IntN(len(ids))]
}

// damages are ways to damage a conversation, and what a check finds then.
var damages = []struct{ sql, faults string }{
	{"UPDATE messages SET token_count = -1 WHERE seq % 5 = 0", "M13 L13 L14 Q03"},
	{"UPDATE summaries SET descendant_count = 77 WHERE depth > 0", "L13"},
	{"UPDATE summaries SET token_count = token_count + 40", "Q10 Q03 L13 Q04"},
	{"DELETE FROM messages_fts WHERE rowid % 3 = 0", "X01"},
	{"DELETE FROM context_items WHERE message_id = (SELECT min(message_id) FROM context_items WHERE conversation_id = 1)", "C09 C11"},
}

// damage makes some of the faults that a repair repairs.
func (w *world) damage() {
	d := damages[w.r.IntN(len(damages))]
	w.step("damage: %s", d.sql)
	w.check(w.host.Exec(d.sql))
	w.must, w.gaps = w.reached(1), true
	for fault := range strings.FieldsSeq(d.faults) {
		w.known[fault] = true
	}
}
