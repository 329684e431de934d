package backfill_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"lcm-tui/internal/testdb"
	"lcm-tui/ops/backfill"
)

// TestProjectOf: it is the folder that git keeps, by whatever path the working folder is named. Clients name the real path, and
// a shell that stands in a link names the link.
func TestProjectOf(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	repository, other := filepath.Join(root, "My Repo"), filepath.Join(root, "other")
	testdb.Must(t, errors.Join(
		os.MkdirAll(filepath.Join(repository, ".git"), 0o700), os.MkdirAll(filepath.Join(repository, "pkg", "sub"), 0o700), os.MkdirAll(other, 0o700),
		os.Symlink(filepath.Join(repository, "pkg"), filepath.Join(root, "link")), os.Symlink(repository, filepath.Join(other, "whole")),
		os.Symlink(other, filepath.Join(repository, "vendored")),
	))
	want := backfill.ProjectOf(repository)
	if want[:8] != "my-repo-" || len(want) != 14 {
		t.Errorf("the project is %q", want)
	}
	for _, folder := range []string{
		filepath.Join(repository, "pkg", "sub"), filepath.Join(root, "link"), filepath.Join(root, "link", "sub"), filepath.Join(other, "whole"),
		filepath.Join(other, "whole", "pkg"), filepath.Join(other, "whole", "gone"),
	} {
		if got := backfill.ProjectOf(folder); got != want {
			t.Errorf("%s is of %s, want %s", folder, got, want)
		}
	}
	if got := backfill.ProjectOf(filepath.Join(repository, "vendored")); got != backfill.ProjectOf(other) {
		t.Errorf("a link out of the repository is of %s", got)
	}
	if got := backfill.ProjectOf(""); got != "" {
		t.Errorf("no folder is of %s", got)
	}
}
