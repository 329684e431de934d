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
)

// archiveWindow is how far back the archive's compression looks at most, in bytes.
const archiveWindow = 128 << 20

// unpackedFixtures returns the folder of the archive's files. They are unpacked once on a machine, into the user's
// cache, under the digest of the archive.
var unpackedFixtures = sync.OnceValues(func() (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	archive, err := os.ReadFile(filepath.Join(root, "internal", "testdb", "testdata", "fixtures.tar.zst"))
	if err != nil {
		return "", err
	}
	if cache, err := os.UserCacheDir(); err == nil {
		if folder, err := unpackOnce(archive, filepath.Join(cache, "lcm-tui-fixtures")); err == nil {
			return folder, nil
		}
	}
	return unpackOnce(archive, filepath.Join(os.TempDir(), "lcm-tui-fixtures")) // There is no home, or it is full or read-only.
})

// moduleRoot returns the folder of go.mod: tests run in the folders of their packages.
func moduleRoot() (string, error) {
	folder, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder, nil
		}
		above := filepath.Dir(folder)
		if above == folder {
			return "", errors.New("the fixtures were not found: there is no go.mod above the test")
		}
		folder = above
	}
	return "", err
}

// unpackOnce returns the folder with the files of an archive, and unpacks them if nobody has. The folder gets its name
// when all of them are there.
func unpackOnce(archive []byte, cache string) (string, error) {
	to := filepath.Join(cache, fmt.Sprintf("%x", sha256.Sum256(archive))[:16])
	if _, err := os.Stat(to); err == nil {
		return to, nil
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return "", err
	}
	part, err := os.MkdirTemp(cache, "part-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(part) // It has another name where all went well.
	if err := unpack(archive, part); err != nil {
		return "", fmt.Errorf("unpack the fixtures: %w", err)
	}
	if err := os.Rename(part, to); err != nil {
		if _, there := os.Stat(to); there != nil { // Else another test was faster.
			return "", err
		}
	}
	return to, nil
}

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
