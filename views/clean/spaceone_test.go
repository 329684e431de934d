package clean

import (
	"context"
	"strings"
	"testing"

	"lcm-tui/internal/testdb"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/space"
	"lcm-tui/views/viewtest"
)

// TestCleaningsOfFilesOfOne: those that a file of a host of 1.0 has are listed, also where nothing qualifies, with the
// reasons; what is done with in the background can be reviewed.
func TestCleaningsOfFilesOfOne(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	v := NewSpace(d.Env)
	db := testdb.Open(t, testdb.Fixture(t, "v1.0/rich.db"))
	report, err := space.Read(t.Context(), db, space.Folders{}, func(*space.Report) {})
	if err != nil {
		t.Fatal(err)
	}
	measured := func() (*space.Measurement, error) { return report.Measurement, nil }
	if err := prune.Levers(context.Background(), db, measured, prune.LeverRequest{}, func(l space.Lever) { report.AddLever(l) }); err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, r := range leverRows(report) {
		texts[r.name] = leverText(r.lever)
		a := v.enterAction(r, "")
		switch r.name {
		case "prune payloads":
			if a.Key.Enabled() || a.Why != "nothing qualifies" {
				t.Errorf("payloads: %q", a.Why)
			}
		case space.PruneBatches:
			if !a.Key.Enabled() {
				t.Errorf("batches have no key: %s", a.Why)
			}
		}
	}
	for name, want := range map[string]string{
		"prune payloads": "vouched for any message", "prune text": "6 conversations stay as they are: ", "prune conversations": "no database of the host's sessions was found",
		space.PruneBatches: "can't be undone",
	} {
		if !strings.Contains(texts[name], want) {
			t.Errorf("%s: %q, want %q", name, texts[name], want)
		}
	}
}
