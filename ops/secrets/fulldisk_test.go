package secrets_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/secrets"
)

// plantOnDisk puts a file with secrets on a disk of its own. fill leaves no room there, and the function that it
// returns takes that back.
func plantOnDisk(t *testing.T) (path string, fill func() (free func())) {
	t.Helper()
	const size = 8 << 20
	disk := testdb.Disk(t, size)
	path = filepath.Join(disk, "lcm.db")
	content, err := os.ReadFile(plant(t, newPlanted()))
	check(t, err)
	check(t, os.WriteFile(path, content, 0o600))
	return path, func() func() {
		other := filepath.Join(disk, "other")
		_ = os.WriteFile(other, make([]byte, size), 0o600)
		return func() { check(t, os.Remove(other)) }
	}
}

// TestAFullDiskBetweenTurns: a result counts the texts that are changed in the file, and not those of the turn for which
// there was no room. The next run has the rest.
func TestAFullDiskBetweenTurns(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	whole := &secrets.Op{ProveLater: true}
	_, err := apply(t, open(t, plant(t, newPlanted())), whole)
	check(t, err)

	path, fill := plantOnDisk(t)
	db := open(t, path)
	db.PartRows = 3
	var free func()
	op := &secrets.Op{ProveLater: true}
	plan, err := op.Plan(t.Context(), db, noReport)
	check(t, err)
	_, err = ops.ApplyPlan(t.Context(), db, plan, func(done, _ int, what string) {
		if done > 0 && strings.HasPrefix(what, "writing") && free == nil {
			free = fill()
		}
	})
	if !errors.Is(err, data.ErrFull) || op.Result == nil || op.Result.Record == 0 {
		t.Fatalf("it wasn't stopped between turns: %v", err)
	}
	free()
	next := &secrets.Op{ProveLater: true}
	_, err = apply(t, db, next)
	check(t, err)
	if sum := op.Result.Cells + next.Result.Cells; sum != whole.Result.Cells || op.Result.Cells == 0 {
		t.Errorf("%d and %d texts, and %d in one run", op.Result.Cells, next.Result.Cells, whole.Result.Cells)
	}
}

// TestNoRoomToRewriteTheFile: the texts are replaced by then, and the error doesn't say otherwise.
func TestNoRoomToRewriteTheFile(t *testing.T) {
	t.Parallel()
	path, fill := plantOnDisk(t)
	db := open(t, path)
	op := &secrets.Op{ProveLater: true}
	_, err := apply(t, db, op)
	check(t, errors.Join(err, db.Close()))
	fill()
	err = op.Finish(t.Context(), path, noReport)
	if !errors.Is(err, data.ErrFull) {
		t.Fatalf("it says %v", err)
	}
	if text := err.Error(); !strings.Contains(text, "the file isn't rewritten") || strings.Contains(text, "no row was changed") {
		t.Errorf("it says %q", text)
	}
	if next := hint.Of(err); !strings.Contains(next, "free some space") || !strings.Contains(next, "the same command again") {
		t.Errorf("the next step is %q", next)
	}
}
