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
	"lcm-tui/data/columntexts"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/identity"
	"lcm-tui/engine/ingest"
	"lcm-tui/engine/redact"
	"lcm-tui/internal/regularfile"
)

// ErrTranscriptChanged says that a session file was written to since the plan.
var ErrTranscriptChanged = errors.New("the session file has changed since the plan was made")

// sessionFile is a session file that has secrets which are replaced.
type sessionFile struct {
	path     string
	info     os.FileInfo       // As it was planned.
	tracked  []lcm.Bootstrap   // How far hosts have read it.
	hashes   map[string]string // Of entries whose text changes: the new hash by the old one.
	messages []changedEntry
}

// changedEntry is a message of a session file whose text changes, as a host stores it.
type changedEntry struct{ before, after ingest.Stored }

// findSessionFiles finds the session files that are changed, and which conversations follow them.
func (o *Op) findSessionFiles(ctx context.Context, db *data.DB, known *redact.Known) error {
	o.sessions = nil
	if len(o.Transcripts) == 0 {
		return nil
	}
	followed, err := lcm.Bootstraps(ctx, db)
	if err != nil {
		return err
	}
	readers := map[string][]lcm.Bootstrap{}
	for _, b := range followed {
		readers[wherever(b.Path)] = append(readers[wherever(b.Path)], b)
	}
	seen := map[string]bool{}
	for _, path := range o.Transcripts {
		if isStore(path) || seen[wherever(path)] {
			continue
		}
		seen[wherever(path)] = true
		f := &sessionFile{path: path, tracked: readers[wherever(path)], hashes: map[string]string{}}
		if f.info, err = os.Lstat(path); err != nil || !f.info.Mode().IsRegular() {
			continue
		}
		found, err := hasKnown(ctx, path, known)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			db.Warn(fmt.Errorf("read %s: %w", path, err))
			continue
		}
		if found {
			o.sessions = append(o.sessions, f)
		}
	}
	rules := ingest.RulesOf(db.Schema(), estimator(db), 0)
	for _, f := range o.sessions { // The numbers of all, before the first text with a number.
		if err := o.takeNumbers(ctx, db, f, known, rules); err != nil {
			return err
		}
	}
	for _, f := range o.sessions {
		if err := o.hashEntries(ctx, f, known, rules); err != nil {
			return err
		}
	}
	return nil
}

// wherever returns one path for all those that lead to a file through links of its folders: a conversation may follow it
// by another one than that of the host's folder.
func wherever(path string) string {
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return path
	}
	return filepath.Join(folder, filepath.Base(path))
}

// eachEntry calls fn with the messages of a session file that a conversation follows.
func (f *sessionFile) eachEntry(ctx context.Context, fn func(message jstext.Value) error) error {
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
		if err := fn(e.Message); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// takeNumbers gives secrets of a session file the placeholders that stored messages have for them
// since an earlier run: both sides must have the same text.
func (o *Op) takeNumbers(ctx context.Context, db *data.DB, f *sessionFile, known *redact.Known, rules ingest.Rules) error {
	return f.eachEntry(ctx, func(message jstext.Value) error {
		before, _ := rules.Store(message, "")
		found := known.Find(before.Content)
		if len(found) == 0 {
			return nil
		}
		for _, b := range f.tracked {
			texts, err := columntexts.TextsWithHash(ctx, db, b.Conversation, before.Identity)
			if err != nil {
				return err
			}
			for _, text := range texts {
				o.rename(redact.PlaceholdersIn(before.Content, found, text))
			}
		}
		return nil
	})
}

// rename gives chosen secrets the rules and the numbers of placeholders.
func (o *Op) rename(placeholders map[redact.Secret]redact.Label) {
	for i := range o.chosen {
		if l, some := placeholders[o.chosen[i].Secret]; some {
			o.chosen[i].Rule, o.number[o.chosen[i].Secret] = l.Rule, l.Number
		}
	}
}

// hashEntries finds the entries whose text changes, and their new hashes.
func (o *Op) hashEntries(ctx context.Context, f *sessionFile, known *redact.Known, rules ingest.Rules) error {
	return f.eachEntry(ctx, func(message jstext.Value) error {
		text := jstext.Value(o.redact(known, string(message)))
		if text == message {
			return nil
		}
		before, _ := rules.Store(message, "")
		after, _ := rules.Store(text, "")
		f.hashes[identity.EntryHash(before.Role, before.Content)] = identity.EntryHash(after.Role, after.Content)
		f.messages = append(f.messages, changedEntry{before, after})
		return nil
	})
}

// SessionFiles returns the session files that Finish changes.
func (o *Op) SessionFiles() (paths []string) {
	for _, f := range o.sessions {
		paths = append(paths, f.path)
	}
	return paths
}

// replaceInTranscripts replaces the values of a plan in the session files, after they were replaced in
// the rows. Nobody may have the database open, this program neither: a host that runs appends to its
// session file, and what it appends to the old one would be lost.
func (o *Op) replaceInTranscripts(ctx context.Context, database string) (err error) {
	if len(o.sessions) == 0 {
		return nil
	}
	x, err := data.OpenExclusive(ctx, database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	known := redact.NewKnown(o.chosen)
	for _, f := range o.sessions {
		if err := o.rewriteTranscript(ctx, x, f, known); err != nil {
			return fmt.Errorf("replace secrets in %s: %w", f.path, err)
		}
		o.Result.Files = append(o.Result.Files, f.path)
	}
	return nil
}

// rewriteTranscript writes a session file beside the old one and gives it its name. It keeps the
// time, the owner and the permissions of the file.
func (o *Op) rewriteTranscript(ctx context.Context, x *data.Exclusive, f *sessionFile, known *redact.Known) (err error) {
	r, err := regularfile.Rewrite(f.path, f.info)
	if err != nil {
		return err
	}
	defer r.Discard()
	moved := slices.Clone(f.tracked)
	var before, after int64 // Where the line begins.
	w := bufio.NewWriterSize(r, 1<<18)
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
	if err = errors.Join(err, w.Flush()); err != nil {
		return err
	}
	for i := range moved {
		if hash := f.hashes[moved[i].LastHash]; hash != "" {
			moved[i].LastHash = hash
		}
	}
	err = columntexts.MoveCheckpoints(ctx, x, moved, f.newHashes(), r.Replace)
	if errors.Is(err, regularfile.ErrChanged) {
		err = ErrTranscriptChanged
	}
	return err
}

// newHashes returns the identity hashes of the messages whose text is the same on both sides afterwards.
func (f *sessionFile) newHashes() (out []columntexts.NewHash) {
	for _, b := range f.tracked {
		for _, m := range f.messages {
			out = append(out, columntexts.NewHash{Conversation: b.Conversation, Content: m.after.Content, Before: m.before.Identity, After: m.after.Identity})
		}
	}
	return out
}

// eachLine calls fn with the lines of a file, each with its end.
func eachLine(ctx context.Context, path string, fn func(line string) error) error {
	f, err := regularfile.Open(path)
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
