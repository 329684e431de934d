package views

import (
	"encoding/json"
	"os"
	"testing"

	"lcm-tui/ops"
	"lcm-tui/ops/dissolve"
	"lcm-tui/ops/planfile"
)

// TestPlanIsSavedAndAppliedFromItsFile: W writes the plan of a review beside the database and
// changes nothing; the palette finds the file, and its review applies it.
func TestPlanIsSavedAndAppliedFromItsFile(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	was := d.dump()
	r := d.review()
	r.env.PlanFiles = &PlanFiles{Version: "test", Codecs: planfile.Codecs{"dissolve": {
		Encode: func(op ops.Op, _ ops.Plan) (any, error) { return op, nil },
		Decode: func(request json.RawMessage) (ops.Op, error) {
			o := &dissolve.Op{}
			return o, planfile.DecodeRequest(request, o)
		},
	}}}
	d.press("W")
	d.sees("Save the plan in a file?", "private to you")
	d.press("y")
	d.sees("saved the plan in")
	files := planfile.Beside(d.path)
	if len(files) != 1 || d.dump() != was {
		t.Fatalf("the files are %q", files)
	}
	d.press("esc")
	found, err := r.env.findPlans(t.Context(), "apply the plan")
	if err != nil || len(found) != 1 {
		t.Fatalf("%d are found: %v", len(found), err)
	}
	if also, err := r.env.findPlans(t.Context(), files[0]); err != nil || len(also) != 1 {
		t.Errorf("by its path %d are found: %v", len(also), err)
	}
	d.run(found[0].Run())
	d.sees("Review", "nothing is written yet")
	d.press("W")
	d.misses("Save the plan in a file?")
	d.press("a")
	d.sees("applied as #1")
	d.press("u")
	d.sees("#1 is undone")
	if d.dump() != was {
		t.Error("the undo leaves other rows")
	}
	if err := os.WriteFile(files[0], []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.run(found[0].Run())
	d.sees("it is no plan of lcm-tui")
}
