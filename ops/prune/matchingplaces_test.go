package prune_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/promoted"
	"lcm-tui/engine/search"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/proof"
	"lcm-tui/ops/prune/selector"
)

// piece returns a part of the text that a topic forgets.
func piece() string { return unique("harbour", 400)[100:180] }

// TestAReceiptFindsWhatIsLeftAnywhere: in every table, also in ones that nobody knows, in free space of the file, in
// files beside it, and where only a part of a text stands.
func TestAReceiptFindsWhatIsLeftAnywhere(t *testing.T) {
	t.Parallel()
	source := newTopic(t, fakehost.Head, "A plan was made.")
	db := open(t, source.path)
	op := matching(db, topicQuery, selector.Selector{})
	op.Matching.Receipt = filepath.Join(t.TempDir(), "r.json")
	apply(t, db, plan(t, db, op))
	emptyTrash(t, db)
	testdb.Must(t, db.Close())
	for name, c := range testlength.SomeOf(map[string]struct {
		leave func(t *testing.T, path string)
		want  proof.Kind
	}{
		"nothing": {func(*testing.T, string) {}, ""},
		"a message": {func(t *testing.T, path string) {
			t.Helper()
			exec1(t, path, "UPDATE messages SET content = 'again: %s' WHERE message_id = "+fmt.Sprint(source.other))
		}, proof.MessagePlace},
		"the metadata of a part": {func(t *testing.T, path string) {
			t.Helper()
			exec1(t, path, `UPDATE message_parts SET metadata = '{"raw":{"text":"%s"}}' WHERE message_id = `+fmt.Sprint(source.other))
		}, proof.MessagePlace},
		"a summary": {func(t *testing.T, path string) {
			t.Helper()
			exec1(t, path, "UPDATE summaries SET content = content || '%s' WHERE summary_id = '"+source.leaf+"'")
		}, proof.SummaryPlace},
		"a title": {func(t *testing.T, path string) {
			t.Helper()
			exec1(t, path, "UPDATE conversations SET title = '%s' WHERE conversation_id = 1")
		}, proof.RowPlace},
		"a table of somebody": {func(t *testing.T, path string) {
			t.Helper()
			exec1(t, path, "CREATE TABLE notes (a TEXT PRIMARY KEY) WITHOUT ROWID")
			exec1(t, path, "INSERT INTO notes VALUES ('%s')")
		}, proof.RowPlace},
		"memory": {func(t *testing.T, path string) {
			t.Helper()
			exec1(t, path, promoted.Schema)
			exec1(t, path, "INSERT INTO promoted (id, content, project_id, created_at) VALUES ('mem_1', '%s', '', '2026-01-01')")
		}, proof.MemoryPlace},
		"a record": {func(t *testing.T, path string) {
			t.Helper()
			exec1(t, path, "UPDATE lcm_tui_undo SET detail = '{\"a\":\"%s\"}'")
		}, proof.RecordPlace},
		"free pages": {func(t *testing.T, path string) {
			t.Helper()
			exec1(t, path, "UPDATE conversations SET title = '%s"+strings.Repeat("a long one ", 2000)+"' WHERE conversation_id = 1")
			exec1(t, path, "UPDATE conversations SET title = 'short' WHERE conversation_id = 1")
		}, proof.PagePlace},
		"a backup": {func(t *testing.T, path string) {
			t.Helper()
			testdb.WriteText(t, path+".old.bak", strings.Repeat("x", 1<<20-30)+piece())
		}, proof.BackupPlace},
		"a file beside it": {func(t *testing.T, path string) {
			t.Helper()
			testdb.WriteText(t, path+".lcm-tui-plan-x.json", `{"text":"`+piece()+`"}`)
		}, proof.FilePlace},
		"the trash": {func(t *testing.T, path string) {
			t.Helper()
			testdb.WriteText(t, filepath.Join(data.TrashFolder(path), "other.db"), piece())
		}, proof.TrashPlace},
		"a session file": {func(t *testing.T, path string) {
			t.Helper()
			session := filepath.Join(t.TempDir(), "s.jsonl")
			testdb.WriteText(t, session, `{"message":{"content":"`+piece()+`"}}`)
			exec1(t, path, "INSERT INTO conversation_bootstrap_state (conversation_id, session_file_path, last_seen_size, last_seen_mtime_ms, last_processed_offset) VALUES ("+fmt.Sprint(source.conv)+", '"+session+"', 0, 0, 0)")
		}, proof.SessionPlace},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Copy(t, source.path)
			testdb.Must(t, os.MkdirAll(data.TrashFolder(path), 0o700))
			c.leave(t, path)
			r, err := proof.Read(op.Matching.Receipt)
			testdb.Must(t, err)
			testdb.Must(t, r.CheckAgain(t.Context(), open(t, path), nil, proof.Beside{}, quiet))
			check := r.Last()
			if c.want == "" {
				if check.State != proof.Gone {
					t.Errorf("it finds %+v", check.Left)
				}
				return
			}
			if len(check.Left) != 1 || check.Left[0].Kind != c.want || check.Left[0].Pieces == 0 || check.Left[0].Why == "" || check.Left[0].Next == "" {
				t.Errorf("it finds %+v", check.Left)
			}
		})
	}
}

// exec1 changes a file as another program would; %s is a piece of a forgotten text.
func exec1(t *testing.T, path, statement string) {
	t.Helper()
	exec(t, path, strings.ReplaceAll(statement, "%s", piece()))
}

// TestAReceiptSaysWhatCameBack: after undo, texts are there again; and what the query finds since is found.
func TestAReceiptSaysWhatCameBack(t *testing.T) {
	t.Parallel()
	top := newTopic(t, fakehost.Head, "A plan was made.")
	db := open(t, top.path)
	op := matching(db, topicQuery, selector.Selector{})
	p := plan(t, db, op)
	out := apply(t, db, p)
	r := p.Set.Matching.Receipt
	exec(t, top.path, "UPDATE conversations SET title = 'x' WHERE conversation_id = 1")
	exec(t, top.path, "UPDATE summaries SET content = 'A word about the nightjars.' WHERE summary_id = '"+top.leaf+"'")
	testdb.Must(t, r.CheckAgain(t.Context(), db, &op.Matching.Query, proof.Beside{}, quiet))
	if c := r.Last(); c.State != proof.Left || !c.Asked || c.Count(proof.SummaryPlace) != 1 || !c.Left[0].Words || c.Left[0].Pieces != 0 {
		t.Errorf("of a summary with the word it says %+v", c)
	}
	testdb.Must(t, ops.Undo(t.Context(), db, out.Record))
	testdb.Must(t, r.CheckAgain(t.Context(), db, nil, proof.Beside{}, quiet))
	if c := r.Last(); c.State != proof.Left || !slices.Equal(c.Back, top.about) || c.Stubs != 0 || c.Count(proof.MessagePlace) != 3 {
		t.Errorf("after undo it says %+v", c)
	}
}

// TestAWALThatCannotBeEmptiedIsNamed: a reader keeps it, and with it pages that nobody can look at.
func TestAWALThatCannotBeEmptiedIsNamed(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	top := newTopic(t, fakehost.Head, "A plan was made.")
	db := open(t, top.path)
	p := plan(t, db, matching(db, topicQuery, selector.Selector{}))
	apply(t, db, p)
	emptyTrash(t, db)
	reader, err := sql.Open("sqlite", top.path)
	testdb.Must(t, err)
	defer reader.Close()
	tx, err := reader.BeginTx(t.Context(), nil)
	testdb.Must(t, err)
	var n int
	testdb.Must(t, tx.QueryRowContext(t.Context(), "SELECT count(*) FROM messages").Scan(&n))
	testdb.ExecAgent(t, top.path, func(exec func(query string, args ...any)) { // It leaves the -wal, and so waits for no reader.
		exec("UPDATE conversations SET title = 'x' WHERE conversation_id = 1")
	})
	r := p.Set.Matching.Receipt
	testdb.Must(t, r.CheckAgain(t.Context(), db, nil, proof.Beside{}, quiet))
	if c := r.Last(); c.State != proof.Left || len(c.Left) != 1 || c.Left[0].Kind != proof.WALPlace || !strings.Contains(strings.Join(c.Unchecked, "\n"), "-wal") {
		t.Errorf("it finds %+v, and didn't look at %q", c.Left, c.Unchecked)
	}
	testdb.Must(t, tx.Rollback())
	testdb.Must(t, r.CheckAgain(t.Context(), db, nil, proof.Beside{}, quiet))
	if c := r.Last(); c.State != proof.Gone {
		t.Errorf("without the reader it finds %+v", c.Left)
	}
}

// TestAReceiptIsNotGoneWhileFoundMessagesStay: those that the query found and that stay count in every check.
func TestAReceiptIsNotGoneWhileFoundMessagesStay(t *testing.T) {
	t.Parallel()
	top := newTopic(t, fakehost.Head, "A plan was made.")
	exec(t, top.path, "INSERT INTO context_items (conversation_id, ordinal, item_type, message_id) VALUES ("+fmt.Sprint(top.conv)+", 100, 'message', "+fmt.Sprint(top.about[0])+")")
	db := open(t, top.path)
	p := plan(t, db, matching(db, topicQuery, selector.Selector{}))
	if k := p.Set.Matching.Kept; !slices.Equal(plannedIDs(p), top.about[1:]) || len(k) != 1 || !strings.Contains(k[0].Why, "in the context") || !strings.Contains(k[0].Next, "lcm-tui compact") {
		t.Fatalf("it plans %v and keeps %+v", plannedIDs(p), k)
	}
	apply(t, db, p)
	emptyTrash(t, db)
	r := p.Set.Matching.Receipt
	testdb.Must(t, r.CheckAgain(t.Context(), db, nil, proof.Beside{}, quiet))
	if c := r.Last(); c.State != proof.Left || c.KeptThere != 1 || len(c.Left) != 0 {
		t.Errorf("it says %+v", c)
	}
}

// TestSummariesThatQuoteAreShownBefore with what to do about them.
func TestSummariesThatQuoteAreShownBefore(t *testing.T) {
	t.Parallel()
	top := newTopic(t, fakehost.Head, "The user said: "+unique("harbour", 400)[60:200])
	db := open(t, top.path)
	p := plan(t, db, matching(db, topicQuery, selector.Selector{}))
	h := p.Set.Matching.Holding
	if len(h) != 1 || h[0].Where != top.leaf || h[0].Pieces == 0 || h[0].Conversation != top.conv || !strings.Contains(h[0].Next, "lcm-tui edit "+top.leaf) {
		t.Errorf("it shows %+v", h)
	}
	if !strings.Contains(strings.Join(p.Warnings, "\n"), "1 summary has the same words") {
		t.Errorf("it warns of %q", p.Warnings)
	}
	apply(t, db, p)
	if c := p.Set.Matching.Receipt.Last(); c.State != proof.Left || c.Count(proof.SummaryPlace) != 1 {
		t.Errorf("the receipt says %+v", c.Left)
	}
}

// TestEveryFoundMessageIsForgottenOrKeptWithAReason: in fixtures, whatever the query; and the next step is named where
// there is one.
func TestEveryFoundMessageIsForgottenOrKeptWithAReason(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	some := 0
	for _, name := range []string{"v0.15.3/rich.db", "hard/cjk1.db", "hard/mixed1.db", "v0.1.0/small.db", "wild/stubcjk.db"} {
		path := filepath.Join(testdb.Fixtures(t), name)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		path = testdb.Copy(t, path)
		db := open(t, path)
		for _, word := range []string{"ledger", "检索", "の"} {
			o := matching(db, word, selector.Selector{})
			o.Matching.Query = search.Parse("/(?i)"+word+"/ kind:message", search.ParseOptions{})
			want := testdb.Rows(t, path, "SELECT message_id FROM messages WHERE instr(lower(content), '"+word+"') > 0 ORDER BY message_id")
			p, err := o.Plan(t.Context(), db, quiet)
			if len(want) == 0 && errors.Is(err, ops.ErrNothing) {
				continue
			}
			testdb.Must(t, err)
			var got []string
			for _, id := range plannedIDs(p) {
				got = append(got, fmt.Sprint(id))
			}
			for _, k := range p.Set.Matching.Kept {
				if k.Why == "" || k.Next == "" && !strings.Contains(k.Why, "already") && !strings.Contains(k.Why, "needs it") {
					t.Errorf("%s: kept without a reason or a next step: %+v", name, k)
				}
				if strings.HasPrefix(k.OnScreen, "lcm-tui ") || (k.OnScreen == "") != (k.Next == "") {
					t.Errorf("%s: a screen says %q", name, k.OnScreen)
				}
				for _, id := range k.Messages {
					got = append(got, fmt.Sprint(id))
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s, %s: %d of %d messages are accounted for", name, word, len(got), len(want))
			}
			some += len(want)
		}
	}
	if some < 100 {
		t.Errorf("only %d messages were found", some)
	}
}

// TestNextStepsOnAScreenAreNoCommands: no command can be typed there.
func TestNextStepsOnAScreenAreNoCommands(t *testing.T) {
	t.Parallel()
	const command = "lcm-tui command"
	for _, kind := range []proof.Kind{
		proof.MessagePlace, proof.SummaryPlace, proof.FocusPlace, proof.MemoryPlace, proof.RecordPlace, proof.RowPlace, proof.PagePlace, proof.WALPlace, proof.TrashPlace, proof.BackupPlace,
	} {
		p := proof.Place{Kind: kind, Next: command}
		if got := p.OnScreen(); got == "" || strings.Contains(got, "lcm-tui") {
			t.Errorf("%s: %q", kind, got)
		}
	}
	file := proof.Place{Kind: proof.CachePlace, Next: "delete the file"}
	if got := file.OnScreen(); got != file.Next {
		t.Errorf("a file: %q", got)
	}
}

// TestMatchingIsCombinedWithSelectors: what both select goes.
func TestMatchingIsCombinedWithSelectors(t *testing.T) {
	t.Parallel()
	top := newTopic(t, fakehost.Head, "A plan was made.")
	db := open(t, top.path)
	for name, c := range testlength.SomeOf(map[string]struct {
		query string
		s     selector.Selector
		want  []int64
	}{
		"the conversation":         {topicQuery, selector.Selector{Conversations: []int64{top.conv}}, top.about},
		"another one":              {topicQuery, selector.Selector{Conversations: []int64{1}}, nil},
		"all but this one":         {topicQuery, selector.Selector{Archived: true, Except: []int64{top.conv}}, nil},
		"a phrase":                 {`"project nightjar"`, selector.Selector{}, top.about[:1]},
		"Chinese characters":       {"碧い提灯", selector.Selector{}, top.about[2:]},
		"a part alone":             {"lantern1000q", selector.Selector{}, top.about[1:2]},
		"a role":                   {"nightjar role:user", selector.Selector{}, []int64{top.about[0], top.about[2]}},
		"without a word":           {"nightjar -secret", selector.Selector{}, top.about[1:]},
		"a filter in the search":   {fmt.Sprintf("nightjar in:%d kind:message", top.conv), selector.Selector{}, []int64{top.about[0], top.about[2]}},
		"nothing with these words": {"nightjar tomatoes", selector.Selector{}, nil},
	}) {
		o := matching(db, c.query, c.s)
		p, err := o.Plan(t.Context(), db, quiet)
		if c.want == nil {
			if !errors.Is(err, ops.ErrNothing) {
				t.Errorf("%s: it plans %+v, %v", name, p.Set, err)
			}
			continue
		}
		testdb.Must(t, err)
		if got := plannedIDs(p); !slices.Equal(got, c.want) || p.Set.Rows["messages"] != int64(len(c.want)) {
			t.Errorf("%s: it plans %v, not %v", name, got, c.want)
		}
	}
}

// TestATextThatChangedSinceThePlanStays: the query may no longer find it.
func TestATextThatChangedSinceThePlanStays(t *testing.T) {
	t.Parallel()
	top := newTopic(t, fakehost.Head, "A plan was made.")
	db := open(t, top.path)
	p := plan(t, db, matching(db, topicQuery, selector.Selector{}))
	exec(t, top.path, "UPDATE messages SET content = 'now it is about tomatoes' WHERE message_id = "+fmt.Sprint(top.about[2]))
	var stale *data.StaleError
	if _, err := ops.ApplyPlan(t.Context(), db, p); !errors.As(err, &stale) {
		t.Errorf("applied: %v", err)
	}
	if rows := testdb.Rows(t, top.path, "SELECT content FROM messages WHERE message_id = "+fmt.Sprint(top.about[2])); rows[0] != "now it is about tomatoes" {
		t.Errorf("it is %q", rows[0])
	}
}

const forgetVictim = "LCM_TEST_FORGET_VICTIM"

// TestForgetVictim is no test: it is the program that the test below kills while it forgets.
func TestForgetVictim(t *testing.T) {
	path := os.Getenv(forgetVictim)
	if path == "" {
		t.Skip("run by the test that kills it")
	}
	db := open(t, path)
	p := plan(t, db, matching(db, "pelican", selector.Selector{}))
	_, err := ops.ApplyPlan(t.Context(), db, p, func(done, _ int, note string) {
		if strings.Contains(note, "messages") && done > 2000 {
			fmt.Println("\nreached")
			select {}
		}
	})
	t.Fatalf("it was to be killed, and ended: %v", err)
}

// TestAKilledForgettingIsFinishedByTheNext: what was forgotten before stays so, the next run forgets the rest, and a
// receipt of each record can be made.
func TestAKilledForgettingIsFinishedByTheNext(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	top := newTopic(t, fakehost.Head, "A plan was made.")
	exec(t, top.path, fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
		INSERT INTO messages (conversation_id, seq, role, content, token_count, created_at) SELECT %d, 1000 + i, 'user', 'a pelican over water number ' || (i * 7919), 3, '2026-01-02 10:00:00' FROM n`, top.conv))
	exec(t, top.path, fmt.Sprintf("INSERT INTO summary_messages (summary_id, message_id, ordinal) SELECT '%s', message_id, seq FROM messages WHERE conversation_id = %d AND seq > 1000", top.leaf, top.conv))
	cmd := osexec.Command(os.Args[0], "-test.run=^TestForgetVictim$") //nolint:noctx // It is killed, which is the point.
	cmd.Env = append(os.Environ(), forgetVictim+"="+top.path)
	out, err := cmd.StdoutPipe()
	testdb.Must(t, err)
	testdb.Must(t, cmd.Start())
	text, buffer := "", make([]byte, 4096)
	for !strings.Contains(text, "reached") {
		n, err := out.Read(buffer)
		text += string(buffer[:n])
		if err != nil {
			t.Fatalf("it printed %s", text)
		}
	}
	testdb.Must(t, cmd.Process.Kill())
	_ = cmd.Wait()
	count := func(where string) int {
		n, err := testdb.Count(top.path, "SELECT count(*) FROM messages WHERE "+where)
		testdb.Must(t, err)
		return n
	}
	left := count("content LIKE 'a pelican%'")
	if left == 0 || left == 6000 {
		t.Fatalf("%d of 6000 texts are left after the kill", left)
	}
	db := open(t, top.path)
	first, err := prune.ReceiptOf(t.Context(), db, 1, &prune.Matching{}, quiet)
	testdb.Must(t, err)
	if len(first.Messages) != 6000-left {
		t.Errorf("the receipt of the killed one has %d messages, and %d texts are gone", len(first.Messages), 6000-left)
	}
	p := plan(t, db, matching(db, "pelican", selector.Selector{}))
	apply(t, db, p)
	if n := count("content LIKE '%pelican%'"); n != 0 || len(p.Set.Matching.Receipt.Messages) != left {
		t.Errorf("%d texts are left, and the receipt has %d of %d", n, len(p.Set.Matching.Receipt.Messages), left)
	}
	emptyTrash(t, db)
	testdb.Must(t, p.Set.Matching.Receipt.CheckAgain(t.Context(), db, nil, proof.Beside{}, quiet))
	if c := p.Set.Matching.Receipt.Last(); c.State != proof.Gone {
		t.Errorf("it finds %+v", c.Left)
	}
}
