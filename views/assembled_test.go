package views

import (
	"strings"
	"testing"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/settings"
	"lcm-tui/internal/fakehost"
)

func TestAssembledOfTheSample(t *testing.T) {
	d := driveSample(t, fakehost.V0_10)
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
	d.goldens()
	d.press("Y")
	d.sees("copied")
	d.press("G", "esc")
	if _, ok := d.app.Top().(*Context); !ok {
		t.Errorf("esc showed %T", d.app.Top())
	}
}

// TestAssembledByTheSettings: the zone of times and the limit of the fresh tail are those in
// force.
func TestAssembledByTheSettings(t *testing.T) {
	t.Parallel()
	for zone, want := range map[string]string{"": "T10:01:00", "Asia/Tokyo": "T19:01:00"} {
		d := driveSample(t, fakehost.V0_11)
		vars := map[string]string{"TZ": zone, "LCM_FRESH_TAIL_MAX_TOKENS": "0"}
		d.env.Settings = func() settings.Settings {
			return settings.Load(func(name string) string { return vars[name] }, openclaw.Config{}, nil)
		}
		d.env.readDiskState()
		v := d.contextOf(1)
		d.press("P")
		a, ok := d.app.Top().(*Assembled)
		if !ok || !strings.Contains(a.text, want) {
			t.Errorf("in %q there is no time %s", zone, want)
		}
		tail := 0
		for _, r := range v.list.Items() {
			if r.tail {
				tail++
			}
		}
		if all := assemble.FreshTail(v.items, assemble.Tail{Count: v.tailCount}); tail >= len(v.items)-all {
			t.Errorf("%d items are in a fresh tail of no tokens", tail)
		}
	}
}

// TestAssembledUnderAWhatIf: what the model would get under another budget.
func TestAssembledUnderAWhatIf(t *testing.T) {
	d := driveFile(t, wide(t, 40, 1000))
	v := d.contextOf(1)
	d.press("B")
	d.write("8k")
	d.press("enter", "P")
	if v.budget != 8_000 || len(d.app.Top().(*Assembled).facts) == 0 {
		t.Errorf("the budget is %d", v.budget)
	}
	d.sees("of 8,000t", "evicted")
}

func TestAssembledHostileText(t *testing.T) {
	d := driveSample(t, fakehost.V0_15, "hostile-text")
	d.contextOf(1)
	d.press("P")
	d.clean(100, 200)
	d = driveSample(t, fakehost.Head, "bad-values")
	d.contextOf(1)
	d.press("P")
	d.clean(100, 200)
}
