package conversation

import (
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

func TestFocusScreens(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("enter", "6")
	d.Goldens()
}

func TestFocusMissingSourceAndFailure(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("enter", "6")
	host, err := fakehost.Open(d.Path)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{
		"UPDATE focus_brief_sources SET summary_id = 'sum_gone' WHERE ordinal = 0",
		"UPDATE focus_briefs SET status = 'failed', error = 'the model' || char(27) || '[2J did not answer'",
	} {
		if err := host.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := host.Close(); err != nil {
		t.Fatal(err)
	}
	d.Send(ui.ChangedMsg{External: true})
	d.Sees("sum_gone  ! there is no such summary", "! failed: the model␛[2J did not answer", "! failed")
	d.Clean(120, 36)
	d.Clean(80, 24)
}

// TestNoTableOfFocusBriefs: a newer file may have lost it, and its version isn't given as the reason.
func TestNoTableOfFocusBriefs(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, viewtest.Fixture(t, "faults/optional-tables-missing.db"))
	d.Open(1, views.TabFocus)
	d.Sees("no table of focus briefs, which hosts make from 0.11 on")
}

func TestFocusOfEveryLevel(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, level := range append(fakehost.Levels(), fakehost.Beta, fakehost.Fork) {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			d := viewtest.DriveSample(t, level)
			d.Open(1, views.TabFocus)
			switch {
			case !level.Before(fakehost.V0_11):
			default:
				d.Sees("no table of focus briefs, which hosts make from 0.11 on")
			}
			for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}, {20, 5}} {
				d.Clean(size[0], size[1])
			}
		})
	}
}
