// Command packfixtures packs a folder of fixtures into the archive that tests unpack:
//
//	go run ./tools/packfixtures FOLDER [FILE]
//
// The same files give the same bytes with the same version of the program zstd, which it runs: libraries of Go
// compress less, and the archive would have over six megabytes.
package main

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"

	"lcm-tui/internal/atomicfile"
)

// archive is where tests look for it.
const archive = "internal/testdb/testdata/fixtures.tar.zst"

func main() {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: go run ./tools/packfixtures FOLDER [FILE]")
		os.Exit(2)
	}
	to := archive
	if len(os.Args) == 3 {
		to = os.Args[2]
	}
	if err := packFile(os.Args[1], to); err != nil {
		fmt.Fprintln(os.Stderr, "packfixtures:", err)
		os.Exit(1)
	}
}

// packFile writes the archive of a folder. Databases of one generation have pages in common, so the compression
// looks back as far as the whole archive is long.
func packFile(folder, to string) error {
	f, err := atomicfile.Create(to, atomicfile.Options{Replace: true, Mode: 0o644})
	if err != nil {
		return err
	}
	defer f.Discard()
	compress := exec.CommandContext(context.Background(), "zstd", "--ultra", "-22", "--long=27", "--single-thread", "--quiet", "--stdout")
	compress.Stdout, compress.Stderr = f, os.Stderr
	in, err := compress.StdinPipe()
	if err != nil {
		return err
	}
	if err := compress.Start(); err != nil {
		return err
	}
	if err := errors.Join(pack(os.DirFS(folder), in), in.Close(), compress.Wait()); err != nil {
		return err
	}
	return f.Commit()
}

// pack writes the regular files of a folder, in the order of their names and without times and owners.
func pack(folder fs.FS, to io.Writer) error {
	w := tar.NewWriter(to)
	err := fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := fs.ReadFile(folder, name)
		if err != nil {
			return err
		}
		h := &tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o600, Size: int64(len(b))}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		_, err = w.Write(b)
		return err
	})
	return errors.Join(err, w.Close())
}
