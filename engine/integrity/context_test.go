package integrity_test

import (
	"fmt"
	"testing"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/testlength"
)

// TestContexts: what is wrong with the items of a context, and what only looks so.
func TestContexts(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	item := func(ordinal int64, column, value string) string {
		kind := "message"
		if column == "summary_id" {
			kind = "summary"
		}
		return fmt.Sprintf("INSERT INTO context_items (conversation_id, ordinal, item_type, %s) VALUES (1, %d, '%s', %s)", column, ordinal, kind, value)
	}
	at := func(ordinal int64, set string) string {
		return fmt.Sprintf("UPDATE context_items SET %s WHERE conversation_id = 1 AND ordinal = %d", set, ordinal)
	}
	const (
		top   = "'sum_4047233931efe86e'" // At ordinal 0, of two condensed summaries.
		below = "'sum_37f814a5afbec780'"
		other = "'sum_690ab324ba5c54f0'" // Of the second conversation.
	)
	checkDamages(t, 1, map[string]damage{
		"an item without its message":            {[]string{item(90, "message_id", "7777")}, integrity.ContextItemDangling, integrity.Error},
		"an item without its summary":            {[]string{item(90, "summary_id", "'sum_gone'")}, integrity.ContextItemDangling, integrity.Error},
		"a message of another conversation":      {[]string{item(90, "message_id", "53")}, integrity.ContextItemForeign, integrity.Error},
		"a summary of another conversation":      {[]string{item(90, "summary_id", other)}, integrity.ContextItemForeign, integrity.Error},
		"which is not out of order":              {[]string{item(90, "message_id", "53")}, integrity.ContextOutOfOrder, ""},
		"a second item of a message":             {[]string{item(90, "message_id", "40")}, integrity.ContextItemDuplicate, integrity.Error},
		"which isn't out of order either":        {[]string{item(90, "message_id", "40")}, integrity.ContextOutOfOrder, ""},
		"a second item of a summary":             {[]string{item(90, "summary_id", top)}, integrity.ContextItemDuplicate, integrity.Error},
		"a negative ordinal":                     {[]string{at(16, "ordinal = -1")}, integrity.ContextOrdinalNegative, integrity.Error},
		"a gap":                                  {[]string{"DELETE FROM context_items WHERE conversation_id = 1 AND ordinal = 5"}, integrity.ContextOrdinalGaps, integrity.Info},
		"no gap":                                 {nil, integrity.ContextOrdinalGaps, ""},
		"a context that begins behind 0":         {[]string{"UPDATE context_items SET ordinal = -1 - ordinal WHERE conversation_id = 1", "UPDATE context_items SET ordinal = 80 - ordinal WHERE conversation_id = 1"}, integrity.ContextOrdinalGaps, ""},
		"a gap before a summary":                 {[]string{"UPDATE context_items SET ordinal = -ordinal - 90 WHERE conversation_id = 1 AND ordinal > 0", "UPDATE context_items SET ordinal = -ordinal WHERE conversation_id = 1 AND ordinal < 0"}, integrity.ContextOrdinalGaps, integrity.Info},
		"a message below a summary of a summary": {[]string{item(90, "message_id", "3")}, integrity.CoveredMessageInContext, integrity.Error},
		"a message below no summary of it":       {[]string{"DELETE FROM context_items WHERE summary_id = " + top, item(90, "message_id", "3")}, integrity.CoveredMessageInContext, ""},
		"a summary below a summary":              {[]string{item(90, "summary_id", below)}, integrity.CoveredSummaryInContext, integrity.Error},
		"a summary of another lineage":           {[]string{item(90, "summary_id", "'sum_19efce1160eed294'")}, integrity.CoveredSummaryInContext, ""},
		"messages that go back":                  {[]string{at(5, "message_id = 44"), at(9, "message_id = 40")}, integrity.ContextOutOfOrder, integrity.Warn},
		"a message under a leaf and a copy":      {[]string{"INSERT INTO summary_messages VALUES ('sum_19efce1160eed294', 37, 9)"}, integrity.CoveredMessageInContext, integrity.Error},
	})
}

// TestLinks: what is wrong with the links between summaries and their sources, and what only
// looks so.
func TestLinks(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const (
		leaf      = "'sum_abf4af7a674beccb'"
		condensed = "'sum_37f814a5afbec780'" // Of leaf and another.
		top       = "'sum_4047233931efe86e'" // Of condensed and another.
		other     = "'sum_690ab324ba5c54f0'" // Of the second conversation.
		free      = "'sum_19efce1160eed294'" // A leaf of another lineage.
	)
	link := func(summary, source string) string {
		return "INSERT INTO summary_parents VALUES (" + summary + ", " + source + ", 9)"
	}
	checkDamages(t, 1, map[string]damage{
		"a leaf that lost its messages":       {[]string{"DELETE FROM summary_messages WHERE summary_id = " + leaf}, integrity.LeafWithoutMessages, integrity.Error},
		"a summary that lost its sources":     {[]string{"DELETE FROM summary_parents WHERE summary_id = " + condensed}, integrity.CondensedWithoutSources, integrity.Error},
		"a link to no summary":                {[]string{link(condensed, "'sum_gone'")}, integrity.LinkDangling, integrity.Error},
		"which is a reference to nothing":     {[]string{link(condensed, "'sum_gone'")}, integrity.ReferenceDangling, integrity.Error},
		"a link to no message":                {[]string{"INSERT INTO summary_messages VALUES (" + leaf + ", 7777, 9)"}, integrity.LinkDangling, integrity.Error},
		"a link from no summary":              {[]string{link("'sum_gone'", leaf)}, integrity.LinkDangling, integrity.Error},
		"which is under one summary only":     {[]string{link("'sum_gone'", leaf)}, integrity.SummaryInSeveralSummaries, ""},
		"a link to another conversation":      {[]string{link(condensed, other)}, integrity.LinkAcrossConversations, integrity.Error},
		"a link from another conversation":    {[]string{link(other, leaf)}, integrity.LinkAcrossConversations, ""}, // The other one has it.
		"a summary of itself":                 {[]string{link(condensed, condensed)}, integrity.SummaryCycle, integrity.Fatal},
		"two of each other":                   {[]string{link(condensed, top)}, integrity.SummaryCycle, integrity.Fatal},
		"two ways to a source":                {[]string{link(top, leaf)}, integrity.SummaryCycle, ""},
		"a source of two":                     {[]string{link(top, leaf)}, integrity.SummaryInSeveralSummaries, integrity.Warn},
		"a depth that its sources don't give": {[]string{"UPDATE summaries SET depth = 3 WHERE summary_id = " + top}, integrity.SummaryDepthWrong, integrity.Error},
		"a depth without sources":             {[]string{"DELETE FROM summary_parents WHERE summary_id = " + condensed, "UPDATE summaries SET depth = 1 WHERE summary_id = " + condensed}, integrity.SummaryDepthWrong, ""},
		"a leaf that a summary is linked to":  {[]string{link(leaf, free)}, integrity.SummaryKindWrong, integrity.Error},
		"which is as deep as a leaf":          {[]string{link(leaf, free)}, integrity.SummaryDepthWrong, ""},
		"which counts its messages":           {[]string{link(leaf, free)}, integrity.DescendantCountersWrong, ""},
		"which has their times":               {[]string{link(leaf, free)}, integrity.CondensedTimeRangeWrong, ""},
		"ordinals from one on":                {[]string{"UPDATE summary_messages SET ordinal = ordinal + 1 WHERE summary_id = " + leaf}, integrity.LinkOrdinalGaps, integrity.Info},
		"ordinals without gaps":               {nil, integrity.LinkOrdinalGaps, ""},
	})
}
