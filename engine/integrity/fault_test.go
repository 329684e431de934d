package integrity_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"lcm-tui/engine/integrity"
)

// TestCatalogueIsWhole: every fault of the catalogue of queries has a page that says
// everything.
func TestCatalogueIsWhole(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(filepath.Join("testdata", "faults.sql"))
	if err != nil {
		t.Fatal(err)
	}
	want, got := []integrity.FaultID{integrity.CompactionLostMessages}, []integrity.FaultID{} // This program's own records tell of it.
	for _, m := range query.FindAllStringSubmatch(string(b)+"\n", -1) {
		want = append(want, integrity.FaultID(m[1]))
	}
	for _, f := range integrity.Faults() {
		got = append(got, f.ID)
		for name, text := range map[string]string{
			"title": f.Title, "severity": string(f.Severity), "repair kind": string(f.RepairKind), "symptom": string(f.Symptom), "since": f.Since, "meaning": f.Meaning,
			"cause": f.Cause, "detection": f.Detection, "expected": f.Expected, "repair": f.Repair,
		} {
			if text == "" {
				t.Errorf("%s has no %s", f.ID, name)
			}
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) || len(got) != 93 {
		t.Errorf("%d faults %v, want %v", len(got), got, want)
	}
}

func TestEveryFaultHasOneSymptom(t *testing.T) {
	t.Parallel()
	in := map[integrity.FaultID]int{}
	for _, d := range integrity.Symptoms() {
		for _, id := range d.Faults {
			in[id]++
		}
	}
	for _, f := range integrity.Faults() {
		if in[f.ID] != 1 {
			t.Errorf("%s is in %d symptoms", f.ID, in[f.ID])
		}
	}
	if len(in) != len(integrity.Faults()) {
		t.Errorf("%d faults in symptoms, %d in the catalogue", len(in), len(integrity.Faults()))
	}
}

func TestSeveritiesCompare(t *testing.T) {
	t.Parallel()
	if !integrity.Fatal.AtLeast(integrity.Error) || !integrity.Warn.AtLeast(integrity.Warn) || integrity.Info.AtLeast(integrity.Warn) {
		t.Error("the order of severities is wrong")
	}
}
