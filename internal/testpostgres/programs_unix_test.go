//go:build unix

package testpostgres

import (
	"os"
	"path/filepath"
	"testing"
)

// TestTheEnvironmentNamesThePrograms: the programs of the server are those of the folder in the environment; one without them is an
// error, so that nobody believes that they were tested.
func TestTheEnvironmentNamesThePrograms(t *testing.T) {
	folder := t.TempDir()
	t.Setenv(programsVariable, folder)
	if got, err := programFolder(); err == nil {
		t.Errorf("an empty folder: %q", got)
	}
	for _, name := range []string{"initdb", "postgres"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := programFolder(); got != folder || err != nil {
		t.Errorf("%q, %v; want %s", got, err, folder)
	}
}
