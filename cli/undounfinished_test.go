package cli_test

import (
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestUndoOfAnUnfinishedRecordDoesNotOfferRedo: parts of it were never written, so that redo refuses it.
func TestUndoOfAnUnfinishedRecordDoesNotOfferRedo(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Sample(t, fakehost.Head)
	if exit, _, errs := run(t, path, "key", "rename", "1", "agent:main:second", "--apply"); exit != 0 {
		t.Fatal(errs)
	}
	h, err := fakehost.Open(path)
	testdb.Must(t, err)
	testdb.Must(t, h.Exec("UPDATE lcm_tui_undo SET title = title || ' (not finished)'"))
	testdb.Must(t, h.Close())
	_, out, errs := run(t, path, "undo", "1")
	if !strings.Contains(out, "record 1 is undone") || !strings.Contains(out, "plan the same change again") || strings.Contains(out, "redo") {
		t.Errorf("it says %s%s", out, errs)
	}
	if exit, _, errs := run(t, path, "redo", "1"); exit == 0 || !strings.Contains(errs, "parts of it were never written") {
		t.Errorf("redo says %s", errs)
	}
}
