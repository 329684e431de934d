package planfile

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"lcm-tui/internal/atomicfile"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/plural"
)

const (
	// maxBytes is how large a plan file may be, also when it is unpacked.
	maxBytes = 512 << 20
	// packedFrom is the size from which a plan file is written as gzip.
	packedFrom = 64 << 20
)

// CheckPlace fails where no file can be made: before minutes of planning.
func CheckPlace(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return placeError(path, "there is something already")
	}
	info, err := os.Stat(filepath.Dir(path))
	if err != nil || !info.IsDir() {
		return placeError(path, "there is no folder "+filepath.Dir(path))
	}
	return nil
}

// placeError says why no plan file can be made at a path.
func placeError(path, why string) error {
	return hint.New(fmt.Sprintf("no plan was written to %s: %s", path, why), "give the name of a new file in a folder that exists")
}

// Write writes the file, private to the user. It never replaces one.
func (f *File) Write(path string) error {
	body, err := marshal(f.document)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	f.SHA256 = digest(body[:len(body)-1])
	body = fmt.Appendf(body[:len(body)-1], digestFormat, f.SHA256)
	if len(body) > maxBytes {
		return tooLarge(int64(len(body)))
	}
	bytes, err := atomicfile.Fill(path, nil, func(w io.Writer) error { return pack(w, body, packedFrom) })
	switch {
	case errors.Is(err, fs.ErrExist):
		return placeError(path, "there is something already")
	case err != nil:
		return fmt.Errorf("write %s: %w", path, err)
	}
	f.Path, f.Bytes = path, bytes
	return nil
}

// digestFormat is the end of a plan file: the digest of all bytes before it.
const digestFormat = `,"sha256":"%s"}` + "\n"

// pack writes the bytes of a plan file, as gzip where they are more than from.
func pack(w io.Writer, body []byte, from int) error {
	if len(body) <= from {
		_, err := w.Write(body)
		return err
	}
	z := gzip.NewWriter(w)
	_, err := z.Write(body)
	return errors.Join(err, z.Close())
}

// marshal returns a value as JSON on one line, without the line's end.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// tooLarge returns the error of a plan that is too large for a file.
func tooLarge(bytes int64) error {
	return hint.New(unwritten+fmt.Sprintf("%s are more than the %d MB that a plan file may have", plural.Count(bytes, "byte", "bytes"), maxBytes>>20),
		"plan less at a time: fewer conversations, or fewer faults")
}
