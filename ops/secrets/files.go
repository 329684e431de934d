package secrets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/engine/redact"
	"lcm-tui/internal/regularfile"
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
		scan := r.scanFile
		if isStore(path) {
			scan = r.scanStore
		}
		found, err := scan(ctx, path)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			db.Warn(fmt.Errorf("scan %s: %w", path, err))
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

// filesBelow returns the regular files below a folder, in order; a folder that doesn't exist has none.
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
	// partSize is how much of a file is in memory at once, and overlap how much of that is looked at
	// again with the next part: a value ends within it.
	partSize = 8 << 20
	overlap  = 64 << 10
)

// eachPart calls fn with a file, part by part. fn returns how much of the part is done with; what
// follows comes again at the start of the next part. last says that the file ends with the part. What isn't
// a regular file has no part.
func eachPart(ctx context.Context, path string, fn func(text string, last bool) (done int, err error)) error {
	f, err := regularfile.Open(path)
	if errors.Is(err, regularfile.ErrNotRegular) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	buffer := make([]byte, min(info.Size()+1, partSize))
	for kept := 0; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := io.ReadFull(f, buffer[kept:])
		last := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !last {
			return err
		}
		done, err := fn(string(buffer[:kept+n]), last)
		if err != nil || last {
			return err
		}
		kept = copy(buffer, buffer[done:kept+n])
	}
}

// cutOf returns how much of a part is done with when nothing was found at its end: whole lines, where it
// has any.
func cutOf(text string, last bool) int {
	if last {
		return len(text)
	}
	cut := len(text) - min(overlap, len(text)/2)
	if n := strings.LastIndexByte(text[:cut], '\n') + 1; n > 0 {
		return n
	}
	return cut
}

// eachFound calls use with the parts of a file and what find finds in them, in order. The places of the
// finds are those in the part, which begins at at.
func eachFound(ctx context.Context, path string, find func(string) []redact.Finding, use func(text string, at int64, found []redact.Finding) error) error {
	at := int64(0)
	return eachPart(ctx, path, func(text string, last bool) (int, error) {
		cut, whole := cutOf(text, last), text
		if n := strings.LastIndexByte(text, '\n') + 1; !last && n > cut {
			whole = text[:n] // A line of JSON that is cut off isn't JSON.
		}
		found := find(whole)
		for i, f := range found {
			if f.Start >= cut {
				found = found[:i]
				break
			}
			cut = max(cut, f.End)
		}
		err := use(text[:cut], at, found)
		at += int64(cut)
		return cut, err
	})
}

// scanFile scans a file.
func (r Request) scanFile(ctx context.Context, path string) (out []place, err error) {
	err = eachFound(ctx, path, r.Scanner.Scan, func(_ string, at int64, found []redact.Finding) error {
		for _, f := range found {
			out = append(out, place{file: path, key: fmt.Sprint(at + int64(f.Start)), found: []redact.Finding{f}})
		}
		return nil
	})
	return out, err
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
