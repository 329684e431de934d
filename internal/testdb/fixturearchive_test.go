package testdb

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// packed returns an archive with one file of this name.
func packed(t *testing.T, name, content string) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o600, Size: int64(len(content))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestTheArchiveHasEveryGeneration: a clone tests with the files that the tests name.
func TestTheArchiveHasEveryGeneration(t *testing.T) {
	t.Parallel()
	folder, err := unpackedFixtures()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"v0.1.0/small.db", "v0.15.3/rich.db", "v1.0/rich.db", "v1.0/faults", "compaction/before.db", "faults/legit-after-new.db", "hard/mixed1.db", "wild/ingest"} {
		if _, err := os.Stat(filepath.Join(folder, filepath.FromSlash(name))); err != nil {
			t.Error(err)
		}
	}
}

// TestADamagedArchiveIsNotUsed: and no file of one is written elsewhere.
func TestADamagedArchiveIsNotUsed(t *testing.T) {
	t.Parallel()
	whole := packed(t, "a/file.db", strings.Repeat("content", 1000))
	for name, archive := range map[string][]byte{"cut": whole[:len(whole)-9], "leads out": packed(t, "../file.db", "content"), "no archive": []byte("none")} {
		above := t.TempDir()
		if err := unpack(archive, filepath.Join(above, "folder")); err == nil {
			t.Errorf("%s: no error", name)
		}
		if left, err := filepath.Glob(filepath.Join(above, "*.db")); err != nil || len(left) != 0 {
			t.Errorf("%s: %v, %v", name, left, err)
		}
	}
}
