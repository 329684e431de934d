package views

import (
	"strings"
	"testing"

	"lcm-tui/internal/lcmtest"
)

func TestAssembledOfTheSample(t *testing.T) {
	d := driveSample(t, lcmtest.V0_10)
	d.contextOf(1)
	d.press("P")
	a, ok := d.app.Top().(*Assembled)
	if !ok {
		t.Fatalf("P showed %T", d.app.Top())
	}
	d.sees("as the model gets it", "items kept", "0 evicted", `<summary id="sum_`)
	if !strings.Contains(a.text, "trust=\"untrusted\"") {
		t.Error("there is nothing to copy")
	}
	d.golden()
	d.press("Y")
	d.sees("copied")
	d.press("G", "esc")
	if _, ok := d.app.Top().(*Context); !ok {
		t.Errorf("esc showed %T", d.app.Top())
	}
}

func TestAssembledUnderASupposedBudget(t *testing.T) {
	d := driveFile(t, wide(t, 40, 1000))
	v := d.contextOf(1)
	for range 15 {
		d.press("<")
	}
	d.press("P")
	if v.budget != 8_000 || len(d.app.Top().(*Assembled).facts) == 0 {
		t.Errorf("the budget is %d", v.budget)
	}
	d.sees("of 8,000t", "evicted")
}

func TestAssembledHostileText(t *testing.T) {
	d := driveSample(t, lcmtest.V0_15, "hostile-text")
	d.contextOf(1)
	d.press("P")
	d.clean(100, 200)
	d = driveSample(t, lcmtest.Head, "bad-values")
	d.contextOf(1)
	d.press("P")
	d.clean(100, 200)
}
