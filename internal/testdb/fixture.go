package testdb

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Fixtures returns the folder of the reference engine's own databases: the one that LCM_FIXTURES names, or that of
// the archive in the repository. Nobody may write there.
func Fixtures(t testing.TB) string {
	t.Helper()
	if folder := os.Getenv("LCM_FIXTURES"); folder != "" {
		return folder
	}
	folder, err := unpackedFixtures()
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// FixtureFiles returns the paths of the fixtures that match patterns, at least one for each.
// They are not copies.
func FixtureFiles(t testing.TB, patterns ...string) (paths []string) {
	t.Helper()
	folder := Fixtures(t)
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("no fixture is named %s (%v)", pattern, err)
		}
		paths = append(paths, found...)
	}
	return paths
}

// Fixture returns a copy of one of the fixtures.
func Fixture(t testing.TB, name string) string {
	t.Helper()
	return Copy(t, filepath.Join(Fixtures(t), name))
}

// Copy returns the path of a private copy of a database and its -wal.
func Copy(t testing.TB, path string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "lcm.db")
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(path + suffix)
		if errors.Is(err, fs.ErrNotExist) && suffix != "" {
			continue
		}
		if err == nil {
			err = os.WriteFile(to+suffix, b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return to
}
