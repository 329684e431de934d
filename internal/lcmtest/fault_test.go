package lcmtest_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"lcm-tui/internal/lcmtest"
)

func TestBreak(t *testing.T) {
	t.Parallel()
	if n := len(lcmtest.Faults()); n < 20 {
		t.Errorf("%d faults, want 20", n)
	}
	for _, fault := range lcmtest.Faults() {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			broken(t, fault)
			fits(t, fault, lcmtest.V0_1)
		})
	}
	if err := lcmtest.Break(fresh(t), "gremlins"); err == nil {
		t.Error("an unknown fault was done")
	}
}

// faultStock makes the sample of each level once.
var faultStock lcmtest.Stock

// fits checks that a fault can be done to a level, or says that it can't.
func fits(t *testing.T, fault string, level lcmtest.Level) {
	path := fresh(t)
	if err := faultStock.Sample(path, level); err != nil {
		t.Fatal(err)
	}
	if err := lcmtest.Break(path, fault); err != nil && !errors.Is(err, lcmtest.ErrUnfit) {
		t.Error(err)
	}
}

// broken checks that a fault changes the file, and changes it only once.
func broken(t *testing.T, fault string) {
	path := fresh(t)
	if err := faultStock.Sample(path, lcmtest.Head); err != nil {
		t.Fatal(err)
	}
	whole := dump(t, path)
	if err := lcmtest.Break(path, fault); err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("file after the fault: %v, %v", st, err)
	}
	once, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sick, sickErr := lcmtest.Dump(path)
	if sickErr == nil && sick == whole {
		t.Error("nothing changed")
	}
	if err := lcmtest.Break(path, fault); err != nil {
		t.Fatalf("second time: %v", err)
	}
	twice, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := lcmtest.Dump(path); (err == nil) != (sickErr == nil) || again != sick {
		t.Error("the second time changed more")
	}
	if sickErr != nil && string(once) != string(twice) {
		t.Error("the second time changed the file")
	}
}

func TestDump(t *testing.T) {
	t.Parallel()
	path := fresh(t)
	if err := lcmtest.Sample(path, lcmtest.Head); err != nil {
		t.Fatal(err)
	}
	if err := lcmtest.Break(path, "bad-values"); err != nil {
		t.Fatal(err)
	}
	got := dump(t, path)
	for _, want := range []string{`content=x'00010203ff'`, `"before\x00after"`, `"hell\xffo"`, "token_count=\"many\"", "== messages_fts\n", "sz=x'"} {
		if !strings.Contains(got, want) {
			t.Errorf("dump lacks %s", want)
		}
	}
	if strings.Contains(got, "_docsize") || strings.Contains(got, "sqlite_") {
		t.Error("dump shows shadow tables")
	}
	if strings.Contains(dump(t, path, "messages"), "== messages\n") {
		t.Error("an excepted table was dumped")
	}
}
