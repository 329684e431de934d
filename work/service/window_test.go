package service_test

import (
	"testing"
	"time"

	"lcm-tui/internal/testdb"
	"lcm-tui/work/service"
)

// TestHours: their end is no part of them; they may go over midnight.
func TestHours(t *testing.T) {
	t.Parallel()
	for hours, times := range map[string]map[string]bool{
		"01:00-06:00": {"00:59": false, "01:00": true, "05:59": true, "06:00": false, "23:00": false},
		"22:30-05:00": {"22:29": false, "22:30": true, "23:59": true, "00:00": true, "04:59": true, "05:00": false, "12:00": false},
	} {
		w, err := service.ParseWindow(hours)
		testdb.Must(t, err)
		if w.String() != hours {
			t.Errorf("%s is printed as %s", hours, w)
		}
		for clock, want := range times {
			at, err := time.ParseInLocation("2006-01-02 15:04", "2026-03-04 "+clock, time.FixedZone("here", 3*3600))
			testdb.Must(t, err)
			if w.Has(at) != want {
				t.Errorf("%s in %s: %v", clock, hours, !want)
			}
		}
	}
	if !(service.Window{}).Has(time.Now()) {
		t.Error("without hours it is always time")
	}
	for _, wrong := range []string{"", "1:00-6:00", "01:00", "01:00-24:00", "01:00-01:60", "01:00-01:00", "01:00-06:00-07:00", "a-b"} {
		if w, err := service.ParseWindow(wrong); err == nil {
			t.Errorf("%q is %s", wrong, w)
		}
	}
}
