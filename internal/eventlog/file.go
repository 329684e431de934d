package eventlog

import (
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"sync"
)

// The size in bytes from which on a file begins again, and how many files there are then.
const (
	MaxBytes = 10 << 20
	MaxFiles = 3
)

// File is a log file that begins again when it is long: the one before is called .1 then, and the one before that .2.
// Several processes may write to it. Only its owner may read it.
type File struct {
	path     string
	maxBytes int64
	files    int

	mu   sync.Mutex
	file *os.File
	info fs.FileInfo
}

// Open opens a log file to write behind what it has, or makes it. maxBytes and files are like MaxBytes and MaxFiles.
func Open(path string, maxBytes int64, files int) (*File, error) {
	f := &File{path: path, maxBytes: maxBytes, files: files}
	if err := f.open(); err != nil {
		return nil, fmt.Errorf("open the log: %w", err)
	}
	return f, nil
}

func (f *File) open() error {
	if info, err := os.Lstat(f.path); err == nil && !info.Mode().IsRegular() { // A pipe would block.
		return fmt.Errorf("%s is no regular file", f.path)
	}
	file, err := os.OpenFile(f.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		_ = file.Close()
		return err
	}
	f.file, f.info = file, info
	return nil
}

// Write writes a line, and implements io.Writer. Another process may have begun the file again since the last one.
func (f *File) Write(line []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now, err := os.Lstat(f.path)
	if f.file == nil || err != nil || !os.SameFile(now, f.info) {
		if err := f.reopen(); err != nil {
			return 0, err
		}
		now = f.info
	}
	if now.Size() > 0 && now.Size()+int64(len(line)) > f.maxBytes {
		f.shift()
		if err := f.reopen(); err != nil {
			return 0, err
		}
	}
	return f.file.Write(line)
}

func (f *File) reopen() error {
	if f.file != nil {
		_ = f.file.Close() // Every line was written at once.
		f.file = nil
	}
	return f.open()
}

// shift gives each file the name of the one before it, unless another process did. Where that fails, the file grows on.
func (f *File) shift() {
	claim(f.file)
	if now, err := os.Lstat(f.path); err != nil || !os.SameFile(now, f.info) {
		return
	}
	if !renamesOpen {
		_ = f.file.Close() // Every line was written at once.
		f.file = nil
	}
	for n := f.files - 1; n > 0; n-- {
		from := f.path
		if n > 1 {
			from += "." + strconv.Itoa(n-1)
		}
		_ = os.Rename(from, f.path+"."+strconv.Itoa(n))
	}
}

// Close closes the file.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	f.file = nil
	return err
}
