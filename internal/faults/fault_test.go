package faults_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

func TestBreak(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	if n := len(faults.Names()); n < 20 {
		t.Errorf("%d faults, want 20", n)
	}
	for _, fault := range append(faults.Names(), faults.NamesAt(fakehost.Beta)...) {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			broken(t, fault)
			fits(t, fault, fakehost.V0_1)
		})
	}
	if err := faults.Break(fresh(t), "gremlins"); err == nil {
		t.Error("an unknown fault was done")
	}
}

// faultCache makes the sample of each level once.
var faultCache samples.Cache

// fits checks that a fault can be done to a level, or says that it can't.
func fits(t *testing.T, fault string, level fakehost.Level) {
	path := fresh(t)
	if err := faultCache.Sample(path, level); err != nil {
		t.Fatal(err)
	}
	if err := faults.Break(path, fault); err != nil && !errors.Is(err, faults.ErrUnfit) {
		t.Error(err)
	}
}

// broken checks that a fault changes the file, and changes it only once.
func broken(t *testing.T, fault string) {
	path := fresh(t)
	if err := faultCache.Sample(path, faults.Level(fault)); err != nil {
		t.Fatal(err)
	}
	whole := dump(t, path)
	if err := faults.Break(path, fault); err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("file after the fault: %v, %v", st, err)
	}
	once, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sick, sickErr := testdb.DumpTables(path)
	if sickErr == nil && sick == whole {
		t.Error("nothing changed")
	}
	if err := faults.Break(path, fault); err != nil {
		t.Fatalf("second time: %v", err)
	}
	twice, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := testdb.DumpTables(path); (err == nil) != (sickErr == nil) || again != sick {
		t.Error("the second time changed more")
	}
	if sickErr != nil && string(once) != string(twice) {
		t.Error("the second time changed the file")
	}
}

// fresh returns a path for a file that is not there yet.
func fresh(t *testing.T) string { return filepath.Join(t.TempDir(), "lcm.db") }

// dump returns the dump of a file.
func dump(t *testing.T, path string, except ...string) string {
	t.Helper()
	s, err := testdb.DumpTables(path, except...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
