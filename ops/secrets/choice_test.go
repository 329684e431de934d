package secrets_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/secrets"
)

// TestChoiceByPlaceDoesNotShift: a secret that comes in before the chosen one gets its number.
func TestChoiceByPlaceDoesNotShift(t *testing.T) {
	t.Parallel()
	p := newPlanted()
	path := plant(t, p)
	db := open(t, path)
	found, err := secrets.Find(t.Context(), db, secrets.Request{}, nil)
	check(t, err)
	id := found.Of(1)[0].ID // The token of GitHub.
	execute(t, path, "UPDATE messages SET content = content || ' redis://app:"+p.url+"x@cache.internal/1' WHERE message_id = (SELECT min(message_id) FROM messages)")
	op := &secrets.Op{Places: []string{id}}
	_, err = apply(t, db, op)
	check(t, err)
	if len(op.Result.Proof) != 1 || op.Result.Proof[0].Rule != "github-token" || op.Result.Proof[0].Number == 1 {
		t.Errorf("replaced was %+v", op.Result.Proof)
	}
	var stale *data.StaleError
	if _, err := apply(t, db, op); !errors.As(err, &stale) {
		t.Errorf("a finding that is gone: %v", err)
	}
}

func TestSearchedWordsAndCachedAnswersAreSwept(t *testing.T) {
	t.Parallel()
	p := newPlanted()
	db := open(t, plant(t, p))
	folder := t.TempDir()
	searches, answer, other := filepath.Join(folder, "searches"), filepath.Join(folder, "answers", "one"), filepath.Join(folder, "answers", "two")
	check(t, os.MkdirAll(filepath.Dir(answer), 0o700))
	check(t, os.WriteFile(searches, []byte("harbour\n"+p.github+"\n"), 0o600))
	check(t, os.WriteFile(answer, []byte("{\"text\":\"they use "+p.slack+"\"}"), 0o600))
	check(t, os.WriteFile(other, []byte("nothing"), 0o600))
	op := &secrets.Op{StateFiles: []string{searches, filepath.Join(folder, "none")}, CacheFolders: []string{filepath.Dir(answer)}}
	_, err := apply(t, db, op)
	check(t, err)
	if text, _ := os.ReadFile(searches); string(text) != "harbour\n[REDACTED:github-token#1]\n" {
		t.Errorf("the searched words are %q", text)
	}
	if _, err := os.Stat(answer); !errors.Is(err, os.ErrNotExist) || op.Result.Answers != 1 {
		t.Errorf("the answer is still there: %v", err)
	}
	if _, err := os.Stat(other); err != nil {
		t.Error(err)
	}
}

// TestSecondRunGoesOnAfterAStop: the first ends after its first turn, as one that is killed does.
func TestSecondRunGoesOnAfterAStop(t *testing.T) {
	t.Parallel()
	p := newPlanted()
	path := plant(t, p)
	db := open(t, path)
	ctx, stop := context.WithCancel(t.Context())
	op := &secrets.Op{}
	plan, err := op.Plan(ctx, db, noReport)
	check(t, err)
	_, err = ops.ApplyPlan(ctx, db, plan, func(_, _ int, note string) {
		if strings.HasPrefix(note, "writing") {
			stop()
		}
	})
	if err == nil || strings.Contains(hint.Of(err), "lcm-tui undo") {
		t.Errorf("the stopped run says %v", err)
	}
	again := &secrets.Op{}
	if _, err = apply(t, db, again); err != nil && !errors.Is(err, ops.ErrNothing) {
		t.Fatal(err)
	}
	for _, value := range p.all() {
		if rows := testdb.Rows(t, path, "SELECT count(*) FROM messages WHERE instr(content, '"+value+"')"); rows[0] != "0" {
			t.Error("a message has a value")
		}
	}
}

// TestEveryTurnLeavesSearchTablesInStep: wherever a run is stopped, a message or a summary and its search tables have the
// same placeholder. The next run gives other numbers.
func TestEveryTurnLeavesSearchTablesInStep(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := plant(t, newPlanted())
	db := open(t, path)
	db.PartRows = 1
	op := &secrets.Op{}
	plan, err := op.Plan(t.Context(), db, noReport)
	check(t, err)
	turns := 0
	_, err = ops.ApplyPlan(t.Context(), db, plan, func(_, _ int, note string) {
		if !strings.HasPrefix(note, "writing") {
			return
		}
		turns++
		for _, differ := range []string{
			"SELECT count(*) FROM messages m JOIN messages_fts f ON f.rowid = m.message_id WHERE f.content <> m.content",
			"SELECT count(*) FROM summaries s JOIN summaries_fts f ON f.summary_id = s.summary_id WHERE f.content <> s.content",
		} {
			if n := testdb.Rows(t, path, differ)[0]; n != "0" {
				t.Errorf("after turn %d: %s: %s", turns, differ, n)
			}
		}
	})
	check(t, err)
	if turns < 4 {
		t.Errorf("it was written in %d turns", turns)
	}
}
