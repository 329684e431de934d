package data

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"lcm-tui/internal/hint"
	"lcm-tui/internal/leftover"
)

// NewFile is a large file that has to be there before the row that names it: a copy
// of one in another files folder, or a text. A file that is there already is never
// overwritten: one with the same content is taken for it, any other stops the whole.
type NewFile struct {
	ID     string `json:"file_id"`
	From   string `json:"from,omitempty"` // Where the original lies, below Folder; empty for a text.
	Folder string `json:"-"`              // The files folder that From has to lie in, links followed.
	Body   string `json:"-"`              // The text.
	To     string `json:"storage_uri"`    // Where it goes, below Into.
	Into   string `json:"-"`              // The files folder of the target.
	Bytes  int64  `json:"byte_size"`
}

// ErrOccupied says that another file has the place of a new one.
var ErrOccupied = errors.New("another file stands there")

// Failure returns the error of a file that couldn't be made or read.
func (c NewFile) Failure(err error) error {
	text := fmt.Sprintf("copy %s to %s: %v", c.From, c.To, err)
	if c.From == "" {
		cause := err
		var failed *fs.PathError
		if errors.As(err, &failed) { // The text has the whole path.
			cause = failed.Err
		}
		text = fmt.Sprintf("write %s: %v", c.To, cause)
	}
	next := "check the folder " + filepath.Dir(c.To) + " and the room on its disk"
	if errors.Is(err, ErrOccupied) {
		next = "move that file away, or compare the two"
	}
	return &hint.Error{Text: text, Next: next, Err: err}
}

// WriteFiles makes all of the files or none: those that were made by it are removed
// again when one fails. It returns those that it made.
func WriteFiles(ctx context.Context, files []NewFile) (made []NewFile, err error) {
	for _, c := range files {
		if err = ctx.Err(); err != nil {
			break
		}
		var fresh bool
		if fresh, err = c.write(); err != nil {
			err = c.Failure(err)
			break
		}
		if fresh {
			made = append(made, c)
		}
	}
	if err != nil {
		RemoveFiles(made)
		return nil, err
	}
	return made, nil
}

// RemoveFiles removes files that WriteFiles made, for rows that weren't written.
func RemoveFiles(made []NewFile) {
	for _, c := range made {
		if root, err := os.OpenRoot(c.Into); err == nil {
			_ = root.Remove(c.name()) // What is left over is in nobody's way.
			_ = root.Close()
		}
	}
}

// name returns the file's place in its folder.
func (c NewFile) name() string {
	return filepath.Join(filepath.Base(filepath.Dir(c.To)), filepath.Base(c.To))
}

// write makes the file, and reports whether it wasn't there already. It appears
// under its name only when it is whole.
func (c NewFile) write() (fresh bool, err error) {
	from, err := c.open()
	if err != nil {
		return false, err
	}
	defer from.Close()
	if err := os.MkdirAll(c.Into, 0o700); err != nil {
		return false, err
	}
	root, err := os.OpenRoot(c.Into)
	if err != nil {
		return false, err
	}
	defer root.Close()
	if err := root.MkdirAll(filepath.Dir(c.name()), 0o700); err != nil {
		return false, err
	}
	if _, err := root.Lstat(c.name()); err == nil {
		return false, c.compare(root, from)
	}
	part, err := leftover.CreateFile(c.Into, filepath.Base(c.To)) // Which removes what killed processes left there.
	if err != nil {
		return false, err
	}
	name := filepath.Base(part.Name())
	defer func() { _ = errors.Join(root.Remove(name), part.Close()) }()
	if _, err = io.Copy(part, from); err == nil {
		err = part.Sync()
	}
	var failed *fs.PathError
	if errors.As(err, &failed) && failed.Path == part.Name() { // Nobody but this function knows that name.
		err = failed.Err
	}
	if err != nil {
		return false, err
	}
	return true, giveName(root, name, c.name())
}

// open opens the text, or the original inside of its folder.
func (c NewFile) open() (io.ReadCloser, error) {
	if c.From == "" {
		return io.NopCloser(strings.NewReader(c.Body)), nil
	}
	name, err := PathInside(c.Folder, c.From)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(c.Folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Open(name)
}

// giveName gives a whole file its name, unless another has got it in the meantime. A
// link can't overwrite; where there are none, a look has to do.
func giveName(root *os.Root, part, name string) error {
	err := root.Link(part, name)
	if err == nil {
		return nil
	}
	if _, err := root.Lstat(name); err == nil {
		return ErrOccupied
	}
	return root.Rename(part, name)
}

// compare fails unless the file that is there already has the same content.
func (c NewFile) compare(root *os.Root, from io.Reader) error {
	there, err := root.Open(c.name())
	if err != nil {
		return err
	}
	defer there.Close()
	a, b := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, errA := io.ReadFull(from, a)
		m, errB := io.ReadFull(there, b)
		if !bytes.Equal(a[:n], b[:m]) {
			return ErrOccupied
		}
		if errA != nil || errB != nil {
			return errors.Join(unlessEOF(errA), unlessEOF(errB))
		}
	}
}

// unlessEOF returns the error of a read, if it isn't the end of the file.
func unlessEOF(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// Content reads what the file will hold: the text, or the original inside of its folder.
func (c NewFile) Content() (content []byte, err error) {
	from, err := c.open()
	if err != nil {
		return nil, err
	}
	content, err = io.ReadAll(from)
	return content, errors.Join(err, from.Close())
}

// PathInside returns the path of a large file relative to the folder that it must lie in,
// both with symbolic links followed, or ErrOutside.
func PathInside(folder, path string) (string, error) {
	path = strings.TrimPrefix(path, "file://")
	realFolder, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return "", err
	}
	realPath, err := filepath.EvalSymlinks(path)
	if err != nil {
		if rel, relErr := filepath.Rel(folder, path); relErr != nil || !filepath.IsLocal(rel) {
			return "", ErrOutsideFolder
		}
		return "", err
	}
	rel, err := filepath.Rel(realFolder, realPath)
	if err != nil || !filepath.IsLocal(rel) {
		return "", ErrOutsideFolder
	}
	return rel, nil
}

// ErrOutsideFolder says that a stored path leads out of the files folder, where
// nothing is read: a row could name any file of the user's.
var ErrOutsideFolder = errors.New("the stored path leads out of the files folder")

// TrashFolder returns the path of the trash folder of the database at path.
func TrashFolder(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // By whatever name a database is opened, it has one trash.
	}
	return path + ".lcm-tui-trash"
}
