package review

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ui"
	"lcm-tui/views/viewtest"
)

// TestRowLinesOfManyRows: a change of any size is drawn at once, and says how much
// isn't shown.
func TestRowLinesOfManyRows(t *testing.T) {
	t.Parallel()
	styles := ui.NewStyles(true)
	row := change.Change{Table: "messages", Key: []string{"message_id"}, After: data.Row{"message_id": int64(7)}}
	for n, want := range map[int]string{3: "message_id", mostRows: "message_id", mostRows + 2: "… and 2 rows more"} {
		lines := strings.Split(strings.TrimSpace(viewtest.Plain(rowLines(&styles, make([]change.Change, 0, n)))), "\n")
		if lines[0] != "" {
			t.Errorf("no rows are %q", lines)
		}
		var cs []change.Change
		for range n {
			cs = append(cs, row)
		}
		lines = strings.Split(strings.TrimSpace(viewtest.Plain(rowLines(&styles, cs))), "\n")
		if last := lines[len(lines)-1]; !strings.Contains(last, want) || len(lines) > 2*mostRows+1 {
			t.Errorf("of %d rows there are %d lines, of which the last is %q", n, len(lines), last)
		}
	}
}

// TestWhatAPlanComesToFitsItsLine: the deleted rows stand at its end.
func TestWhatAPlanComesToFitsItsLine(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	r := review(d)
	r.proposal.plan.Impact = ops.Impact{ItemsBefore: 1_377, ItemsAfter: 68, TokensBefore: 110_080, TokensAfter: 101_822}
	for width, want := range map[int]string{80: "items ", 100: "items ", 120: "context items ", 200: "context items "} {
		got := r.impact(width)
		if ansi.StringWidth(got) >= width || !strings.HasPrefix(got, want+"1,377") {
			t.Errorf("in %d cells: %s", width, got)
		}
	}
}

// TestWhatBecomesOfFindingsFitsItsLine: those that can't be repaired stand at its end.
func TestWhatBecomesOfFindingsFitsItsLine(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	r := review(d)
	r.proposal.plan.Items = []ops.Item{{State: ops.Included}, {State: ops.Open}, {State: ops.Open, Choices: []ops.Alternative{{}}}}
	for width, want := range map[int]string{70: "1 to be repaired", 78: "3 findings: 1 to be repaired", 200: "nothing is written yet · 3 findings: 1 to be repaired"} {
		got := viewtest.Plain(r.outcome(width))
		if ansi.StringWidth(got) > width || !strings.HasPrefix(got, want) || !strings.Contains(got, "1 can't be repaired") {
			t.Errorf("in %d cells: %s", width, got)
		}
	}
}

// TestAReviewOfTextsAloneCountsNoContext: a plan that no context is part of says which rows
// change, not that nothing becomes nothing.
func TestAReviewOfTextsAloneCountsNoContext(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	r := review(d)
	r.proposal.plan.Contexts, r.proposal.plan.Impact = nil, ops.Impact{}
	r.proposal.plan.Changes = []change.Change{{Table: "summaries", Before: data.Row{"content": "a"}, After: data.Row{"content": "b"}}}
	for _, width := range []int{80, 200} {
		if got := r.impact(width); got != "rows 1 changed, 0 inserted, 0 deleted" {
			t.Errorf("in %d cells: %s", width, got)
		}
	}
}

// TestThePageOfContextsIsNeverBlank: where a plan compares none, it says where to look.
func TestThePageOfContextsIsNeverBlank(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveWithModel(t, &viewtest.Counting{})
	d.Press("s", "r", "1")
	d.Sees("an estimate", "no text is made yet: what it means for the context is known then")
	d.Press("ctrl+x", "y", "a", "enter", "esc", "H", "u", "1")
	d.Sees("undo #1", "the plan compares no contexts: what it changes stands on the third page")
}
