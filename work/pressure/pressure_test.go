package pressure_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/settings"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/work"
	"lcm-tui/work/pressure"
)

// file returns a database of a level with conversations of so many messages of 100 tokens each. Those after the first
// are newer.
func file(t *testing.T, level fakehost.Level, sizes ...int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, level)
	testdb.Must(t, err)
	for i, n := range sizes {
		conv, err := h.Conversation(fakehost.Conversation{SessionKey: fmt.Sprintf("agent:main:%d", i+1), Active: true})
		testdb.Must(t, err)
		for range n {
			_, err := h.Message(conv, fakehost.Message{Role: "user", Content: strings.Repeat("word ", 80), Tokens: 100})
			testdb.Must(t, err)
		}
	}
	testdb.Must(t, h.Close())
	return path
}

// found returns the candidates with a threshold and a budget that the host noted for all.
func found(t *testing.T, path string, r pressure.Rules, threshold string, rules ...any) []work.Candidate {
	t.Helper()
	host := openclaw.Config{Plugin: map[string]any{"contextThresholdOverrides": rules}}
	r.Settings = settings.Load(func(string) string { return "" }, host, map[string]string{"contextThreshold": threshold})
	out, err := pressure.Find(t.Context(), testdb.Open(t, path), r)
	testdb.Must(t, err)
	return out
}

func numbers(found []work.Candidate) (ids []int64) {
	for _, c := range found {
		ids = append(ids, c.Conversation)
	}
	return ids
}

// setBudget notes a budget for every conversation, as a host does.
func setBudget(t *testing.T, path string, tokens int) {
	t.Helper()
	testdb.Execute(t, path, fmt.Sprintf("INSERT INTO conversation_compaction_maintenance (conversation_id, token_budget) SELECT conversation_id, %d FROM conversations", tokens))
}

// TestAContextIsDueAboveItsThreshold, and not at it; the threshold is rounded down, and that with the newest message
// comes first.
func TestAContextIsDueAboveItsThreshold(t *testing.T) {
	t.Parallel()
	path := file(t, fakehost.V0_15, 4, 5, 6)
	setBudget(t, path, 1000)
	for threshold, want := range map[string][]int64{
		"0.5": {3}, "0.4": {3, 2}, "0.4999": {3, 2}, "0.3995": {3, 2, 1}, "0.6": nil,
	} {
		if got := numbers(found(t, path, pressure.Rules{}, threshold)); !slices.Equal(got, want) {
			t.Errorf("%s of 1,000 tokens: %v, want %v", threshold, got, want)
		}
	}
}

// TestNobodyNotedABudget: then it is that of compact.
func TestNobodyNotedABudget(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, level := range []fakehost.Level{fakehost.V0_1, fakehost.V0_15, fakehost.Beta} {
		path := file(t, level, 4, 12)
		if got := numbers(found(t, path, pressure.Rules{}, "0.01")); got != nil { // Of 128,000.
			t.Errorf("%s: %v", level, got)
		}
		if got := numbers(found(t, path, pressure.Rules{}, "0.005")); !slices.Equal(got, []int64{2}) {
			t.Errorf("%s: %v", level, got)
		}
	}
}

// TestExceptionsOfSessions: the threshold is that which compact takes for the conversation.
func TestExceptionsOfSessions(t *testing.T) {
	t.Parallel()
	path := file(t, fakehost.V0_15, 4, 4)
	setBudget(t, path, 1000)
	rule := map[string]any{"contextThreshold": 0.3, "sessionPattern": "agent:main:1"}
	if got := numbers(found(t, path, pressure.Rules{}, "", rule)); !slices.Equal(got, []int64{1}) {
		t.Errorf("%v", got)
	}
}

// TestTooManyMessages is a reason of its own, which is off where no number is given.
func TestTooManyMessages(t *testing.T) {
	t.Parallel()
	path := file(t, fakehost.V0_15, 4, 5)
	got := found(t, path, pressure.Rules{MaxMessages: 4}, "0.9")
	if !slices.Equal(numbers(got), []int64{2}) || got[0].Reason != work.Messages {
		t.Errorf("%+v", got)
	}
	if got := found(t, path, pressure.Rules{}, "0.9"); len(got) > 0 {
		t.Errorf("%+v", got)
	}
}

// TestConversationsThatAreOver aren't candidates, and neither are those of which only prompts are left.
func TestConversationsThatAreOver(t *testing.T) {
	t.Parallel()
	path := file(t, fakehost.V0_15, 5, 5, 5)
	setBudget(t, path, 100)
	testdb.Execute(t, path, "UPDATE conversations SET active = 0 WHERE conversation_id = 1", "UPDATE conversations SET session_key = 'agent:main:2:prompts' WHERE conversation_id = 2")
	if got := numbers(found(t, path, pressure.Rules{}, "0.5")); !slices.Equal(got, []int64{3}) {
		t.Errorf("%v", got)
	}
}

// TestTheMarkOfAContext changes with it, and with the rule.
func TestTheMarkOfAContext(t *testing.T) {
	t.Parallel()
	path := file(t, fakehost.V0_15, 5)
	setBudget(t, path, 100)
	first := found(t, path, pressure.Rules{}, "0.5")[0].Mark
	if again := found(t, path, pressure.Rules{}, "0.5")[0].Mark; again != first {
		t.Errorf("%q, then %q", first, again)
	}
	if other := found(t, path, pressure.Rules{}, "0.6")[0].Mark; other == first {
		t.Errorf("another threshold: %q", other)
	}
	testdb.Execute(t, path, "DELETE FROM context_items WHERE ordinal = 0")
	if after := found(t, path, pressure.Rules{}, "0.5")[0].Mark; after == first {
		t.Errorf("another context: %q", after)
	}
}
