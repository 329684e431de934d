package secrets_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/secrets"
)

// hosted returns a planted database that a host keeps.
func hosted(t *testing.T, p planted, ids bool) testdb.Hosted {
	t.Helper()
	return testdb.Host(t, plant(t, p), ids)
}

// session returns the planted session of a host.
func session(t *testing.T, h testdb.Hosted) *fakehost.Session {
	t.Helper()
	for i := range h.Sessions {
		if h.Sessions[i].Key == "agent:main:planted" {
			return &h.Sessions[i]
		}
	}
	t.Fatal("the planted session is missing")
	return nil
}

// TestHostStoresNothingAgain: the hashes stay by which the host knows its messages, while its
// session file has the old texts.
func TestHostStoresNothingAgain(t *testing.T) {
	t.Parallel()
	for _, ids := range testlength.Some([]bool{true, false}) {
		h := hosted(t, newPlanted(), ids)
		db := open(t, h.Path)
		_, err := apply(t, db, &secrets.Op{})
		check(t, errors.Join(err, db.Close()))
		s := session(t, h)
		host, err := fakehost.Start(h.Path, fakehost.Defaults())
		check(t, err)
		check(t, host.Restart())
		conv, added, err := host.OpenSession(*s)
		check(t, err)
		replayed, err := host.Replay(conv, s.Transcript.Entries)
		check(t, errors.Join(err, host.Close()))
		if added+replayed > 0 {
			t.Errorf("with ids %v: %d messages were stored again at the start, %d by a replay", ids, added, replayed)
		}
	}
}

// TestPlanWarnsOfAHistoryStoredAgain: the plan warns where a host stores the history a second time
// once texts are replaced, and only there.
func TestPlanWarnsOfAHistoryStoredAgain(t *testing.T) {
	t.Parallel()
	for _, hashless := range testlength.Some([]bool{false, true}) {
		h := hosted(t, newPlanted(), true)
		s := session(t, h)
		host, err := fakehost.Start(h.Path, fakehost.Defaults())
		check(t, err)
		conv, _, err := host.OpenSession(*s)
		check(t, err)
		if hashless {
			check(t, host.Exec("UPDATE messages SET identity_hash = NULL WHERE conversation_id = ? AND seq = 2", conv))
		}
		check(t, host.Close())
		db := open(t, h.Path)
		plan, err := (&secrets.Op{}).Plan(t.Context(), db, noReport)
		check(t, err)
		warned := strings.Contains(fmt.Sprint(plan.Warnings), fmt.Sprintf("history of conversation %d again, it stores all of it a second time", conv))
		_, err = ops.ApplyPlan(t.Context(), db, plan)
		check(t, errors.Join(err, db.Close()))
		host, err = fakehost.Start(h.Path, fakehost.Defaults())
		check(t, err)
		replayed, err := host.Replay(conv, s.Transcript.Entries)
		check(t, errors.Join(err, host.Close()))
		if warned != hashless || (replayed > 0) != hashless {
			t.Errorf("a message without a hash: %v; warned: %v; %d messages are stored again", hashless, warned, replayed)
		}
	}
}

// finish closes a database, does what needs that, and opens it again.
func finish(t *testing.T, db *data.DB, op *secrets.Op) *data.DB {
	t.Helper()
	check(t, db.Close())
	check(t, op.Finish(t.Context(), db.Path(), noReport))
	again := open(t, db.Path())
	check(t, op.Prove(t.Context(), again, noReport))
	return again
}

// TestTranscriptsAreReplaced: both sides have the same texts and hashes afterwards, and the host
// goes on as if the secrets had never been there; also where the rows were replaced by an earlier run.
func TestTranscriptsAreReplaced(t *testing.T) {
	t.Parallel()
	for _, c := range testlength.Some([]struct{ ids, earlier bool }{{true, false}, {false, false}, {true, true}, {false, true}}) {
		p := newPlanted()
		h := hosted(t, p, c.ids)
		file := session(t, h).Transcript.Path
		old, err := os.Stat(file)
		check(t, err)
		db := open(t, h.Path)
		if c.earlier {
			_, err := apply(t, db, &secrets.Op{})
			check(t, err)
		}
		op := &secrets.Op{Request: secrets.Request{Transcripts: []string{file}}, ProveLater: true}
		_, err = apply(t, db, op)
		check(t, err)
		if got := op.SessionFiles(); len(got) != 1 || got[0] != file {
			t.Fatalf("the session files are %q", got)
		}
		if err := op.Finish(t.Context(), h.Path, noReport); !errors.Is(err, data.ErrInUse) {
			t.Errorf("with the database open: %v", err)
		}
		check(t, finish(t, db, op).Close())
		if !op.Result.Gone() || op.Result.UncleanPages || len(op.Result.Files) != 1 {
			t.Errorf("the result is %+v", op.Result)
		}
		checkNowhere(t, filepath.Dir(h.Path), p.all()...)
		checkNowhere(t, filepath.Dir(file), p.all()...)
		now, err := os.Stat(file)
		check(t, err)
		if !now.ModTime().Equal(old.ModTime()) || now.Mode() != old.Mode() {
			t.Error("the session file has another time or other permissions")
		}

		// A host that never had the secrets is the measure.
		measure := testdb.Host(t, testdb.Copy(t, h.Path), c.ids)
		after := testdb.Hosted{Path: h.Path, Sessions: append([]fakehost.Session{}, measure.Sessions...)}
		for i := range after.Sessions {
			after.Sessions[i].Transcript.Path = h.Sessions[i].Transcript.Path
		}
		const position = `SELECT last_seen_size, last_processed_offset, last_processed_entry_hash FROM conversation_bootstrap_state b
			JOIN conversations c USING (conversation_id) WHERE session_key = 'agent:main:planted'`
		if got, want := testdb.Rows(t, h.Path, position), testdb.Rows(t, measure.Path, position); strings.Join(got, "") != strings.Join(want, "") {
			t.Errorf("the host has read %q, want %q", got, want)
		}
		testdb.SameForHost(t, measure, after)
	}
}

// TestTranscriptThatChangedSinceThePlanStays, and the file is rewritten all the same.
func TestTranscriptThatChangedSinceThePlanStays(t *testing.T) {
	t.Parallel()
	h := hosted(t, newPlanted(), true)
	file := session(t, h).Transcript.Path
	db := open(t, h.Path)
	op := &secrets.Op{Request: secrets.Request{Transcripts: []string{file}}, ProveLater: true}
	_, err := apply(t, db, op)
	check(t, errors.Join(err, db.Close()))
	text, err := os.ReadFile(file)
	check(t, err)
	text = append(text, "{}\n"...)
	check(t, os.WriteFile(file, text, 0o600))
	err = op.Finish(t.Context(), h.Path, noReport)
	var unfinished *change.UnfinishedError
	if !errors.Is(err, secrets.ErrTranscriptChanged) || !errors.As(err, &unfinished) || strings.Contains(unfinished.Hint(), "undo it") {
		t.Errorf("replacing says %v", err)
	}
	if now, err := os.ReadFile(file); err != nil || string(now) != string(text) {
		t.Errorf("the session file changed (%v)", err)
	}
	db = open(t, h.Path)
	check(t, op.Prove(t.Context(), db, noReport))
	if op.Result.UncleanPages || op.Result.Gone() {
		t.Errorf("the result is %+v", op.Result)
	}
}

// TestASessionFileWithTwoPathsIsOneFile: a conversation follows it through a link to the host's folder. It is rewritten once,
// and the conversation knows up to where it was read.
func TestASessionFileWithTwoPathsIsOneFile(t *testing.T) {
	t.Parallel()
	p := newPlanted()
	h := hosted(t, p, true)
	file := session(t, h).Transcript.Path
	link := filepath.Join(t.TempDir(), "host")
	check(t, os.Symlink(filepath.Dir(file), link))
	followed := filepath.Join(link, filepath.Base(file))
	execute(t, h.Path, "UPDATE conversation_bootstrap_state SET session_file_path = '"+followed+"' WHERE session_file_path = '"+file+"'")
	op := &secrets.Op{Request: secrets.Request{Transcripts: []string{file, followed}}, ProveLater: true}
	db := open(t, h.Path)
	_, err := apply(t, db, op)
	check(t, err)
	check(t, finish(t, db, op).Close())
	if len(op.SessionFiles()) != 1 || !op.Result.Gone() {
		t.Errorf("the session files are %q, the result is %+v", op.SessionFiles(), op.Result)
	}
	info, err := os.Stat(file)
	check(t, err)
	n, err := testdb.Count(h.Path, fmt.Sprintf("SELECT count(*) FROM conversation_bootstrap_state WHERE session_file_path = '%s' AND last_seen_size = %d AND last_processed_offset = %d", followed, info.Size(), info.Size()))
	if err != nil || n != 1 {
		t.Errorf("the conversation doesn't know the new size, %v", err)
	}
}
