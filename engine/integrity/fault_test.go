package integrity_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lcm-tui/engine/integrity"
)

// TestEveryFaultHasAnEntry: each FaultID has one that says everything. With its entry a fault
// needs a script and an injection, by TestEveryFaultIsInjected, and a stage of ops/repair.
func TestEveryFaultHasAnEntry(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "faultid.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	constants := 0
	ast.Inspect(file, func(n ast.Node) bool {
		c, ok := n.(*ast.ValueSpec)
		if !ok || fmt.Sprint(c.Type) != "FaultID" {
			return true
		}
		constants++
		id, err := strconv.Unquote(c.Values[0].(*ast.BasicLit).Value)
		if f, ok := integrity.Lookup(integrity.FaultID(id)); err != nil || !ok || string(f.ID) != id {
			t.Errorf("%s (%s) has no entry", c.Names[0], id)
		}
		return true
	})
	if all := integrity.Faults(); constants != len(all) {
		t.Errorf("%d ids, %d entries", constants, len(all))
	}
	for _, f := range integrity.Faults() {
		for name, text := range map[string]string{
			"title": f.Title, "severity": string(f.Severity), "repair kind": string(f.RepairKind), "symptom": string(f.Symptom), "since": f.Since, "meaning": f.Meaning,
			"cause": f.Cause, "detection": f.Detection, "expected": f.Expected, "repair": f.Repair,
		} {
			if text == "" {
				t.Errorf("%s has no %s", f.ID, name)
			}
		}
	}
}

// TestEveryQueryHasAFault: a fault that the queries find has an entry.
func TestEveryQueryHasAFault(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(filepath.Join("testdata", "faults.sql"))
	if err != nil {
		t.Fatal(err)
	}
	queries := query.FindAllStringSubmatch(string(b)+"\n", -1)
	if len(queries) < 90 {
		t.Fatalf("%d queries", len(queries))
	}
	for _, m := range queries {
		if _, ok := integrity.Lookup(integrity.FaultID(m[1])); !ok {
			t.Errorf("no fault is %s", m[1])
		}
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
		t.Errorf("%d faults in symptoms, %d in all", len(in), len(integrity.Faults()))
	}
}

func TestSeveritiesCompare(t *testing.T) {
	t.Parallel()
	if !integrity.Fatal.AtLeast(integrity.Error) || !integrity.Warn.AtLeast(integrity.Warn) || integrity.Info.AtLeast(integrity.Warn) {
		t.Error("the order of severities is wrong")
	}
}

// TestChoicesBelongToChoices: where the user decides there is something to choose, always also
// to leave everything as it is, and each choice is explained.
func TestChoicesBelongToChoices(t *testing.T) {
	t.Parallel()
	unchoosable := []integrity.FaultID{integrity.PagesDamaged, integrity.TablesIncomplete, integrity.SecretStored} // For the whole file there is one way.
	for _, f := range integrity.Faults() {
		words := f.Words()
		switch {
		case f.RepairKind == integrity.ByChoice && len(words) == 0 && !slices.Contains(unchoosable, f.ID):
			t.Errorf("%s is repaired by choice, and there is nothing to choose", f.ID)
		case f.RepairKind == integrity.NoRepair && len(words) > 0:
			t.Errorf("%s isn't repaired, and there is %v to choose", f.ID, words)
		case len(words) > 0 && !slices.Contains(words, integrity.Keep):
			t.Errorf("%s offers %v, and not to keep everything", f.ID, words)
		}
		for _, c := range f.Choices {
			if c.Meaning == "" || c.Word != strings.ToLower(c.Word) || strings.ContainsAny(c.Word, " =|") {
				t.Errorf("%s: the choice %+v can't be typed or isn't explained", f.ID, c)
			}
		}
	}
}

// TestRepairsAreConsistent: what no operation repairs needs none of its means, and what a model
// repairs says so.
func TestRepairsAreConsistent(t *testing.T) {
	t.Parallel()
	for _, f := range integrity.Faults() {
		switch {
		case !f.IsRepairable() && (f.OnRequest || f.NeedsText):
			t.Errorf("%s has no stage of repair, and needs one", f.ID)
		case f.RepairKind == integrity.ByModel && !f.NeedsText && f.Operation == "":
			t.Errorf("%s is repaired by a model, and needs no text", f.ID)
		case f.OnRequest && f.Severity != integrity.Info:
			t.Errorf("%s is %s, and repaired on request only", f.ID, f.Severity)
		}
	}
}

// TestFaultsAreReadable: titles fit on a line of a screen, sections are sentences, a repair goes
// on after a colon, and findings are counted in words.
func TestFaultsAreReadable(t *testing.T) {
	t.Parallel()
	seen := map[string]integrity.FaultID{}
	for _, f := range integrity.Faults() {
		if other, again := seen[f.Title]; again {
			t.Errorf("%s and %s have the same title", other, f.ID)
		}
		seen[f.Title] = f.ID
		if len(f.Title) > 60 || strings.HasSuffix(f.Title, ".") {
			t.Errorf("%s: the title %q is no line of a list", f.ID, f.Title)
		}
		for name, text := range map[string]string{"meaning": f.Meaning, "cause": f.Cause, "detection": f.Detection, "expected": f.Expected} {
			if !strings.HasSuffix(text, ".") || text[:1] != strings.ToUpper(text[:1]) {
				t.Errorf("%s: its %s is no sentence: %q", f.ID, name, text)
			}
		}
		if f.One == "" || f.One == f.Many || strings.HasSuffix(f.Many, ".") || f.Count(1) != "1 "+f.One || f.Count(3) != "3 "+f.Many {
			t.Errorf("%s counts %q and %q", f.ID, f.Count(1), f.Count(3))
		}
		if strings.HasSuffix(f.Repair, ".") || f.Repair[:1] != strings.ToLower(f.Repair[:1]) {
			t.Errorf("%s: %q can't follow a colon", f.ID, f.Repair)
		}
	}
}

// TestSymptomsAreWorstFirst: the faults of a symptom, and what is good to know at the end.
func TestSymptomsAreWorstFirst(t *testing.T) {
	t.Parallel()
	all := integrity.Symptoms()
	for _, s := range all {
		last := integrity.Fatal
		for _, id := range s.Faults {
			f, _ := integrity.Lookup(id)
			if f.Severity != last && f.Severity.AtLeast(last) {
				t.Errorf("%s: %s is listed after what is %s", s.Title, f.ID, last)
			}
			last = f.Severity
			if f.Symptom != s.ID || f.Symptom.Title() != s.Title {
				t.Errorf("%s is listed under %s, its symptom is %s", f.ID, s.Title, f.Symptom)
			}
			if s.ID == integrity.GoodToKnow && f.Severity != integrity.Info {
				t.Errorf("%s is %s, and more than good to know", f.ID, f.Severity)
			}
		}
	}
	if all[len(all)-1].ID != integrity.GoodToKnow {
		t.Errorf("%s comes last", all[len(all)-1].Title)
	}
}

// TestSelect: the ids for which a condition holds, in the order of the list.
func TestSelect(t *testing.T) {
	t.Parallel()
	got := integrity.Select(func(f integrity.Fault) bool { return f.ID.Area() == integrity.StorageArea })
	want := []integrity.FaultID{integrity.PagesDamaged, integrity.ReferenceDangling, integrity.TablesIncomplete, integrity.IDCounterBehind, integrity.TrashMissing, integrity.LogLargerThanFile, integrity.BackupReadable, integrity.SecretStored}
	if !slices.Equal(got, want) {
		t.Errorf("selected %v, want %v", got, want)
	}
	if _, ok := integrity.Lookup("Z9"); ok {
		t.Error("there is a fault Z9")
	}
}
