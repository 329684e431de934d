package conversation

import (
	"strings"
	"testing"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/settings"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/views/viewtest"
)

func TestAssembledOfTheSample(t *testing.T) {
	d := viewtest.DriveSample(t, fakehost.V0_10)
	contextOf(d, 1)
	d.Press("v")
	a, ok := d.App.Top().(*Assembled)
	if !ok {
		t.Fatalf("P showed %T", d.App.Top())
	}
	d.Sees("as the model gets it", "items kept", "0 evicted", `<summary id="sum_`)
	if !strings.Contains(a.text, "trust=\"untrusted\"") {
		t.Error("there is nothing to copy")
	}
	d.Goldens()
	d.Press("Y")
	d.Sees("copied")
	d.Press("G", "esc")
	if _, ok := d.App.Top().(*Context); !ok {
		t.Errorf("esc showed %T", d.App.Top())
	}
}

// TestAssembledByTheSettings: the zone of times and the limit of the fresh tail are those in
// force.
func TestAssembledByTheSettings(t *testing.T) {
	t.Parallel()
	for zone, want := range map[string]string{"": "T10:01:00", "Asia/Tokyo": "T19:01:00"} {
		d := viewtest.DriveSample(t, fakehost.V0_11)
		vars := map[string]string{"TZ": zone, "LCM_FRESH_TAIL_MAX_TOKENS": "0"}
		d.Env.Settings = func() settings.Settings {
			return settings.Load(func(name string) string { return vars[name] }, openclaw.Config{}, nil)
		}
		d.Env.ReadDiskState()
		v := contextOf(d, 1)
		d.Press("v")
		a, ok := d.App.Top().(*Assembled)
		if !ok || !strings.Contains(a.text, want) {
			t.Errorf("in %q there is no time %s", zone, want)
		}
		tail := tailRows(v)
		if all := assemble.FreshTail(v.items, assemble.Tail{Count: v.tailCount}); tail >= len(v.items)-all {
			t.Errorf("%d items are in a fresh tail of no tokens", tail)
		}
	}
}

// TestAssembledUnderAWhatIf: what the model would get under another budget.
func TestAssembledUnderAWhatIf(t *testing.T) {
	d := viewtest.DriveFile(t, viewtest.Wide(t, 40, 1000))
	v := contextOf(d, 1)
	d.Press("B")
	d.Write("8k")
	d.Press("enter", "v")
	if v.budget != 8_000 || len(d.App.Top().(*Assembled).facts) == 0 {
		t.Errorf("the budget is %d", v.budget)
	}
	d.Sees("of 8,000t", "evicted")
}

func TestAssembledHostileText(t *testing.T) {
	d := viewtest.DriveSample(t, fakehost.V0_15, "hostile-text")
	contextOf(d, 1)
	d.Press("v")
	d.Clean(100, 200)
	d = viewtest.DriveSample(t, fakehost.Head, "bad-values")
	contextOf(d, 1)
	d.Press("v")
	d.Clean(100, 200)
}

// TestTheFreshTailOfAContextCountsSenders: under a token limit the name of who sent a message takes tokens as well.
func TestTheFreshTailOfAContextCountsSenders(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	testdb.Must(t, faults.Alter(path, `UPDATE messages SET token_count = 4, role = 'user', openclaw_sender_metadata = '{"senderId":"22"}'`))
	d := viewtest.DriveFile(t, path)
	d.WithModels(map[string]string{"LCM_FRESH_TAIL_MAX_TOKENS": "47"}) // Two messages of 16.
	v := contextOf(d, 1)
	if n := len(v.items) - assemble.FreshTail(v.counted, v.whatIfTail()); n != 2 {
		t.Errorf("%d messages are in the fresh tail", n)
	}
	if n := tailRows(v); n != 2 {
		t.Errorf("%d rows are in the fresh tail", n)
	}
}

// tailRows returns how many rows are in the fresh tail.
func tailRows(v *Context) (n int) {
	for _, r := range v.List.Items() {
		if r.tail {
			n++
		}
	}
	return n
}
