package salvage_test

import (
	"os"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
)

// TestAnInterruptedWriteIsLeftOut: of a file whose host was killed in the middle of a
// write, the new file has what was committed.
func TestAnInterruptedWriteIsLeftOut(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	before := testdb.Dump(t, path)
	const half = "UPDATE messages SET content = 'never committed ' || hex(zeroblob(2000)); DELETE FROM context_items"
	if err := faults.Interrupt(path, half); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(raw), "never committed") {
		t.Fatalf("nothing of the write reached the file: %v", err)
	}
	s, to := salvaged(t, path)
	if len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "rolled back") {
		t.Errorf("notes: %q", s.Notes)
	}
	if got := strings.Join(rowsOf(dumped(t, to)), ""); got != strings.Join(rowsOf(before), "") {
		t.Error("the new file isn't what was committed")
	}
}

// TestAJournalThatIsNoneChangesNothing: the file is read as it is.
func TestAJournalThatIsNoneChangesNothing(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	if err := os.WriteFile(path+"-journal", []byte("this is no journal"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, _ := salvaged(t, path); s.Lost() {
		t.Errorf("%+v", s)
	}
}
