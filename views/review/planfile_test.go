package review

import (
	"encoding/json"
	"os"
	"testing"

	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/dissolve"
	"lcm-tui/ops/planfile"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// TestPlanIsSavedAndAppliedFromItsFile: W writes the plan of a review beside the database and
// changes nothing; the palette finds the file, and its review applies it.
func TestPlanIsSavedAndAppliedFromItsFile(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveDemo(t)
	was := d.Dump()
	r := review(d)
	r.env.PlanFiles = &views.PlanFiles{Version: "test", Codecs: planfile.Codecs{"dissolve": {
		Encode: func(op ops.Op, _ ops.Plan) (any, error) { return op, nil },
		Decode: func(request json.RawMessage) (ops.Op, error) {
			o := &dissolve.Op{}
			return o, planfile.DecodeRequest(request, o)
		},
	}}}
	d.Press("W")
	d.Sees("Save the plan in a file?", "private to you")
	d.Press("y")
	d.Sees("saved the plan in")
	files := planfile.Beside(d.Path)
	if len(files) != 1 || d.Dump() != was {
		t.Fatalf("the files are %q", files)
	}
	d.Press("esc")
	found, err := views.FindPlans(t.Context(), r.env, "apply the plan")
	if err != nil || len(found) != 1 {
		t.Fatalf("%d are found: %v", len(found), err)
	}
	if also, err := views.FindPlans(t.Context(), r.env, files[0]); err != nil || len(also) != 1 {
		t.Errorf("by its path %d are found: %v", len(also), err)
	}
	d.Run(found[0].Run())
	d.Sees("Review", "nothing is written yet")
	d.Press("W")
	d.Misses("Save the plan in a file?")
	d.Press("a")
	d.Sees("applied as #1")
	d.Press("u")
	d.Sees("#1 is undone")
	if d.Dump() != was {
		t.Error("the undo leaves other rows")
	}
	if err := os.WriteFile(files[0], []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.Run(found[0].Run())
	d.Sees("it is no plan of lcm-tui")
}
