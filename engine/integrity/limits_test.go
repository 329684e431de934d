package integrity_test

import (
	"testing"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/settings"
	"lcm-tui/internal/testlength"
)

// TestLimitsAreThoseOfTheSettings: for every check that has a limit, a row between two
// settings is no finding under the one that allows more, and one under the other. Under
// the defaults each is what it always was.
func TestLimitsAreThoseOfTheSettings(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const (
		leaf      = "(SELECT summary_id FROM summaries WHERE conversation_id = 1 AND kind = 'leaf' LIMIT 1)"
		condensed = "(SELECT summary_id FROM summaries WHERE conversation_id = 1 AND kind = 'condensed' LIMIT 1)"
		running   = "INSERT OR REPLACE INTO conversation_compaction_maintenance (conversation_id, running, last_started_at) VALUES (1, 1, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-90 minutes'))"
		fresh     = "DELETE FROM summaries; DELETE FROM context_items WHERE summary_id IS NOT NULL; UPDATE messages SET token_count = 1000"
		noted     = "INSERT OR REPLACE INTO conversation_compaction_maintenance (conversation_id, token_budget) VALUES (1, 500000)"
	)
	for name, c := range map[string]struct {
		make       []string
		fault      integrity.FaultID
		setting    string
		more, less string
		otherwise  map[string]string // Also in force.
		usual      int               // How many findings there are under the defaults.
	}{
		"a leaf, its target":           {[]string{"UPDATE summaries SET token_count = 9353 WHERE summary_id = " + leaf}, integrity.SummaryOversized, "leafTargetTokens", "4000", "3000", nil, 1},
		"a leaf, the factor":           {[]string{"UPDATE summaries SET token_count = 9353 WHERE summary_id = " + leaf}, integrity.SummaryOversized, "summaryMaxOverageFactor", "4", "3.5", nil, 1},
		"a small leaf":                 {[]string{"UPDATE summaries SET token_count = 1000 WHERE summary_id = " + leaf}, integrity.SummaryOversized, "leafTargetTokens", "600", "300", nil, 0},
		"a condensed one, its target":  {[]string{"UPDATE summaries SET token_count = 6500 WHERE summary_id = " + condensed}, integrity.SummaryOversized, "condensedTargetTokens", "2200", "2100", nil, 1},
		"a condensed one, both":        {[]string{"UPDATE summaries SET token_count = 3000 WHERE summary_id = " + condensed}, integrity.SummaryOversized, "condensedTargetTokens", "3000", "2999", map[string]string{"summaryMaxOverageFactor": "1", "leafTargetTokens": "9000"}, 0},
		"a large message":              {[]string{"UPDATE messages SET token_count = 30000 WHERE message_id = 7"}, integrity.PayloadInRow, "largeFileThresholdTokens", "30001", "30000", nil, 1},
		"a message of a smaller limit": {[]string{"UPDATE messages SET token_count = 20000 WHERE message_id = 7"}, integrity.PayloadInRow, "largeFileThresholdTokens", "20001", "20000", nil, 0},
		"a context without a summary":  {[]string{fresh}, integrity.NeverCompacted, "maxAssemblyTokenBudget", "900000", "1000", nil, 0},
		"the budget that a host noted": {[]string{fresh, noted, "UPDATE messages SET token_count = 20000"}, integrity.NeverCompacted, "maxAssemblyTokenBudget", "500000", "5000", nil, 0},
		"a long compaction":            {[]string{running}, integrity.CompactionStuck, "compactUntilUnderDeadlineMs", "7200000", "60000", nil, 1},
		"a long sweep":                 {[]string{running}, integrity.CompactionStuck, "sweepDeadlineMs", "7200000", "60000", nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := altered(t, c.make...)
			found := func(value string) int {
				set := map[string]string{c.setting: value}
				for name, v := range c.otherwise {
					set[name] = v
				}
				if value == "" {
					set = nil
				}
				s := settings.Load(func(string) string { return "" }, openclaw.Config{}, set)
				if len(s.Problems) > 0 {
					t.Fatal(s.Problems)
				}
				r := integrity.Request{Conversation: 1, Faults: []integrity.FaultID{c.fault}, Limits: integrity.LimitsOf(s)}
				return len(check(t, path, r).Findings)
			}
			if n := found(""); n != c.usual {
				t.Errorf("%d findings under the defaults, not %d", n, c.usual)
			}
			if n := found(c.more); n != 0 {
				t.Errorf("%d findings under %s %s", n, c.setting, c.more)
			}
			if n := found(c.less); n == 0 {
				t.Errorf("nothing is found under %s %s", c.setting, c.less)
			}
			if a, b := check(t, path, integrity.Request{Conversation: 1, Faults: []integrity.FaultID{c.fault}}), found(""); len(a.Findings) != b {
				t.Errorf("%d findings without limits, %d under the defaults", len(a.Findings), b)
			}
		})
	}
}
