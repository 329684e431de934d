package secrets_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/redact"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/secrets"
	"lcm-tui/ops/undo"
)

func TestEveryPlaceIsFound(t *testing.T) {
	t.Parallel()
	p := newPlanted()
	path := plant(t, p)
	before := testdb.Dump(t, path)
	db := open(t, path)
	r, err := secrets.Find(t.Context(), db, secrets.Request{}, nil)
	check(t, err)
	if r.Counts != (secrets.Counts{Sure: 4, Likely: 1}) {
		t.Errorf("the counts are %+v", r.Counts)
	}
	var places []string
	for _, f := range r.Findings {
		places = append(places, f.Rule+" "+f.Table+"."+f.Column)
		if f.Masked == "" || f.Length == 0 || f.Count == 0 || f.Kept != "" {
			t.Errorf("%+v", f)
		}
	}
	for _, want := range []string{
		"github-token messages.content", "github-token message_parts.text_content", "github-token summaries.content", "github-token messages_fts_content.c0",
		"github-token summaries_fts_content.c1", "github-token lcm_tui_undo.changes", "url-password messages.content", "slack-token message_parts.metadata",
		"private-key message_parts.metadata", "private-key messages.content", "slack-token conversations.title", "slack-token messages_fts_content.c0", "assigned-secret messages.content",
	} {
		if !slices.Contains(places, want) {
			t.Errorf("%s isn't found in %q", want, places)
		}
	}
	if r.Findings[0].Number != 1 || r.Findings[0].Rule != "github-token" || r.Findings[0].Conversation == nil || r.Findings[0].Seq != 1 {
		t.Errorf("the first one is %+v", r.Findings[0])
	}
	printed := encoded(t, r) + fmt.Sprintf("%+v %#v", r, *r)
	for _, value := range append(p.all(), p.likely) {
		if strings.Contains(printed, value) || strings.Contains(printed, value[len(value)/2:]) {
			t.Error("the report prints a value")
		}
	}
	check(t, db.Close())
	if testdb.Dump(t, path) != before {
		t.Error("the file changed")
	}
}

func TestFindSelects(t *testing.T) {
	t.Parallel()
	p := newPlanted()
	db := open(t, plant(t, p))
	all, err := secrets.Find(t.Context(), db, secrets.Request{}, nil)
	check(t, err)
	conv := *all.Findings[0].Conversation
	for name, c := range testlength.SomeOf(map[string]struct {
		request secrets.Request
		counts  secrets.Counts
	}{
		"one class":            {secrets.Request{Classes: []redact.Class{redact.Likely}}, secrets.Counts{Likely: 1}},
		"one rule":             {secrets.Request{Rules: []string{"url-password"}}, secrets.Counts{Sure: 1}},
		"its conversation":     {secrets.Request{Conversations: []int64{conv}}, secrets.Counts{Sure: 4, Likely: 1}},
		"another conversation": {secrets.Request{Conversations: []int64{conv - 1}}, secrets.Counts{}},
		"an ignored place":     {secrets.Request{Ignored: []string{all.Findings[0].ID}}, secrets.Counts{Sure: 3, Likely: 1}},
	}) {
		r, err := secrets.Find(t.Context(), db, c.request, nil)
		if err != nil || r.Counts != c.counts {
			t.Errorf("%s: %+v, want %+v (%v)", name, r.Counts, c.counts, err)
		}
	}
}

func TestSureSecretsAreGoneFromTheFile(t *testing.T) {
	t.Parallel()
	p := newPlanted()
	path := plant(t, p)
	db := open(t, path)
	before, err := integrity.Check(t.Context(), db, integrity.Request{}, noReport)
	check(t, err)
	op := &secrets.Op{}
	plan, err := op.Plan(t.Context(), db, noReport)
	check(t, err)
	printed := encoded(t, plan) + fmt.Sprintf("%+v %+v", plan, op)
	out, err := ops.ApplyPlan(t.Context(), db, plan)
	check(t, err)
	if !op.Result.Gone() || len(op.Result.Proof) != 4 || op.Result.LeftInWAL != 0 {
		t.Errorf("the proof is %+v", op.Result)
	}
	check(t, errors.Join(db.Close(), op.Finish(t.Context(), path, noReport)))
	db = open(t, path)
	after, err := integrity.Check(t.Context(), db, integrity.Request{}, noReport)
	check(t, err)
	for _, f := range after.Findings {
		if !slices.ContainsFunc(before.Findings, func(b integrity.Finding) bool { return b.Fault == f.Fault && b.Row == f.Row }) {
			t.Errorf("doctor finds %s in %s %s: %s", f.Fault, f.Table, f.Row, f.Detail)
		}
	}
	record, _, err := change.RecordChanges(t.Context(), db, out.Record)
	check(t, err)
	printed += encoded(t, record) + encoded(t, op.Result)
	for _, value := range p.all() {
		if strings.Contains(printed, value[len(value)/2:]) {
			t.Error("a value is printed")
		}
	}
	content := testdb.Rows(t, path, "SELECT content FROM messages WHERE content LIKE 'my token is%'")
	if want := "my token is [REDACTED:github-token#1], SERVICE_API_KEY=" + p.likely; !slices.Equal(content, []string{want}) {
		t.Errorf("the message is %q", content)
	}
	check(t, db.Close())
	checkNowhere(t, filepath.Dir(path), p.all()...)
}

func TestSecondSweepGoesOnWithNumbers(t *testing.T) {
	t.Parallel()
	p := newPlanted()
	db := open(t, plant(t, p))
	_, err := apply(t, db, &secrets.Op{})
	check(t, err)
	_, err = apply(t, db, &secrets.Op{})
	if !errors.Is(err, ops.ErrNothing) || !strings.Contains(err.Error(), "1 secret was found") {
		t.Fatalf("the second sweep ends with %v", err)
	}
	again, err := secrets.Find(t.Context(), db, secrets.Request{}, nil)
	check(t, err)
	if numbers := again.Numbers(); len(numbers) != 1 || numbers[0] != 6 {
		t.Fatalf("the numbers are %v", numbers)
	}
	_, err = apply(t, db, &secrets.Op{Choose: []string{"github-token#6"}})
	if err == nil || !strings.Contains(err.Error(), "there is no finding") {
		t.Errorf("another rule's number: %v", err)
	}
	op := &secrets.Op{Choose: []string{"assigned-secret#6"}}
	_, err = apply(t, db, op)
	check(t, err)
	if !op.Result.Gone() {
		t.Errorf("the proof is %+v", op.Result)
	}
	// The summary has the value without the name by which it was found.
	rows := testdb.Rows(t, db.Path(), "SELECT count(*) FROM summaries WHERE content LIKE '%[REDACTED:assigned-secret#6] for later%'")
	if !slices.Equal(rows, []string{"1"}) {
		t.Errorf("%q summaries have the placeholder", rows)
	}
}

func apply(t *testing.T, db *data.DB, op *secrets.Op) (change.Outcome, error) {
	t.Helper()
	plan, err := op.Plan(t.Context(), db, noReport)
	if err != nil {
		return change.Outcome{}, err
	}
	return ops.ApplyPlan(t.Context(), db, plan)
}

func TestNoUndoOfSecrets(t *testing.T) {
	t.Parallel()
	p := newPlanted()
	path := plant(t, p)
	db := open(t, path)
	out, err := apply(t, db, &secrets.Op{})
	check(t, err)
	const why = "keeps no copy"
	if err := ops.Undo(t.Context(), db, out.Record); err == nil || !strings.Contains(err.Error(), why) {
		t.Errorf("undo says %v", err)
	}
	if _, err := (&undo.Op{Record: out.Record}).Plan(t.Context(), db, noReport); err == nil || !strings.Contains(err.Error(), why) {
		t.Errorf("the plan of undo says %v", err)
	}
}

// TestSecretThatOthersReferToStays: replacing a session key would cut its conversation off. All texts
// with the value are replaced, and the next run says what stays.
func TestSecretThatOthersReferToStays(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, statement := range []string{
		"UPDATE conversations SET session_key = 'VALUE' WHERE session_key = 'agent:main:planted'",
		"UPDATE conversations SET session_id = 'VALUE' WHERE session_key = 'agent:main:planted'",
		"UPDATE message_parts SET tool_call_id = 'VALUE' WHERE tool_call_id = 'call_1'",
		"UPDATE messages SET transcript_entry_id = 'VALUE' WHERE transcript_entry_id = 'e2'",
		"UPDATE messages SET stable_event_key = 'VALUE' WHERE transcript_entry_id = 'e2'",
		"UPDATE summaries SET file_ids = '[\"VALUE\"]' WHERE content LIKE 'Keys were exchanged%'",
	} {
		t.Run(statement, func(t *testing.T) {
			t.Parallel()
			p := newPlanted()
			path := plant(t, p)
			execute(t, path, strings.ReplaceAll(statement, "VALUE", p.github))
			db := open(t, path)
			for _, choose := range [][]string{nil, {"github-token#1"}} {
				op := &secrets.Op{Choose: choose}
				plan, err := op.Plan(t.Context(), db, noReport)
				check(t, err)
				if !slices.ContainsFunc(plan.Warnings, func(w string) bool { return strings.Contains(w, "keeps github-token#1") }) {
					t.Errorf("the plan warns of %q", plan.Warnings)
				}
			}
			op := &secrets.Op{ProveLater: true}
			_, err := apply(t, db, op)
			check(t, err)
			db = finish(t, db, op)
			if op.Result.Gone() || op.Result.UncleanPages || len(op.Result.Proof[0].StillIn) != 1 || op.Result.Proof[1].Text() != "gone" {
				t.Errorf("the proof is %+v", op.Result)
			}
			_, err = apply(t, db, &secrets.Op{})
			var kept *secrets.KeptError
			if !errors.As(err, &kept) || errors.Is(err, ops.ErrNothing) || len(kept.Places) != 1 || strings.Contains(err.Error(), p.github) {
				t.Errorf("the next run says %v", err)
			}
			check(t, db.Close())
			if raw, err := os.ReadFile(path); err != nil || strings.Count(string(raw), p.github) > 3 { // The column and its indexes.
				t.Errorf("the file has it %d times (%v)", strings.Count(string(raw), p.github), err)
			}
		})
	}
}
