package home_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"lcm-tui/data"
	engine "lcm-tui/engine/compact"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testhome"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
	"lcm-tui/work"
	"lcm-tui/work/pass"
)

// compaction returns the compaction of the oldest messages of a conversation.
func compaction(conversation int64) *compact.Op {
	c := engine.Defaults()
	c.FreshTailCount, c.LeafChunkTokens, c.LeafMinFanout, c.CondensedMinFanout = 2, 30, 2, 3
	return &compact.Op{Conversation: conversation, Model: played{}, Generate: true, Request: engine.Request{Mode: engine.Sweep, Config: c, Force: true}}
}

// TestAWorkerTries: it learns at once that another program changes a conversation, writes to others meanwhile, and the job waits for
// seconds only.
func TestAWorkerTries(t *testing.T) {
	t.Parallel()
	address := testhome.New(t)
	holder, db := testhome.Open(t, address), testhome.Open(t, address)
	begun(t, holder, 2)
	for n := range 12 {
		if err := appendAtEnd(t.Context(), holder, int64(n%2+1), "a message of some words that can be compacted"); err != nil {
			t.Fatal(err)
		}
	}
	notes, err := work.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer notes.Close()
	db.Wait = 0
	worker := &pass.Pass{DB: db, Notes: notes, Report: noReport, Operation: func(_ context.Context, j work.Job) (ops.Op, error) { return compaction(j.Conversation), nil }}
	run := func(conversations ...int64) (done []work.Job) {
		for _, id := range conversations {
			if err := notes.Request(t.Context(), work.Compaction, id, work.Manual); err != nil {
				t.Fatal(err)
			}
		}
		done, err := worker.Run(ops.WithLocks(t.Context(), work.Locks{State: t.TempDir()}))
		if err != nil {
			t.Error(err)
		}
		return done
	}
	err = holder.Transact(t.Context(), data.Transaction{Verb: "hold", Conversations: []int64{1}}, func(*data.Tx) error {
		began := time.Now()
		if err := appendAtEnd(t.Context(), db, 1, "refused"); !errors.Is(err, data.ErrLocked) {
			t.Errorf("the same conversation: %v", err)
		}
		took := time.Since(began) // Some milliseconds on a machine that isn't busy.
		t.Logf("it failed after %v", took)
		if took > 5*time.Second {
			t.Error("it waited")
		}
		if done := run(1, 2); len(done) != 2 || done[0].State != work.Queued || done[1].State != work.Done {
			t.Errorf("while it is held: %+v", done)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	waiting, err := notes.Waiting(t.Context())
	if err != nil || len(waiting) != 1 || waiting[0].Conversation != 1 || waiting[0].NotBefore > data.FormatTimeMillis(time.Now().Add(5*time.Second)) {
		t.Errorf("%+v, %v", waiting, err)
	}
	if done := run(1); len(done) != 1 || done[0].State != work.Done {
		t.Errorf("once it is free: %+v", done)
	}
}

// countedModel counts how often it is asked.
type countedModel struct {
	played
	asked *int
}

func (m countedModel) Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	*m.asked++
	return m.played.Summarize(ctx, r)
}

// TestNoModelIsAskedWhereTheServerTakesNoWrites, as at a standby: the first job ends the pass, and no job is given up.
func TestNoModelIsAskedWhereTheServerTakesNoWrites(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	address := testhome.New(t)
	holder := testhome.Open(t, address)
	begun(t, holder, 2)
	for n := range 12 {
		testdb.Must(t, appendAtEnd(t.Context(), holder, int64(n%2+1), "a message of some words that can be compacted"))
	}
	if err := connect(t, address).Script(t.Context(), `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`); err != nil {
		t.Fatal(err)
	}
	notes, err := work.Open(t.Context(), t.TempDir())
	testdb.Must(t, err)
	defer notes.Close()
	asked := 0
	worker := &pass.Pass{DB: testhome.Open(t, address), Notes: notes, Report: noReport, Operation: func(_ context.Context, j work.Job) (ops.Op, error) {
		c := compaction(j.Conversation)
		c.Model = countedModel{asked: &asked}
		return c, nil
	}}
	for id := range int64(2) {
		testdb.Must(t, notes.Request(t.Context(), work.Compaction, id+1, work.Manual))
	}
	done, err := worker.Run(ops.WithLocks(t.Context(), work.Locks{State: t.TempDir()}))
	if !errors.Is(err, data.ErrServer) || len(done) != 1 || done[0].State != work.Queued {
		t.Errorf("%+v, %v", done, err)
	}
	if waiting, err := notes.Waiting(t.Context()); err != nil || len(waiting) != 2 || asked > 0 {
		t.Errorf("%+v, %v, and the model was asked %d times", waiting, err, asked)
	}
}
