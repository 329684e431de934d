package integrity_test

import (
	"slices"
	"testing"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/testlength"
)

// TestSummaries: what is wrong with a summary's text, counts, times and links, and what only
// looks so.
func TestSummaries(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const (
		leaf      = "'sum_abf4af7a674beccb'" // Of messages 1 to 8.
		other     = "'sum_0b09b01c9d232372'"
		condensed = "'sum_37f814a5afbec780'" // Of both.
		long      = "'A text of more than forty characters, of which there are two.'"
	)
	set := func(id, columns string) string {
		return "UPDATE summaries SET " + columns + " WHERE summary_id = " + id
	}
	checkDamages(t, 1, map[string]damage{
		"the same long text":                  {[]string{set(leaf, "content = "+long), set(other, "content = "+long)}, integrity.SummaryDuplicate, integrity.Warn},
		"the same short text":                 {[]string{set(leaf, "content = 'Nothing happened.'"), set(other, "content = 'Nothing happened.'")}, integrity.SummaryDuplicate, ""},
		"the same text in two conversations":  {[]string{set(leaf, "content = "+long), set("'sum_690ab324ba5c54f0'", "content = "+long)}, integrity.SummaryDuplicate, ""},
		"blank":                               {[]string{set(leaf, "content = ' ' || char(10) || char(160)")}, integrity.SummaryEmpty, integrity.Error},
		"nothing was cut":                     {[]string{set(leaf, "content = '[Truncated from 0 tokens]'")}, integrity.SummaryEmpty, integrity.Error},
		"a count of half":                     {[]string{set(leaf, "token_count = 16")}, integrity.SummaryTokensWrong, ""},
		"a count of a third":                  {[]string{set(leaf, "token_count = 13")}, integrity.SummaryTokensWrong, integrity.Warn},
		"a count of four times":               {[]string{set(leaf, "token_count = 160")}, integrity.SummaryTokensWrong, integrity.Warn},
		"no count":                            {[]string{set(leaf, "token_count = 0")}, integrity.SummaryTokensWrong, integrity.Warn},
		"a count that is no number":           {[]string{set(leaf, "token_count = 'many'")}, integrity.SummaryTokensWrong, integrity.Warn},
		"as large as its source":              {[]string{set(leaf, "source_message_token_count = 38")}, integrity.SummaryLargerThanSource, integrity.Warn},
		"smaller than its source":             {[]string{set(leaf, "source_message_token_count = 39")}, integrity.SummaryLargerThanSource, ""},
		"a condensed one as large":            {[]string{set(condensed, "source_message_token_count = 1")}, integrity.SummaryLargerThanSource, ""},
		"times off by a second":               {[]string{set(leaf, "earliest_at = '2026-01-05T09:02:01.000Z'")}, integrity.LeafTimeRangeWrong, ""},
		"times off by a minute":               {[]string{set(leaf, "earliest_at = '2026-01-05T09:03:00.000Z'")}, integrity.LeafTimeRangeWrong, integrity.Warn},
		"no times":                            {[]string{set(leaf, "earliest_at = NULL, latest_at = NULL")}, integrity.LeafTimeRangeWrong, integrity.Warn},
		"a condensed one off by a minute":     {[]string{set(condensed, "latest_at = '2026-01-05T09:18:00.000Z'")}, integrity.CondensedTimeRangeWrong, integrity.Warn},
		"counters that are sums":              {nil, integrity.DescendantCountersWrong, ""},
		"counters that aren't":                {[]string{set(condensed, "descendant_count = 9")}, integrity.DescendantCountersWrong, integrity.Warn},
		"a leaf that counts senders":          {[]string{set(leaf, "source_message_token_count = 300"), `UPDATE messages SET openclaw_sender_metadata = '{"name":"Ada"}' WHERE message_id = 2`}, integrity.SourceTokensWrong, ""},
		"a leaf that counts nobody":           {[]string{set(leaf, "source_message_token_count = 300")}, integrity.SourceTokensWrong, integrity.Warn},
		"a leaf whose counter is a text":      {[]string{set(leaf, "descendant_count = 'x'")}, integrity.SourceTokensWrong, integrity.Warn},
		"a leaf of a file without a counter":  {[]string{"ALTER TABLE summaries RENAME COLUMN descendant_token_count TO x"}, integrity.SourceTokensWrong, ""},
		"a leaf at a depth":                   {[]string{set(leaf, "depth = 1")}, integrity.SummaryDepthWrong, integrity.Error},
		"a leaf that is said to be condensed": {[]string{set(leaf, "kind = 'condensed'")}, integrity.SummaryKindWrong, integrity.Error},
		"its depth then":                      {[]string{set(leaf, "kind = 'condensed'")}, integrity.SummaryDepthWrong, ""},
		"its sources then":                    {[]string{set(leaf, "kind = 'condensed'")}, integrity.CondensedWithoutSources, ""},
		"a file without a row":                {[]string{set(leaf, `file_ids = '["file_00000000deadbeef"]'`)}, integrity.SummaryFileRowMissing, integrity.Warn},
		"a file with a row":                   {[]string{set(leaf, `file_ids = '["file_0123456789abcdef"]'`)}, integrity.SummaryFileRowMissing, ""},
		"files that are no list":              {[]string{set(leaf, `file_ids = '{"a":1}'`)}, integrity.SummaryFileRowMissing, ""},
		"files that are no JSON":              {[]string{set(leaf, `file_ids = '[file_1'`)}, integrity.ContentMalformed, integrity.Error},
		"a link of a leaf twice":              {[]string{"INSERT INTO summary_messages VALUES (" + other + ", 1, 7)"}, integrity.MessageInSeveralLeaves, integrity.Warn},
		"capped in its last line":             {[]string{set(leaf, "content = content || char(10) || '[Capped from 511 tokens to ~40]'")}, integrity.SummaryCapped, integrity.Info},
		"capped in the middle":                {[]string{set(leaf, "content = '[Capped from 511 tokens to ~40]' || char(10) || content")}, integrity.SummaryCapped, ""},
	})
}

// TestEachFaultAlone: a check for one fault finds what a check for all finds of it, though it
// reads no more of the file than the fault's scope.
func TestEachFaultAlone(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := broken(t, manyFaults...)
	all := check(t, path, integrity.Request{})
	checked := 0
	for _, f := range integrity.Faults() {
		want := rowsOf(all, f.ID)
		if len(want) == 0 {
			continue
		}
		checked++
		if got := rowsOf(check(t, path, integrity.Request{Faults: []integrity.FaultID{f.ID}}), f.ID); !slices.Equal(got, want) {
			t.Errorf("%s alone is found at %v, with all others at %v", f.ID, got, want)
		}
	}
	if checked < 40 {
		t.Errorf("the file has %d faults", checked)
	}
}
