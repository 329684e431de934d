package data_test

import "testing"

// TestVersion: every commit gives the file another version, and asking for it takes nothing
// from what Changed reports.
func TestVersion(t *testing.T) {
	t.Parallel()
	db, path := opened(t)
	version := func() int64 {
		v, err := db.Version(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	was := version()
	if version() != was {
		t.Error("the version changed without a write")
	}
	execute(t, path, "UPDATE conversations SET title = 'other'")
	if version() == was {
		t.Error("the version is the same after a write")
	}
	if changed, err := db.Changed(t.Context()); err != nil || !changed {
		t.Errorf("the change isn't reported after the version was read: %v, %v", changed, err)
	}
}

// TestAWatchedDatabaseIsClosedTwice without an error, as one that nobody watched.
func TestAWatchedDatabaseIsClosedTwice(t *testing.T) {
	t.Parallel()
	db, _ := opened(t)
	if _, err := db.Changed(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
