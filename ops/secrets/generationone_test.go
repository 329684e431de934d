package secrets_test

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/sessiontexts"
	"lcm-tui/engine/identity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/secrets"
)

// sessionTwo is the session of conversation 2 of the reference.
const sessionTwo = "77777777-0000-4000-8000-000000000002"

// reference is a file that a host of 1.0 wrote, with its state folder, both copies.
type reference struct{ path, state, agent string }

func newReference(t *testing.T) *reference {
	t.Helper()
	r := &reference{path: testdb.Fixture(t, "v1.0/rich.db"), state: t.TempDir()}
	check(t, os.CopyFS(r.state, os.DirFS(filepath.Join(testdb.Fixtures(t), "v1.0/state-rich"))))
	check(t, filepath.WalkDir(r.state, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return os.Chmod(path, 0o600)
	}))
	r.agent = filepath.Join(r.state, "agents", "main", "agent", "openclaw-agent.sqlite")
	return r
}

// say has messages of conversation 2 say a value at their end, in their rows and in the host's session.
func (r *reference) say(t *testing.T, value string, messages ...int64) {
	t.Helper()
	h, err := fakehost.Start(r.path, fakehost.Defaults())
	check(t, err)
	entries := make([]string, len(messages))
	for i, message := range messages {
		entries[i] = r.one(t, fmt.Sprintf("SELECT transcript_entry_id FROM messages WHERE message_id = %d", message))
		check(t, h.Exec("UPDATE messages SET content = content || ?, identity_hash = NULL WHERE message_id = ?", value, message))
		check(t, h.Exec("UPDATE message_parts SET text_content = text_content || ? WHERE message_id = ? AND part_type = 'text'", value, message))
	}
	check(t, h.Restart())
	check(t, h.Exec("VACUUM")) // What these changes leave in free space is none of what is tested.
	check(t, h.Close())
	type event struct{ at, text string }
	events := make([]event, len(messages))
	check(t, sessiontexts.Visit(t.Context(), r.agent, func(p sessiontexts.Place, text string) error {
		for i, entry := range entries {
			if p.Table == "transcript_events" && strings.Contains(text, `"id":"`+entry+`"`) {
				events[i] = event{p.Key, text}
			}
		}
		return nil
	}))
	testdb.ExecAgent(t, r.agent, func(exec func(query string, args ...any)) {
		for i, e := range events {
			session, seq, _ := strings.Cut(e.at, " ")
			changed := saying(t, e.text, value)
			if testdb.Rows(t, r.agent, "SELECT event_zstd IS NULL FROM transcript_events WHERE session_id = '"+session+"' AND seq = "+seq)[0] == "1" {
				exec("UPDATE transcript_events SET event_json = ?, event_utf8_bytes = ? WHERE session_id = ? AND seq = ?", changed, len(changed), session, seq)
			} else {
				exec("UPDATE transcript_events SET event_zstd = ?, event_utf8_bytes = ? WHERE session_id = ? AND seq = ?", testdb.Pack(changed), len(changed), session, seq)
			}
			exec("UPDATE session_transcript_fts SET text = text || ? WHERE message_id = ?", value, entries[i])
		}
	})
}

// saying returns an event whose message says a value at its end.
func saying(t *testing.T, event, value string) string {
	t.Helper()
	var e map[string]any
	check(t, json.Unmarshal([]byte(event), &e))
	message, _ := e["message"].(map[string]any)
	switch content := message["content"].(type) {
	case string:
		message["content"] = content + value
	case []any:
		for i := range content {
			if block, _ := content[i].(map[string]any); block["type"] == "text" {
				block["text"] = fmt.Sprint(block["text"], value)
			}
		}
	}
	b, err := json.Marshal(e)
	check(t, err)
	return string(b)
}

// one returns the answer of a query with one value.
func (r *reference) one(t *testing.T, query string) string {
	t.Helper()
	return testdb.Rows(t, r.path, query)[0]
}

// sweep plans and applies the replacement of everything sure.
func (r *reference) sweep(t *testing.T, op *secrets.Op) (*data.DB, ops.Plan) {
	t.Helper()
	op.StateFolder = r.state
	db := open(t, r.path)
	p, err := op.Plan(t.Context(), db, noReport)
	check(t, err)
	_, err = ops.ApplyPlan(t.Context(), db, p)
	check(t, err)
	return db, p
}

// anchorsOf returns what a message has of its transcript entry.
func (r *reference) anchorOf(t *testing.T, message int64) string {
	t.Helper()
	return r.one(t, fmt.Sprintf(`SELECT (transcript_entry_id IS NOT NULL) || (SELECT count(*) FROM message_transcript_anchor_trust t WHERE t.message_id = m.message_id)
		FROM messages m WHERE message_id = %d`, message))
}

// TestBatchesAreGivenUp: those that are prepared from what changes, and no others. What stands in nodes is replaced, in
// stale ones too.
func TestBatchesAreGivenUp(t *testing.T) {
	t.Parallel()
	p := newPlanted()
	for name, c := range testlength.SomeOf(map[string]struct {
		edit  string
		stale []string // Conversations.
	}{
		"a message of the range":      {"UPDATE messages SET content = content || ? WHERE message_id = 531", []string{"2"}},
		"a part of one":               {"UPDATE message_parts SET text_content = text_content || ? WHERE message_id = 531 AND part_type = 'text'", []string{"2"}},
		"a message behind the range":  {"UPDATE messages SET content = content || ? WHERE message_id = 606", nil},
		"a ready node":                {"UPDATE pending_summary_nodes SET content = content || ? WHERE node_id = (SELECT min(node_id) FROM pending_summary_nodes WHERE conversation_id = 14 AND status = 'ready')", []string{"14"}},
		"a stale node":                {"UPDATE pending_summary_nodes SET content = coalesce(content, '') || ? WHERE node_id = (SELECT min(node_id) FROM pending_summary_nodes WHERE status = 'stale')", nil},
		"a summary of the context":    {"UPDATE summaries SET content = content || ? WHERE summary_id = (SELECT summary_id FROM context_items WHERE conversation_id = 1 AND summary_id IS NOT NULL ORDER BY ordinal LIMIT 1)", []string{"1"}},
		"a summary below":             {"UPDATE summaries SET content = content || ? WHERE summary_id = (SELECT parent_summary_id FROM summary_parents p JOIN summaries s USING (summary_id) WHERE s.conversation_id = 1 AND parent_summary_id NOT IN (SELECT coalesce(child_summary_id, '') FROM pending_summary_node_children) LIMIT 1)", nil},
		"an error of a node":          {"UPDATE pending_summary_nodes SET failure_summary = ? WHERE node_id = (SELECT min(node_id) FROM pending_summary_nodes WHERE conversation_id = 12)", nil},
		"an error of a batch":         {"UPDATE pending_compaction_batches SET failure_summary = ? WHERE batch_id = (SELECT min(batch_id) FROM pending_compaction_batches WHERE status = 'stale')", nil},
		"a session of a batch":        {"UPDATE pending_compaction_batches SET session_target_json = json_object('a', ?) WHERE conversation_id = 9 AND status = 'planning'", nil},
		"what an epoch notes":         {"UPDATE conversation_transcript_epochs SET metadata_json = json_object('a', ?) WHERE conversation_id = (SELECT min(conversation_id) FROM conversation_transcript_epochs)", nil},
		"why an anchor is distrusted": {"UPDATE message_transcript_anchor_trust SET reason = ? WHERE message_id = (SELECT min(message_id) FROM message_transcript_anchor_trust)", nil},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newReference(t)
			h, err := fakehost.Start(r.path, fakehost.Defaults())
			check(t, err)
			check(t, h.Exec(c.edit, " "+p.github))
			check(t, h.Close())
			active := "SELECT conversation_id FROM pending_compaction_batches WHERE status IN ('planning', 'ready', 'publishing') ORDER BY 1"
			before := testdb.Rows(t, r.path, active)
			finished := "SELECT batch_id, status FROM pending_compaction_batches WHERE status IN ('stale', 'published') AND batch_id NOT IN (" + strings.Join(quoted(testdb.Rows(t, r.path, "SELECT batch_id FROM pending_compaction_batches WHERE status = 'planning'")), ", ") + ") ORDER BY 1"
			settled := testdb.Rows(t, r.path, finished)
			_, _ = r.sweep(t, &secrets.Op{})
			checkNowhere(t, filepath.Dir(r.path), p.github)
			want := slices.DeleteFunc(slices.Clone(before), func(conv string) bool { return slices.Contains(c.stale, conv) })
			if is := testdb.Rows(t, r.path, active); !slices.Equal(is, want) {
				t.Errorf("active are batches of %q, want %q", is, want)
			}
			if is := testdb.Rows(t, r.path, finished); !slices.Equal(is, settled) {
				t.Errorf("finished batches changed: %q, were %q", is, settled)
			}
			for _, conv := range c.stale {
				open := fmt.Sprintf("SELECT count(*) FROM pending_summary_nodes WHERE conversation_id = %s AND (status IN ('planned', 'running', 'ready', 'failed') OR lease_owner IS NOT NULL OR lease_expires_at IS NOT NULL)", conv)
				if n := r.one(t, open); n != "0" {
					t.Errorf("%s nodes of conversation %s are open", n, conv)
				}
				late := fmt.Sprintf("SELECT count(*) FROM pending_compaction_batches b JOIN pending_summary_nodes n USING (batch_id) WHERE b.conversation_id = %s AND b.updated_at > '2026-11' AND n.status = 'stale' AND n.updated_at < '2026-11'", conv)
				if n := r.one(t, late); n != "0" {
					t.Errorf("%s nodes of conversation %s were given up without a time", n, conv)
				}
			}
		})
	}
}

func quoted(names []string) (out []string) {
	for _, n := range names {
		out = append(out, "'"+n+"'")
	}
	return out
}

// TestReadersSeeTextsAndBatchesTogether: another connection sees both as they were, or both as they are.
func TestReadersSeeTextsAndBatchesTogether(t *testing.T) {
	t.Parallel()
	p, r := newPlanted(), newReference(t)
	r.say(t, " "+p.github, 531)
	const query = "SELECT (SELECT content LIKE '%REDACTED%' FROM messages WHERE message_id = 531) || ' ' || (SELECT status FROM pending_compaction_batches WHERE conversation_id = 2)"
	db := open(t, r.path)
	op := &secrets.Op{StateFolder: r.state}
	plan, err := op.Plan(t.Context(), db, noReport)
	check(t, err)
	seen := map[string]bool{}
	db.Step = func(step string) { seen[step+" "+r.one(t, query)] = true }
	_, err = ops.ApplyPlan(t.Context(), db, plan)
	check(t, err)
	for is := range seen {
		if !strings.HasSuffix(is, " 0 planning") && !strings.HasSuffix(is, " 1 stale") {
			t.Errorf("seen at %s", is)
		}
	}
	if !seen["made 0 planning"] || !seen["committed 1 stale"] {
		t.Errorf("seen are %v", seen)
	}
}

// TestRowsWithoutTheirSession: a message whose text was replaced keeps its hash, and no longer names its entry. A host
// stores nothing again.
func TestRowsWithoutTheirSession(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	p, r := newPlanted(), newReference(t)
	r.say(t, " "+p.github, 531, 598, 597)
	before := testdb.Copy(t, r.path)
	hashes := r.one(t, "SELECT group_concat(identity_hash) FROM messages WHERE message_id IN (531, 598, 597)")
	keys := r.one(t, "SELECT group_concat(coalesce(stable_event_key, '-')) FROM messages WHERE conversation_id = 2")
	db, _ := r.sweep(t, &secrets.Op{})
	check(t, db.Close())
	for _, message := range []int64{531, 598, 597} {
		if is := r.anchorOf(t, message); is != "00" {
			t.Errorf("message %d has entry and trust %s", message, is)
		}
	}
	if r.one(t, "SELECT group_concat(identity_hash) FROM messages WHERE message_id IN (531, 598, 597)") != hashes {
		t.Error("a hash changed")
	}
	if r.one(t, "SELECT group_concat(coalesce(stable_event_key, '-')) FROM messages WHERE conversation_id = 2") != keys {
		t.Error("an event key changed")
	}
	checkNowhere(t, filepath.Dir(r.path), p.github)
	visible := testdb.Visible(t, r.state)
	for _, d := range testdb.AnchoredDifferences(t, before, r.path, visible) {
		t.Error(d)
	}
}

// TestNewestMessageKeepsItsSecret: the host would store it again in clear, so it is listed and stays whole, while the
// other places are swept.
func TestNewestMessageKeepsItsSecret(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	p, r := newPlanted(), newReference(t)
	const newest = "(SELECT max(message_id) FROM messages WHERE conversation_id = 2 AND role = 'user')"
	h, err := fakehost.Start(r.path, fakehost.Defaults())
	check(t, err)
	check(t, h.Exec("DELETE FROM message_transcript_anchor_trust WHERE message_id >= "+newest)) // The host has yet to look at these.
	check(t, h.Exec("UPDATE messages SET transcript_entry_id = NULL WHERE conversation_id = 2 AND message_id >= "+newest))
	check(t, h.Close())
	state := r.one(t, "SELECT "+newest)
	for _, edit := range []string{
		"UPDATE messages SET content = content || ? WHERE message_id = " + state,
		"UPDATE message_parts SET text_content = text_content || ? WHERE message_id = " + state + " AND part_type = 'text'",
		"UPDATE messages SET content = content || ? WHERE message_id = 531",
		"UPDATE summaries SET content = content || ? WHERE summary_id = (SELECT min(summary_id) FROM summaries WHERE conversation_id = 3)",
	} {
		h, err := fakehost.Start(r.path, fakehost.Defaults())
		check(t, err)
		check(t, h.Exec(edit, " "+p.github))
		check(t, h.Close())
	}
	before := testdb.Copy(t, r.path)
	op := &secrets.Op{}
	_, plan := r.sweep(t, op)
	if w := strings.Join(plan.Warnings, "\n"); !strings.Contains(w, "keeps github-token#1: the host would store it again") || strings.Contains(w, p.github) {
		t.Errorf("the warnings are %q", w)
	}
	check(t, op.Prove(t.Context(), open(t, r.path), noReport))
	if op.Result.Gone() {
		t.Error("it is changed to be gone")
	}
	if n := r.one(t, "SELECT (SELECT count(*) FROM messages WHERE content LIKE '%"+p.github+"%') || (SELECT count(*) FROM message_parts WHERE text_content LIKE '%"+p.github+"%') || (SELECT count(*) FROM summaries WHERE content LIKE '%"+p.github+"%')"); n != "110" {
		t.Errorf("messages, parts and summaries with it: %s", n)
	}
	visible := testdb.Visible(t, r.state)
	for _, d := range testdb.AnchoredDifferences(t, before, r.path, visible) {
		t.Error(d)
	}
}

// TestOnlySecretOfTheNewestMessage: where nothing else has it, nothing is planned, with the next step.
func TestOnlySecretOfTheNewestMessage(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	p, r := newPlanted(), newReference(t)
	h, err := fakehost.Start(r.path, fakehost.Defaults())
	check(t, err)
	check(t, h.Exec("UPDATE messages SET content = ? WHERE message_id = (SELECT max(message_id) FROM messages WHERE conversation_id = 9)", "it is "+p.github))
	check(t, h.Close())
	_, err = (&secrets.Op{StateFolder: r.state}).Plan(t.Context(), open(t, r.path), noReport)
	var kept *secrets.KeptError
	if !errors.As(err, &kept) || !kept.StoredAgain || !strings.Contains(kept.Hint(), "--transcripts") {
		t.Errorf("%v", err)
	}
	testdb.ExecAgent(t, filepath.Join(r.state, "agents", "ops", "agent", "openclaw-agent.sqlite"), func(exec func(query string, args ...any)) {
		exec("PRAGMA foreign_keys = OFF")
		exec("DELETE FROM session_nodes")
		exec("DELETE FROM session_windows")
	})
	db, _ := r.sweep(t, &secrets.Op{}) // A session that the host doesn't have can't come back.
	check(t, db.Close())
	checkNowhere(t, filepath.Dir(r.path), p.github)
}

// TestSessionsAreReplacedToo: both sides have the same texts and hashes afterwards; anchors stay, nothing is stored again, and
// no byte is left of the secret: in events, packed ones too, in the host's index, in what it notes, in archives.
func TestSessionsAreReplacedToo(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, earlier := range []bool{false, true} {
		p, r := newPlanted(), newReference(t)
		r.say(t, " "+p.github, 531, 598, 597, 603)
		if earlier {
			db, _ := r.sweep(t, &secrets.Op{})
			check(t, db.Close())
		}
		archive := r.plantPacked(t, p.github)
		op := &secrets.Op{Request: secrets.Request{Transcripts: []string{r.agent, archive}}}
		db, _ := r.sweep(t, op)
		check(t, finish(t, db, op).Close())
		if !op.Result.Gone() {
			t.Errorf("earlier %t: still in %+v", earlier, op.Result.Proof)
		}
		checkNowhere(t, r.state, p.github)
		checkNowhere(t, filepath.Dir(r.path), p.github)
		want := "11"
		if earlier {
			want = "00"
		}
		for _, message := range []int64{531, 598, 597, 603} {
			if is := r.anchorOf(t, message); is != want {
				t.Errorf("earlier %t: message %d has entry and trust %s", earlier, message, is)
			}
		}
		visible := testdb.Visible(t, r.state)
		h, err := fakehost.Start(r.path, fakehost.Defaults())
		check(t, err)
		is, err := fakehost.WouldImport(h, 2, visible[sessionTwo])
		if err != nil || len(is.Imported) > 0 || is.Archived {
			t.Errorf("earlier %t: a start stores %+v (%v)", earlier, is, err)
		}
		hashes := "SELECT count(*) FROM messages WHERE message_id IN (531, 598, 597, 603) AND identity_hash IN ("
		var all []string
		for _, e := range visible[sessionTwo] {
			all = append(all, "'"+hashOf(e)+"'")
		}
		check(t, h.Close())
		if n := r.one(t, hashes+strings.Join(all, ", ")+")"); n != "4" {
			t.Errorf("earlier %t: %s hashes are those of entries", earlier, n)
		}
		if n := testdb.Rows(t, r.agent, "SELECT count(*) FROM transcript_events WHERE event_json IS NOT NULL AND event_utf8_bytes <> octet_length(event_json)")[0]; n != "0" {
			t.Errorf("%s events have another size than they say", n)
		}
		if ok := testdb.Rows(t, r.agent, "SELECT integrity_check FROM pragma_integrity_check"); !slices.Equal(ok, []string{"ok"}) {
			t.Errorf("the host's database: %q", ok)
		}
	}
}

// plantPacked puts a value into a packed event, into what is noted with a session, and into an archive, of which it returns the file.
func (r *reference) plantPacked(t *testing.T, value string) (archive string) {
	t.Helper()
	testdb.ExecAgent(t, r.agent, func(exec func(query string, args ...any)) {
		event := `{"type":"custom","id":"packed","data":"` + strings.Repeat("long ", 300) + value + `"}`
		exec("UPDATE transcript_events SET event_zstd = ?, event_utf8_bytes = ? WHERE rowid = (SELECT min(rowid) FROM transcript_events WHERE event_json IS NULL AND session_id <> ?)", testdb.Pack(event), len(event), sessionTwo)
		exec("UPDATE session_nodes SET entry_json = json_set(entry_json, '$.label', ?) WHERE current_session_id = ?", "it is "+value, sessionTwo)
		blob := testdb.Pack(`{"type":"session","id":"x"}` + "\n" + `{"type":"message","id":"y","message":{"role":"user","content":"` + value + `"}}` + "\n")
		exec("UPDATE session_transcript_archives SET archive_blob = ?, archive_sha256 = ?", blob, hexHash(blob))
		name := testdb.Rows(t, r.agent, "SELECT archive_name FROM session_transcript_archives")[0]
		archive = filepath.Join(r.state, "agents", "main", "sessions", name)
		check(t, os.WriteFile(archive, blob, 0o600))
	})
	return archive
}

// TestSessionsThatAreNotReplaced: what a host wasn't seen to go on with is refused, and nothing is written at all.
func TestSessionsThatAreNotReplaced(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, c := range map[string]struct {
		edit string
		why  string
	}{
		"another version":  {"PRAGMA user_version = 24", "version 24"},
		"an older version": {"PRAGMA user_version = 19", "version 19"},
		"owed turns":       {"INSERT INTO context_engine_turn_outbox (advancement_key, engine_id, session_id, payload_json, created_at) VALUES ('a', 'lcm', 's', '{}', 1)", "owes turns"},
		"no index":         {"DROP TABLE session_transcript_fts", "session_transcript_fts isn't"},
		"another column":   {"ALTER TABLE session_nodes RENAME COLUMN entry_json TO entry", "session_nodes isn't"},
	} {
		p, r := newPlanted(), newReference(t)
		r.say(t, " "+p.github, 531)
		testdb.ExecAgent(t, r.agent, func(exec func(query string, args ...any)) {
			exec("DROP TRIGGER session_transcript_fts_rows_after_delete")
			exec(c.edit)
		})
		before := testdb.Dump(t, r.path)
		_, err := (&secrets.Op{Request: secrets.Request{Transcripts: []string{r.agent}}, StateFolder: r.state}).Plan(t.Context(), open(t, r.path), noReport)
		var refused *sessiontexts.RefusedError
		if !errors.As(err, &refused) || !strings.Contains(refused.Why, c.why) || !strings.Contains(refused.Hint(), "--transcripts") {
			t.Errorf("%s: %v", name, err)
		}
		if testdb.Dump(t, r.path) != before {
			t.Errorf("%s: something was written", name)
		}
		db, _ := r.sweep(t, &secrets.Op{}) // The memory alone.
		check(t, db.Close())
		checkNowhere(t, filepath.Dir(r.path), p.github)
	}
}

// TestSessionsOfAHostThatRuns are left, and the rows too.
func TestSessionsOfAHostThatRuns(t *testing.T) {
	t.Parallel()
	p, r := newPlanted(), newReference(t)
	r.say(t, " "+p.github, 531)
	host, err := sql.Open("sqlite", data.FileURI(r.agent, ""))
	check(t, err)
	check(t, host.QueryRowContext(t.Context(), "SELECT count(*) FROM session_nodes").Scan(new(int)))
	t.Cleanup(func() { _ = host.Close() })
	db := open(t, r.path)
	op := &secrets.Op{Request: secrets.Request{Transcripts: []string{r.agent}}, StateFolder: r.state}
	plan, err := op.Plan(t.Context(), db, noReport)
	check(t, err)
	before, agent := testdb.Dump(t, r.path), dumpOf(t, r.agent)
	if _, err := ops.ApplyPlan(t.Context(), db, plan); !errors.Is(err, data.ErrInUse) {
		t.Errorf("%v", err)
	}
	if testdb.Dump(t, r.path) != before || !bytes.Equal(dumpOf(t, r.agent), agent) {
		t.Error("something was written")
	}
}

// dumpOf returns the events of a transcript database.
func dumpOf(t *testing.T, path string) []byte {
	t.Helper()
	return []byte(strings.Join(testdb.Rows(t, path, "SELECT event_json FROM transcript_events ORDER BY session_id, seq"), "\n"))
}

func hashOf(e fakehost.VisibleEntry) string { return identity.Hash(e.Role, e.Content) }

func hexHash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
