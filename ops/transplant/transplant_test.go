package transplant_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/transplant"
)

// The tests' databases.
var (
	open = testdb.Open
	dump = testdb.Dump
)

// sampleCache is where the tests' databases come from.
var sampleCache samples.Cache

func noReport(int, int, string) {}

// sample returns a file with a long conversation, 1, and a short one, 2, which is archived
// where the level knows that.
func sample(t *testing.T, level fakehost.Level, faults ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := sampleCache.Sample(path, level, faults...); err != nil {
		t.Fatal(err)
	}
	return path
}

// otherConversations are the files of otherConversation by level.
var otherConversations sync.Map

// otherConversation returns a file with a conversation that has nothing in common with the samples.
func otherConversation(t *testing.T, level fakehost.Level) string {
	t.Helper()
	made, _ := otherConversations.LoadOrStore(level, sync.OnceValues(func() ([]byte, error) { return writeOtherConversation(level) }))
	b, err := made.(func() ([]byte, error))()
	path := filepath.Join(t.TempDir(), "into.db")
	if err := errors.Join(err, os.WriteFile(path, b, 0o600)); err != nil {
		t.Fatal(err)
	}
	return path
}

func writeOtherConversation(level fakehost.Level) ([]byte, error) {
	folder, err := os.MkdirTemp("", "transplant")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "into.db")
	h, err := fakehost.Create(path, level)
	if err != nil {
		return nil, err
	}
	err = h.Tx(func(h *fakehost.Writer) error {
		_, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:other", Active: true})
		for i := 0; i < 6 && err == nil; i++ {
			_, err = h.Message(1, fakehost.Message{Role: []string{"user", "assistant"}[i%2], Content: fmt.Sprintf("of something else, %d", i), EntryID: fmt.Sprintf("entry-%d", i)})
		}
		return err
	})
	if err := errors.Join(err, h.Close()); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// host lets the host write to a file.
func host(t *testing.T, path string, do func(*fakehost.Writer) error) {
	t.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(do(h), h.Close()); err != nil {
		t.Fatal(err)
	}
}

func plan(t *testing.T, db *data.DB, op *transplant.Op) ops.Plan {
	t.Helper()
	p, err := op.Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func apply(t *testing.T, db *data.DB, p ops.Plan) int64 {
	t.Helper()
	id, err := ops.Apply(t.Context(), db, p)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// refused wants a plan to be refused in words, with something to do about it.
func refused(t *testing.T, db *data.DB, op *transplant.Op, why string) {
	t.Helper()
	_, err := op.Plan(t.Context(), db, noReport)
	if hint.Of(err) == "" || !strings.Contains(err.Error(), why) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v, wanted a refusal that says %q", err, why)
	}
}

// faultQueries are the queries that must find nothing in what was copied.
var faultQueries = map[string]string{
	"lineage crosses conversations": `SELECT count(*) FROM summary_messages l JOIN summaries s USING (summary_id) JOIN messages m USING (message_id)
		WHERE s.conversation_id <> m.conversation_id`,
	"summaries of different conversations": `SELECT count(*) FROM summary_parents l JOIN summaries a USING (summary_id)
		JOIN summaries b ON b.summary_id = l.parent_summary_id WHERE a.conversation_id <> b.conversation_id`,
	"a context item points at nothing": `SELECT count(*) FROM context_items c LEFT JOIN summaries s USING (summary_id) LEFT JOIN messages m USING (message_id)
		WHERE s.summary_id IS NULL AND m.message_id IS NULL`,
	"a context shows another conversation": `SELECT count(*) FROM context_items c LEFT JOIN summaries s USING (summary_id) LEFT JOIN messages m USING (message_id)
		WHERE coalesce(s.conversation_id, m.conversation_id) <> c.conversation_id`,
	"a context begins below 0": `SELECT count(*) FROM context_items WHERE ordinal < 0`,
	"messages out of order in a context": `SELECT count(*) FROM (SELECT m.seq, lag(m.seq) OVER (PARTITION BY c.conversation_id ORDER BY c.ordinal) AS prev
		FROM context_items c JOIN messages m USING (message_id)) WHERE seq <= prev`,
	"a context has something twice": `SELECT count(*) FROM (SELECT 1 FROM context_items GROUP BY conversation_id, summary_id, message_id HAVING count(*) > 1)`,
	"a message isn't indexed once": `SELECT count(*) FROM messages m WHERE trim(content) <> ''
		AND (SELECT count(*) FROM messages_fts_docsize d WHERE d.id = m.message_id) <> 1`,
	"a summary isn't indexed once": `SELECT count(*) FROM summaries s WHERE (SELECT count(*) FROM summaries_fts_content c WHERE c.c0 = s.summary_id) <> 1`,
	"a foreign key is broken":      `SELECT count(*) FROM pragma_foreign_key_check`,
	"a number is given twice":      `SELECT count(*) FROM sqlite_sequence WHERE name = 'messages' AND seq < (SELECT max(message_id) FROM messages)`,
	"a part without its message":   `SELECT count(*) FROM message_parts WHERE message_id NOT IN (SELECT message_id FROM messages)`,
	"counters that don't add up": `SELECT count(*) FROM summaries s WHERE kind = 'condensed' AND descendant_count <>
		(SELECT sum(p.descendant_count + 1) FROM summary_parents l JOIN summaries p ON p.summary_id = l.parent_summary_id WHERE l.summary_id = s.summary_id)`,
}

// checkNoFaults wants none of those faults in a file, except the ones named in part.
func checkNoFaults(t *testing.T, path string, except ...string) {
	t.Helper()
	var faults, bits []string
	for fault, query := range faultQueries {
		if !slices.ContainsFunc(except, func(e string) bool { return strings.Contains(fault, e) }) {
			bits = append(bits, fmt.Sprintf("(((%s) > 0) << %d)", query, len(faults))) // << binds no closer than |.
			faults = append(faults, fault)
		}
	}
	found, err := testdb.Count(path, "SELECT "+strings.Join(bits, " | "))
	if err != nil {
		t.Fatal(err)
	}
	for i, fault := range faults {
		if found>>i&1 == 1 {
			t.Error(fault)
		}
	}
}

// contentOf returns the content of a conversation's summaries and messages, without ids.
func contentOf(t *testing.T, db *data.DB, conv int64) (out []string) {
	t.Helper()
	g, err := lineage.Load(t.Context(), db, conv, data.WholeText)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range g.Nodes() {
		s := n.Summary
		out = append(out, fmt.Sprintln("summary", s.Kind, s.Depth, s.Content, s.Tokens, s.EarliestAt.Raw, s.LatestAt.Raw, s.CreatedAt.Raw, s.Descendants, len(n.Sources)))
		ms, err := lcm.LeafMessages(t.Context(), db, s.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range ms {
			line := fmt.Sprintln("message", m.Role, m.Content, m.Tokens, m.CreatedAt.Raw)
			for _, p := range m.Parts {
				line += fmt.Sprintln("part", p.Ordinal, p.Type, p.Text, p.ToolCallID, p.ToolName, p.ToolInput, p.ToolOutput, p.Metadata)
			}
			out = append(out, line)
		}
	}
	return out
}

// checkContains wants every line of a to be in b.
func checkContains(t *testing.T, a, b []string) {
	t.Helper()
	have := map[string]int{}
	for _, l := range b {
		have[l]++
	}
	for _, l := range a {
		if have[l]--; have[l] < 0 {
			t.Errorf("not copied as it was: %s", l)
		}
	}
}

// roundTrip plans, applies and undoes, and checks the file after each.
func roundTrip(t *testing.T, path string, db *data.DB, op *transplant.Op) ops.Plan {
	t.Helper()
	was := dump(t, path)
	newest := newestMessage(t, path, op.Target)
	p := plan(t, db, op)
	if dump(t, path) != was {
		t.Fatal("a plan wrote")
	}
	id := apply(t, db, p)
	checkNoFaults(t, path)
	if got := newestMessage(t, path, op.Target); got != newest {
		t.Errorf("the newest message is %d, not %d", got, newest)
	}
	checkContext(t, db, p)
	var stale *data.StaleError
	if _, err := ops.Apply(t.Context(), db, p); !errors.As(err, &stale) {
		t.Errorf("the same plan again: %v", err)
	}
	if _, err := op.Plan(t.Context(), db, noReport); !errors.Is(err, ops.ErrNothing) {
		t.Errorf("the same again: %v", err)
	}
	if err := ops.Undo(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
	if got := dump(t, path); got != was {
		t.Errorf("undone:\n%s", cmp.Diff(was, got))
	}
	return p
}

func newestMessage(t *testing.T, path string, conv int64) int {
	t.Helper()
	n, err := testdb.Count(path, "SELECT coalesce((SELECT message_id FROM messages WHERE conversation_id = ? ORDER BY seq DESC LIMIT 1), 0)", conv)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// checkContext wants the context to be as planned, and what stood there before to stand
// there in the same order.
func checkContext(t *testing.T, db *data.DB, p ops.Plan) {
	t.Helper()
	c := p.Contexts[0]
	now, err := lcm.Context(t.Context(), db, c.Conversation)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := refs(now), refs(c.After); !cmp.Equal(got, want) {
		t.Errorf("the context: %s", cmp.Diff(want, got))
	}
	own := map[string]bool{}
	for _, ref := range refs(c.Before) {
		own[ref] = true
	}
	rest := slices.DeleteFunc(refs(now), func(ref string) bool { return !own[ref] })
	if !cmp.Equal(rest, refs(c.Before)) {
		t.Errorf("the target's own: %s", cmp.Diff(refs(c.Before), rest))
	}
}

func refs(items []lcm.ContextItem) []string {
	out := []string{}
	for _, it := range items {
		out = append(out, it.Ref())
	}
	return out
}

func TestRoundTripAtLevels(t *testing.T) {
	t.Parallel()
	for i, level := range []fakehost.Level{fakehost.V0_1, fakehost.V0_5, fakehost.V0_10, fakehost.Head} {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			path := sample(t, level)
			roundTrip(t, path, open(t, path), &transplant.Op{Source: 2, Target: 1, Messages: i%2 == 0})
		})
	}
}

// TestBetweenFilesOfAllLevels: all that both files have columns for arrives as it
// was, whichever is the newer, and the source isn't written.
func TestBetweenFilesOfAllLevels(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, levels := range [][2]fakehost.Level{
		{fakehost.V0_1, fakehost.Head},
		{fakehost.Head, fakehost.V0_1},
		{fakehost.Head, fakehost.Head},
		{fakehost.V0_6, fakehost.V0_13},
		{fakehost.V0_15, fakehost.V0_8},
		{fakehost.Beta, fakehost.Head},
		{fakehost.V0_1, fakehost.V0_1},
	} {
		t.Run(string(levels[0]+" to "+levels[1]), func(t *testing.T) {
			t.Parallel()
			from, to := sample(t, levels[0]), otherConversation(t, levels[1])
			was, err := os.ReadFile(from)
			if err != nil {
				t.Fatal(err)
			}
			db := open(t, to)
			op := &transplant.Op{Source: 1, Target: 1, From: from}
			p := plan(t, db, op)
			apply(t, db, p)
			checkNoFaults(t, to)
			checkContains(t, contentOf(t, open(t, from), 1), contentOf(t, db, 1))
			if got, err := os.ReadFile(from); err != nil || !bytes.Equal(got, was) {
				t.Errorf("the source was written: %v", err)
			}
			older := levels[0] != fakehost.Beta && levels[1].Before(levels[0]) // The beta has more tables, not columns.
			if warned := strings.Contains(strings.Join(p.Warnings, "\n"), "lacks some columns"); warned != older {
				t.Errorf("it says what couldn't be copied: %v, wanted %v: %v", warned, older, p.Warnings)
			}
		})
	}
}

// TestCountersAreComputedForOldSources: hosts count only once, when they first meet a
// file.
func TestCountersAreComputedForOldSources(t *testing.T) {
	t.Parallel()
	to := otherConversation(t, fakehost.Head)
	db := open(t, to)
	apply(t, db, plan(t, db, &transplant.Op{Source: 1, Target: 1, From: sample(t, fakehost.V0_1)}))
	for what, query := range map[string]string{
		"tokens of descendants": `SELECT count(*) FROM summaries s WHERE kind = 'condensed' AND descendant_token_count IS NOT
			(SELECT sum(p.token_count + p.descendant_token_count) FROM summary_parents l JOIN summaries p ON p.summary_id = l.parent_summary_id WHERE l.summary_id = s.summary_id)`,
		"tokens of messages": `SELECT count(*) FROM summaries s WHERE kind = 'leaf' AND source_message_token_count IS NOT
			(SELECT sum(m.token_count) FROM summary_messages l JOIN messages m USING (message_id) WHERE l.summary_id = s.summary_id)`,
		"identity": `SELECT count(*) FROM messages WHERE identity_hash IS NULL`,
	} {
		if n, err := testdb.Count(to, query); err != nil || n > 0 {
			t.Errorf("%s: %d rows, %v", what, n, err)
		}
	}
}

// TestBranches: a chosen branch comes with all below it and nothing else; one below
// another that is chosen too has no place of its own.
func TestBranches(t *testing.T) {
	t.Parallel()
	from, to := sample(t, fakehost.Head), otherConversation(t, fakehost.Head)
	source, db := open(t, from), open(t, to)
	g, err := lineage.Load(t.Context(), source, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	nodes := g.Nodes()
	for _, n := range []*lineage.Node{nodes[0], nodes[len(nodes)-1]} {
		ids := []string{n.ID}
		if len(n.Sources) > 0 {
			ids = append(ids, n.Sources[0])
		}
		p := roundTrip(t, to, db, &transplant.Op{Source: 1, Target: 1, From: from, Summaries: ids})
		made := 0
		for _, c := range p.Changes {
			if c.Table == "summaries" {
				made++
			}
		}
		if want := len(g.Below(n.ID)); made != want {
			t.Errorf("%s: %d summaries copied, of %d", n.ID, made, want)
		}
		if got := len(p.Contexts[0].After) - len(p.Contexts[0].Before); got != 1 {
			t.Errorf("%s: %d places in the context", n.ID, got)
		}
	}
}

// TestKeysAreKeptWhereTheyAreFree: they are unique in a conversation.
func TestKeysAreKeptWhereTheyAreFree(t *testing.T) {
	t.Parallel()
	from, to := otherConversation(t, fakehost.Head), otherConversation(t, fakehost.Head)
	host(t, from, func(h *fakehost.Writer) error {
		ids := make([]int64, 0, 3)
		for _, entry := range []string{"one", "taken", "three"} {
			id, err := h.Message(1, fakehost.Message{Role: "user", Content: "mine " + entry, EntryID: entry})
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		_, err := h.Leaf(1, ids, "a leaf of three messages with keys of their own")
		return err
	})
	host(t, to, func(h *fakehost.Writer) error {
		return h.Exec("UPDATE messages SET transcript_entry_id = 'taken' WHERE seq = 3")
	})
	db := open(t, to)
	apply(t, db, plan(t, db, &transplant.Op{Source: 1, Target: 1, From: from}))
	n, err := testdb.Count(to, "SELECT count(*) FROM messages WHERE content LIKE 'mine %' AND transcript_entry_id IS NOT NULL")
	if err != nil || n != 2 {
		t.Errorf("%d of 3 have their key, %v; one was taken", n, err)
	}
}

// TestCopiesNameNoEntryOfAnotherTranscript: a host of 1.0 distrusts a conversation in which a
// message names an entry that its transcript doesn't have.
func TestCopiesNameNoEntryOfAnotherTranscript(t *testing.T) {
	t.Parallel()
	path := testdb.Fixture(t, "v1.0/rich.db")
	const named = "SELECT count(*) FROM messages WHERE conversation_id = 3 AND transcript_entry_id IS NOT NULL"
	before, err := testdb.Count(path, named)
	if err != nil {
		t.Fatal(err)
	}
	db := open(t, path)
	host(t, path, func(h *fakehost.Writer) error {
		return h.Exec(`UPDATE messages SET transcript_entry_id = 'e' || message_id WHERE message_id IN
			(SELECT message_id FROM summary_messages JOIN summaries USING (summary_id) WHERE summaries.conversation_id = 9)`)
	})
	apply(t, db, plan(t, db, &transplant.Op{Source: 9, Target: 3}))
	after, err := testdb.Count(path, named)
	if err != nil || after != before {
		t.Errorf("%d messages of the target name an entry, then %d (%v)", before, after, err)
	}
}
