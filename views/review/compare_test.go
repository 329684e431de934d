package review

import (
	"fmt"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/ops"
	"lcm-tui/ui"
	"lcm-tui/views/viewtest"
)

// TestLongTextsAreComparedBesideTheLoop: drawing them says that they are being compared,
// and their difference comes as the result of a job.
func TestLongTextsAreComparedBesideTheLoop(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&text, "line %d of a long text\n", i)
	}
	before := text.String()
	after := strings.Replace(before, "line 7 of", "line seven of", 1)
	d := viewtest.DriveSample(t, fakehost.Head)
	p := ops.Plan{Op: "edit", Title: "edit a summary", RowPlan: ops.RowPlan{Texts: []ops.Text{{ID: "sum_1", Before: before, After: after}}}}
	r := NewReview(d.Env, nil, p)
	r.page = pageText
	if got := viewtest.Plain(r.View(120, 30)); !strings.Contains(got, "comparing") {
		t.Errorf("it was compared while it was drawn:\n%s", got)
	}
	d.Send(ui.PushMsg{Screen: r})
	d.Sees("seven")
	d.Misses("comparing")
	short := NewReview(d.Env, nil, ops.Plan{Op: "edit", RowPlan: ops.RowPlan{Texts: []ops.Text{{ID: "sum_1", Before: "one", After: "two"}}}})
	short.page = pageText
	if got := viewtest.Plain(short.View(120, 30)); strings.Contains(got, "comparing") || !strings.Contains(got, "two") {
		t.Errorf("a short text:\n%s", got)
	}
}
