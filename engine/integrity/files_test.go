package integrity_test

import (
	"os"
	"path/filepath"
	"testing"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
)

// stored returns a sample with its file on disk, changed by a statement, and what is
// found of the file.
func stored(t *testing.T, statement string, more ...func(folder string)) []integrity.Finding {
	t.Helper()
	path := broken(t)
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if statement != "" {
		err = h.Exec(statement)
	}
	if e := h.Close(); err != nil || e != nil {
		t.Fatal(err, e)
	}
	for _, m := range more {
		m(filepath.Join(filepath.Dir(path), "lcm-files"))
	}
	return check(t, path, integrity.Request{Faults: []integrity.FaultID{integrity.FileWrong}}).Findings
}

func TestFilesOnDisk(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const id = "file_0123456789abcdef"
	name := filepath.Join("1", id+".csv")
	second := `INSERT INTO large_files (file_id, conversation_id, storage_uri, created_at)
		SELECT 'file_00000000000000aa', 1, '/elsewhere/lcm-files/1/file_00000000000000aa.txt', created_at FROM large_files`
	for what, c := range map[string]struct {
		statement string
		do        func(folder string)
		want      integrity.Severity // Empty: nothing is found.
	}{
		"in its place":             {},
		"of another size":          {statement: "UPDATE large_files SET byte_size = 7", want: integrity.Error},
		"of unknown size":          {statement: "UPDATE large_files SET byte_size = NULL"},
		"deleted":                  {do: func(f string) { _ = os.Remove(filepath.Join(f, name)) }, want: integrity.Error},
		"out of the folder":        {statement: "UPDATE large_files SET storage_uri = '/etc/hosts'", want: integrity.Error},
		"named relatively":         {statement: "UPDATE large_files SET storage_uri = '../../x'", want: integrity.Error},
		"carried here with folder": {statement: "UPDATE large_files SET storage_uri = '/elsewhere/lcm-files/1/" + id + ".csv'", want: integrity.Info},
		"of a folder that's not here": {
			statement: "UPDATE large_files SET storage_uri = '/elsewhere/lcm-files/1/" + id + ".csv'",
			do:        func(f string) { _ = os.RemoveAll(f) }, want: integrity.Info,
		},
		"in another folder that's not here": {
			statement: "UPDATE large_files SET storage_uri = '/elsewhere/of/another/kind/" + id + ".csv'",
			do:        func(f string) { _ = os.RemoveAll(f) }, want: integrity.Info,
		},
		"elsewhere, where the folder is a guess": {
			statement: "UPDATE large_files SET storage_uri = '/etc/hosts'",
			do:        func(f string) { _ = os.RemoveAll(f) }, want: integrity.Info,
		},
		"elsewhere than the others": {statement: second, want: integrity.Error},
		"a link out of the folder": {do: func(f string) {
			_ = os.Remove(filepath.Join(f, name))
			_ = os.Symlink("/etc/hosts", filepath.Join(f, name))
		}, want: integrity.Error},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			do := c.do
			if do == nil {
				do = func(string) {}
			}
			got := stored(t, c.statement, do)
			switch {
			case c.want == "" && len(got) > 0:
				t.Errorf("found %+v", got)
			case c.want != "" && (len(got) != 1 || got[0].Severity != c.want):
				t.Errorf("found %+v, want one of %s", got, c.want)
			}
		})
	}
}
