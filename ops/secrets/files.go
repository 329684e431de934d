package secrets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/engine/secrets"
)

// scanFiles scans the files and the other databases of a request.
func (r Request) scanFiles(ctx context.Context, db *data.DB, report data.Report) (out []place, err error) {
	paths := slices.Clone(r.Transcripts)
	if r.FilesDir != "" {
		files, err := filesBelow(r.FilesDir)
		if err != nil {
			return nil, err
		}
		paths = append(paths, files...)
	}
	for i, path := range paths {
		report(i, len(paths), "looking for secrets in files")
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found, err := r.scanFile(path)
		if err != nil {
			db.Warn(err)
			continue
		}
		out = append(out, found...)
	}
	for _, path := range r.Others {
		found, err := r.scanOther(ctx, path, report)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			db.Warn(fmt.Errorf("scan %s: %w", path, err))
			continue
		}
		out = append(out, found...)
	}
	return out, nil
}

// filesBelow are the regular files below a folder, in order; a folder that doesn't exist has none.
func filesBelow(folder string) (out []string, err error) {
	err = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			out = append(out, path)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return out, err
}

const (
	// chunkSize is how much of a file is scanned at once, and overlap how much of that again with
	// the next: memory doesn't grow with the file.
	chunkSize = 8 << 20
	overlap   = 64 << 10
)

// scanFile scans a file: its lines, where it is larger than a chunk.
func (r Request) scanFile(path string) (out []place, err error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	buffer := make([]byte, min(info.Size()+1, chunkSize))
	var at int64
	for kept := 0; ; {
		n, err := io.ReadFull(f, buffer[kept:])
		text := string(buffer[:kept+n])
		end := err != nil
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return out, err
		}
		cut := len(text)
		if !end { // What may go on in the next chunk is scanned with it.
			if cut = strings.LastIndexByte(text, '\n') + 1; cut <= overlap {
				cut = len(text) - overlap
			}
		}
		for _, found := range r.Scanner.Scan(text[:cut]) {
			out = append(out, place{file: path, key: fmt.Sprint(at + int64(found.Start)), found: []secrets.Finding{found}})
		}
		if end {
			return out, nil
		}
		at += int64(cut)
		kept = copy(buffer, text[cut:])
	}
}

// scanOther scans another database, such as a backup.
func (r Request) scanOther(ctx context.Context, path string, report data.Report) ([]place, error) {
	db, err := data.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	found, _, err := scanDatabase(ctx, db, r.Scanner, report)
	for i := range found {
		c := found[i].cell
		found[i].file, found[i].key = path, c.Table.Name+"."+c.Column+" "+c.KeyText()
	}
	return found, err
}
