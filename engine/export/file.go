package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"lcm-tui/data"
	"lcm-tui/data/destination"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/atomicfile"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/leftover"
	"lcm-tui/internal/regularfile"
)

// Target is where an export goes.
type Target struct {
	Path  string // A file, or for several conversations a folder; absolute.
	Force bool   // What is there may be replaced, but for what Policy refuses.
	// Policy refuses the database and files of its host; nil refuses the database.
	Policy *destination.Policy
}

// check fails where nothing may be written.
func (t *Target) check(db *data.DB) error {
	if t.Policy == nil {
		t.Policy = destination.ForFile(db.Path())
	}
	return t.Policy.Check(t.Path)
}

// mayReplace says whether a file may be replaced; it is nil where none may.
func (t *Target) mayReplace(ctx context.Context) func(path string) error {
	if !t.Force {
		return nil
	}
	return func(path string) error { return t.Policy.CheckReplaced(ctx, path) }
}

// ToFile writes conversations to a new file. It returns the size in bytes.
func ToFile(ctx context.Context, db *data.DB, convs []lcm.Conversation, to Target, o Options, report data.Report) (r Result, bytes int64, err error) {
	if err := to.check(db); err != nil {
		return r, 0, err
	}
	o.mayReplace = to.mayReplace(ctx)
	if o.Files == FilesCopy {
		o.CopyTo, o.Link = to.Path+filesSuffix, filepath.Base(to.Path)+filesSuffix
		if err := to.checkFolder(o.CopyTo); err != nil {
			return r, 0, err
		}
	}
	bytes, err = atomicfile.Fill(to.Path, o.mayReplace, func(w io.Writer) (err error) {
		r, err = Write(ctx, db, convs, w, o, report)
		return err
	})
	if err != nil && o.CopyTo != "" && !to.Force {
		_ = os.RemoveAll(o.CopyTo) // It was made by this export.
	}
	return r, bytes, placeError(to.Path, err)
}

// filesSuffix is what the name of the folder with copied files ends with.
const filesSuffix = ".files"

// checkFolder fails where no folder of copied files can be made: a link to one isn't followed.
func (t *Target) checkFolder(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t.Policy.Check(path)
	case err != nil:
		return err
	case !t.Force:
		return placeError(path, fs.ErrExist)
	case !info.IsDir():
		return hint.New("export to "+path+": that is no folder", "give another name")
	}
	return t.Policy.Check(path)
}

// placeError puts into words why a place can't be written to.
func placeError(path string, err error) error {
	text := "export to " + path + ": "
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrExist):
		return &hint.Error{Text: text + "there is a file already", Next: "give another name, or --force to replace it", OnScreen: "give another name", Err: err}
	case errors.Is(err, regularfile.ErrNotRegular):
		return &hint.Error{Text: text + "that is no regular file", Next: "give the name of a new file", Err: err}
	case errors.Is(err, fs.ErrNotExist):
		return &hint.Error{Text: text + "the folder doesn't exist", Next: "make the folder " + filepath.Dir(path) + " first", Err: err}
	case errors.Is(err, syscall.ENOSPC):
		return &hint.Error{Text: text + "the disk is full", Next: "free some space and try again", Err: err}
	}
	return err
}

// ToFolder writes each conversation to a file of its own in a folder, which is made. Session
// files of OpenClaw get the names and the index by which an import knows the session keys again.
func ToFolder(ctx context.Context, db *data.DB, convs []lcm.Conversation, to Target, o Options, report data.Report) (all Result, bytes int64, err error) {
	if err := to.check(db); err != nil {
		return all, 0, err
	}
	part := to.Path
	if _, err := os.Lstat(to.Path); err == nil && !to.Force {
		return all, 0, placeError(to.Path, fs.ErrExist)
	} else if err != nil { // New: it gets its name when it is whole.
		if part, err = leftover.CreateFolderIn(filepath.Dir(to.Path), "export"); err != nil {
			return all, 0, placeError(to.Path, err)
		}
		defer func() { _ = leftover.RemoveFolder(part) }()
	}
	if report == nil {
		report = func(int, int, string) {}
	}
	names := folderNames(convs, o)
	for i, c := range convs {
		one := func(_, _ int, note string) { report(i, len(convs), note) }
		r, n, err := ToFile(ctx, db, convs[i:i+1], Target{filepath.Join(part, names[i]), to.Force, to.Policy}, o, one)
		all.Add(r)
		bytes += n
		if err != nil {
			return all, bytes, fmt.Errorf("conversation %d: %w", c.ID, err)
		}
	}
	if o.Format == OpenClaw {
		if err := writeIndex(filepath.Join(part, "sessions.json"), convs, names, o, to.mayReplace(ctx)); err != nil {
			return all, bytes, err
		}
	}
	if part != to.Path {
		err = leftover.RenameFolder(part, to.Path)
		regularfile.SyncFolder(filepath.Dir(to.Path))
	}
	return all, bytes, placeError(to.Path, err)
}

// folderNames returns the names of the files of conversations, all different.
func folderNames(convs []lcm.Conversation, o Options) []string {
	used := map[string]bool{"sessions.json": true}
	out := make([]string, len(convs))
	for i, c := range convs {
		id := strconv.FormatInt(c.ID, 10)
		name := id + o.Format.Extension()
		if label := scrubbed(o, c.SessionKey); label != "" {
			name = id + "-" + safeName(label) + o.Format.Extension()
		}
		if o.Format == OpenClaw {
			name = safeName(scrubbed(o, c.SessionID)) + ".jsonl"
			if !c.Active {
				name += ".reset." + resetStamp(c)
			}
			if used[strings.ToLower(name)] {
				name = safeName(scrubbed(o, c.SessionID)) + "-" + id + strings.TrimPrefix(name, safeName(scrubbed(o, c.SessionID)))
			}
		}
		used[strings.ToLower(name)] = true // Some file systems don't tell upper case from lower.
		out[i] = name
	}
	return out
}

// resetStamp returns the time in the name of a session file that its host put aside.
func resetStamp(c lcm.Conversation) string {
	at := c.ArchivedAt
	if !at.Valid() {
		at = c.UpdatedAt
	}
	return strings.ReplaceAll(at.UTC().Format("2006-01-02T15:04:05.000Z"), ":", "-")
}

func scrubbed(o Options, text string) string {
	if o.Scrubber == nil || text == "" {
		return text
	}
	return o.Scrubber.Scrub(text)
}

// writeIndex writes the index by which a host and an import know the session keys.
func writeIndex(path string, convs []lcm.Conversation, names []string, o Options, mayReplace func(string) error) error {
	type session struct {
		ID      string `json:"sessionId"`
		Updated int64  `json:"updatedAt"`
		File    string `json:"sessionFile"`
	}
	index := map[string]session{}
	for i, c := range convs {
		if c.Active && c.SessionKey != "" {
			index[scrubbed(o, c.SessionKey)] = session{scrubbed(o, c.SessionID), c.UpdatedAt.UnixMilli(), names[i]}
		}
	}
	b, err := json.MarshalIndent(index, "", "  ")
	if err != nil {
		return err
	}
	_, err = atomicfile.Fill(path, mayReplace, func(w io.Writer) error {
		_, err := w.Write(append(b, '\n'))
		return err
	})
	return err
}
