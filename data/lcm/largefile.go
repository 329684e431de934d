package lcm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"lcm-tui/data"
	"lcm-tui/internal/regularfile"
)

// LargeFile is a row of large_files: a payload that was moved out of a message.
type LargeFile struct {
	ID           string    `json:"file_id"`
	Conversation int64     `json:"conversation_id"`
	Name         string    `json:"file_name"`
	MIME         string    `json:"mime_type"`
	Bytes        int64     `json:"byte_size"`
	Lines        int64     `json:"line_count,omitempty"` // From 0.14.
	URI          string    `json:"storage_uri"`          // An absolute path.
	Exploration  string    `json:"exploration_summary"`  // What the model sees instead of the file.
	CreatedAt    data.Time `json:"created_at"`
}

// LargeFiles returns the large files of a conversation, oldest first.
func LargeFiles(ctx context.Context, db data.Querier, conv int64) ([]LargeFile, error) {
	return files(ctx, db, "f.conversation_id = ?", conv)
}

// PayloadFiles returns the large files that hold the payloads of messages in a conversation's
// context, whichever conversation they are of.
func PayloadFiles(ctx context.Context, db data.Querier, conv int64) ([]LargeFile, error) {
	if !db.Schema().Has("context_items") || !db.Schema().Has("messages", "large_content") {
		return nil, nil
	}
	return files(ctx, db, "f.file_id IN (SELECT m.large_content"+contextJoin+"messages m ON m.message_id = ci.message_id WHERE ci.conversation_id = ?)", conv)
}

func files(ctx context.Context, db data.Querier, where string, conv int64) ([]LargeFile, error) {
	s := db.Schema()
	if !s.Has("large_files") {
		return nil, nil
	}
	query := "SELECT f.file_id, f.conversation_id, " + s.Exprs("large_files", "f", "file_name", "mime_type", "byte_size",
		"line_count", "storage_uri", "exploration_summary", "created_at") +
		" FROM large_files f WHERE " + where + " ORDER BY f.created_at, f.file_id"
	return data.Collect(ctx, db, "read large files", query, []any{conv}, func(scan data.RowScanner, f *LargeFile) error {
		return scan((*data.Text)(&f.ID), (*data.Integer)(&f.Conversation), (*data.Text)(&f.Name), (*data.Text)(&f.MIME), (*data.Integer)(&f.Bytes),
			(*data.Integer)(&f.Lines), (*data.Text)(&f.URI), (*data.Text)(&f.Exploration), &f.CreatedAt)
	})
}

// LargeFileRow is a row of large_files that tells NULL from an empty text and from zero.
type LargeFileRow struct {
	LargeFile
	HasName, HasMIME, HasBytes, HasLines bool
}

// ReadLargeFileRow returns one large file, or a NotFoundError.
func ReadLargeFileRow(ctx context.Context, db data.Querier, id string) (f LargeFileRow, err error) {
	s := db.Schema()
	if !s.HasCore("large_files") {
		return f, db.NotFound("file", id)
	}
	query := "SELECT f.conversation_id, " + s.Exprs("large_files", "f", "file_name", "mime_type", "byte_size", "line_count",
		"storage_uri", "exploration_summary", "created_at") + " FROM large_files f WHERE f.file_id = ?"
	var name, mime data.Stored
	var size, lines data.Number
	f.ID = id
	ok, err := data.One(ctx, db, "read large files", query, []any{id}, (*data.Integer)(&f.Conversation), &name, &mime, &size, &lines,
		(*data.Text)(&f.URI), (*data.Text)(&f.Exploration), &f.CreatedAt)
	if err != nil || !ok {
		return LargeFileRow{}, errors.Join(err, db.NotFound("file", id))
	}
	f.Name, f.MIME, f.Bytes, f.Lines = name.Text, mime.Text, size.Value, lines.Value
	f.HasName, f.HasMIME = !name.Null, !mime.Null
	f.HasBytes, f.HasLines = size.String() != "", lines.String() != ""
	return f, nil
}

// PayloadText returns the content of the first message of the file's conversation whose payload was
// moved to the file, if there is one.
func PayloadText(ctx context.Context, db data.Querier, f LargeFile) (content string, ok bool, err error) {
	if !db.Schema().Has("messages", "conversation_id", "content", "large_content") {
		return "", false, nil
	}
	const query = "SELECT m.content FROM messages m WHERE m.conversation_id = ? AND m.large_content = ? ORDER BY m.message_id LIMIT 1"
	ok, err = data.One(ctx, db, "read messages", query, []any{f.Conversation, f.ID}, (*data.Text)(&content))
	return content, ok, err
}

// LargeFileError says why the content of a large file can't be read.
type LargeFileError struct {
	ID, Path string
	Folder   string // Where files are looked for.
	Err      error
}

func (e *LargeFileError) Error() string {
	if errors.Is(e.Err, fs.ErrNotExist) {
		return fmt.Sprintf("read %s: there is no file %s", e.ID, e.Path)
	}
	return fmt.Sprintf("read %s at %s: %v", e.ID, e.Path, e.Err)
}

// Unwrap gives the cause.
func (e *LargeFileError) Unwrap() error { return e.Err }

// Hint says where files are expected.
func (e *LargeFileError) Hint() string {
	return "files are read from " + e.Folder + " only; set LCM_LARGE_FILES_DIR if the host keeps them elsewhere"
}

// LargeFileLocation is where the content of a large file lies.
type LargeFileLocation struct {
	Path  string
	Bytes int64
	Moved bool // Not at the stored path.
}

// FindLargeFile finds a large file without opening it: at its stored path or, where a
// database was moved together with its files, at the place below folder where hosts put
// it. It has to be a regular file inside folder once every link is followed. The error
// is an fs.ErrNotExist where there is no such file, else a *FileError. Whoever looks
// for a large file asks here.
func FindLargeFile(f LargeFile, folder string) (at LargeFileLocation, err error) {
	stored := strings.TrimPrefix(f.URI, "file://")
	usual := filepath.Join(folder, strconv.FormatInt(f.Conversation, 10), filepath.Base(stored))
	for _, path := range []string{stored, usual} {
		found := err
		var size int64
		if size, err = sizeInside(path, folder); err == nil {
			return LargeFileLocation{path, size, path != stored}, nil
		}
		if found != nil && errors.Is(err, fs.ErrNotExist) { // What is at the stored path says more.
			err = found
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return LargeFileLocation{}, err
	}
	return LargeFileLocation{}, &LargeFileError{ID: f.ID, Path: f.URI, Folder: folder, Err: err}
}

// sizeInside looks at a file in a folder without opening it.
func sizeInside(path, folder string) (int64, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	if _, err := data.PathInside(folder, path); errors.Is(err, fs.ErrNotExist) {
		return 0, data.ErrOutsideFolder // There is something, and no such folder, or a link to nowhere.
	} else if err != nil {
		return 0, err
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = regularfile.ErrNotRegular
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// ReadLargeFile reads the first limit bytes of a large file in the files folder, and reports whether
// there is more.
func ReadLargeFile(f LargeFile, folder string, limit int64) (content []byte, more bool, err error) {
	fail := func(err error) ([]byte, bool, error) {
		var own *LargeFileError
		if errors.As(err, &own) {
			return nil, false, err
		}
		return nil, false, &LargeFileError{ID: f.ID, Path: f.URI, Folder: folder, Err: err}
	}
	at, err := FindLargeFile(f, folder)
	if err != nil {
		return fail(err)
	}
	name, err := data.PathInside(folder, at.Path)
	if err != nil {
		return fail(err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return fail(err)
	}
	defer root.Close()
	h, err := regularfile.OpenIn(root, name) // It may be another by now.
	if err != nil {
		return fail(err)
	}
	defer h.Close()
	b, err := io.ReadAll(io.LimitReader(h, limit+1))
	if err != nil {
		return fail(err)
	}
	if int64(len(b)) > limit {
		return b[:limit], true, nil
	}
	return b, false, nil
}

// FileIDs returns the ids of all large files, with the conversation of each.
func FileIDs(ctx context.Context, db data.Querier) (map[string]int64, error) {
	out := map[string]int64{}
	if !db.Schema().HasCore("large_files") {
		return out, nil
	}
	err := data.Each(ctx, db, "read large files", "SELECT file_id, conversation_id FROM large_files", nil, func(scan data.RowScanner) error {
		var id data.Text
		var conv data.Integer
		err := scan(&id, &conv)
		out[string(id)] = int64(conv)
		return err
	})
	return out, err
}
