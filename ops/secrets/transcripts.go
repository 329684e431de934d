package secrets

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/cells"
	"lcm-tui/data/jstext"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/identity"
	"lcm-tui/engine/ingest"
	"lcm-tui/engine/secrets"
)

// ErrTranscriptChanged says that a session file was written to since the plan.
var ErrTranscriptChanged = errors.New("the session file has changed since the plan was made")

// sessionFile is a session file that has secrets which are replaced.
type sessionFile struct {
	path    string
	info    os.FileInfo       // As it was planned.
	tracked []data.Bootstrap  // How far hosts have read it.
	hashes  map[string]string // Of entries whose text changes: the new hash by the old one.
}

// findSessionFiles finds the session files that are changed, and which conversations follow them.
func (o *Op) findSessionFiles(ctx context.Context, db *data.DB, known *secrets.Known) error {
	o.sessions, o.swept = nil, map[int64]bool{}
	if len(o.Transcripts) == 0 {
		return nil
	}
	followed, err := db.Bootstraps(ctx)
	if err != nil {
		return err
	}
	readers := map[string][]data.Bootstrap{}
	for _, b := range followed {
		readers[b.Path] = append(readers[b.Path], b)
	}
	rules := ingest.RulesOf(db.Schema(), estimator(db), 0)
	for _, path := range o.Transcripts {
		f := &sessionFile{path: path, tracked: readers[path], hashes: map[string]string{}}
		if f.info, err = os.Lstat(path); err != nil || !f.info.Mode().IsRegular() {
			continue
		}
		found, err := hasKnown(ctx, path, known)
		if err != nil {
			db.Warn(fmt.Errorf("read %s: %w", path, err))
			continue
		}
		for _, b := range f.tracked { // Both sides are equal afterwards, also where nothing changes.
			o.swept[b.Conversation] = true
		}
		if !found {
			continue
		}
		if err := o.hashEntries(ctx, f, known, rules); err != nil {
			return err
		}
		o.sessions = append(o.sessions, f)
	}
	return nil
}

// hasKnown reports whether a line of a file has a secret.
func hasKnown(ctx context.Context, path string, known *secrets.Known) (found bool, err error) {
	err = eachLine(ctx, path, func(line string) error {
		if found = len(known.Find(line)) > 0; found {
			return io.EOF
		}
		return nil
	})
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return found, err
}

// eachLine calls fn with the lines of a file, each with its end.
func eachLine(ctx context.Context, path string, fn func(line string) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for r := bufio.NewReaderSize(f, 1<<18); ; {
		line, err := r.ReadString('\n')
		if line != "" {
			if err := errors.Join(ctx.Err(), fn(line)); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// hashEntries finds the new hashes of the entries whose text changes.
func (o *Op) hashEntries(ctx context.Context, f *sessionFile, known *secrets.Known, rules ingest.Rules) error {
	if len(f.tracked) == 0 {
		return nil
	}
	t, err := transcript.Open(ctx, f.path)
	if err != nil {
		return ctx.Err() // No host reads it either.
	}
	for e, err := range t.Entries(ctx) {
		if err != nil {
			continue // A line that a host skips as well.
		}
		after := jstext.Value(o.redact(known, string(e.Message)))
		if after == e.Message {
			continue
		}
		before, _ := rules.Store(e.Message, "")
		now, _ := rules.Store(after, "")
		f.hashes[identity.EntryHash(before.Role, before.Content)] = identity.EntryHash(now.Role, now.Content)
	}
	return ctx.Err()
}

// SessionFiles are the session files that ReplaceInTranscripts changes.
func (o *Op) SessionFiles() (paths []string) {
	for _, f := range o.sessions {
		paths = append(paths, f.path)
	}
	return paths
}

// ReplaceInTranscripts replaces the values of a plan in the session files, before the plan is
// applied. Nobody may have the database open, this program neither: a host that runs appends to its
// session file, and what it appends to the old one would be lost.
func (o *Op) ReplaceInTranscripts(ctx context.Context, database string) (err error) {
	if len(o.sessions) == 0 {
		return nil
	}
	x, err := data.OpenExclusive(ctx, database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	known := secrets.NewKnown(o.chosen)
	for _, f := range o.sessions {
		if err := o.rewriteTranscript(ctx, x, f, known); err != nil {
			return fmt.Errorf("replace secrets in %s: %w", f.path, err)
		}
		o.rewritten = append(o.rewritten, f.path)
	}
	return nil
}

// isUnchanged reports whether the session file is as it was planned.
func (f *sessionFile) isUnchanged() bool {
	now, err := os.Lstat(f.path)
	return err == nil && os.SameFile(f.info, now) && now.Size() == f.info.Size() && now.ModTime().Equal(f.info.ModTime())
}

// rewriteTranscript writes a session file beside the old one and gives it its name. It keeps the
// time and the permissions of the file.
func (o *Op) rewriteTranscript(ctx context.Context, x *data.Exclusive, f *sessionFile, known *secrets.Known) (err error) {
	part, err := os.CreateTemp(filepath.Dir(f.path), ".lcm-tui-*.part") // Private to the user.
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	moved := slices.Clone(f.tracked)
	var before, after int64 // Where the line begins.
	w := bufio.NewWriterSize(part, 1<<18)
	err = eachLine(ctx, f.path, func(line string) error {
		changed := o.redact(known, line)
		before += int64(len(line))
		after += int64(len(changed))
		for i, b := range f.tracked {
			if before <= b.Offset {
				moved[i].Offset = after + b.Offset - before
			}
			if before <= b.Size {
				moved[i].Size = after + b.Size - before
			}
		}
		_, err := w.WriteString(changed)
		return err
	})
	err = errors.Join(err, w.Flush(), part.Chmod(f.info.Mode().Perm()), part.Sync(), part.Close())
	if err == nil {
		err = os.Chtimes(part.Name(), f.info.ModTime(), f.info.ModTime())
	}
	if err != nil {
		return err
	}
	for i := range moved {
		if hash := f.hashes[moved[i].LastHash]; hash != "" {
			moved[i].LastHash = hash
		}
	}
	return cells.MoveCheckpoints(ctx, x, moved, func() error {
		if !f.isUnchanged() {
			return ErrTranscriptChanged
		}
		return os.Rename(part.Name(), f.path)
	})
}
