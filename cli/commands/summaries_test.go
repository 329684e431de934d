package commands_test

import (
	"testing"

	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
)

// TestSummariesAreListedInTheOrderOfTheirTimes: within a depth the times that they cover never go back, though
// many were made in the same second.
func TestSummariesAreListedInTheOrderOfTheirTimes(t *testing.T) {
	t.Parallel()
	list := testcli.Object(t, testdb.Fixture(t, "v0.15.3/rich.db"), "summaries", "2")["summaries"].([]any)
	sameSecond := 0
	for i := 1; i < len(list); i++ {
		before, s := list[i-1].(map[string]any), list[i].(map[string]any)
		if before["depth"] != s["depth"] {
			continue
		}
		if before["created_at"] == s["created_at"] {
			sameSecond++
		}
		if before["earliest_at"].(string) > s["earliest_at"].(string) {
			t.Errorf("%v of %v comes after %v of %v", s["summary_id"], s["earliest_at"], before["summary_id"], before["earliest_at"])
		}
	}
	if sameSecond == 0 {
		t.Error("no two summaries were made in the same second")
	}
}
