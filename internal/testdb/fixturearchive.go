package testdb

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/klauspost/compress/zstd"

	"lcm-tui/internal/foldercache"
)

// archiveWindow is how far back the archive's compression looks at most, in bytes.
const archiveWindow = 128 << 20

// unpackedFixtures returns the folder of the archive's files. They are unpacked once on a machine, into the user's
// cache, under the digest of the archive.
var unpackedFixtures = sync.OnceValues(func() (string, error) {
	root, err := foldercache.ModuleRoot()
	if err != nil {
		return "", err
	}
	archive, err := os.ReadFile(filepath.Join(root, "internal", "testdb", "testdata", "fixtures.tar.zst"))
	if err != nil {
		return "", err
	}
	return foldercache.Folder("lcm-tui-fixtures", fmt.Sprintf("%x", sha256.Sum256(archive))[:16], func(folder string) error {
		return unpack(archive, folder)
	})
})

// unpack writes the files of an archive into a folder.
func unpack(archive []byte, folder string) error {
	z, err := zstd.NewReader(bytes.NewReader(archive), zstd.WithDecoderMaxWindow(archiveWindow))
	if err != nil {
		return err
	}
	defer z.Close()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if !filepath.IsLocal(h.Name) {
			return fmt.Errorf("%q leads out of the folder", h.Name)
		}
		path := filepath.Join(folder, h.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		b, err := io.ReadAll(r)
		if err == nil {
			err = os.WriteFile(path, b, fs.FileMode(h.Mode).Perm())
		}
		if err != nil {
			return err
		}
	}
}
