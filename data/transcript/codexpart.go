package transcript

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"lcm-tui/data/jstext"
)

// PartBase is where a part of a session goes on from. When the user of Codex goes back, the session goes on in another file, whose name
// ends with the id of that part. Observed with Codex 0.171.0.
type PartBase struct {
	Part string `json:"part"` // The id of the part before; that of the session for its first file.
	End  int64  `json:"end"`  // How many items of the session are before this part.
}

func partBase(meta jstext.Value) *PartBase {
	base := meta.Field("history_base")
	end, err := strconv.ParseInt(string(base.Field("end_ordinal_exclusive")), 10, 64)
	if part := base.Field("thread_id").Text(); err == nil && part != "" {
		return &PartBase{part, end}
	}
	return nil
}

// part returns what the ids of the entries of a file of Codex begin with: the id of the session, and of a later part also its own,
// since the places of lines are the same in all of them.
func (f *File) part() string {
	name, _, _ := strings.Cut(filepath.Base(f.Path), ".jsonl")
	if _, part, later := strings.Cut(name, "-"+f.Session.ID+"_"); later && part != "" {
		return f.Session.ID + "_" + part
	}
	return f.Session.ID
}

// IsOfAnotherPart reports whether the entry with an id is in another file of the same session of Codex.
func (f *File) IsOfAnotherPart(entry string) bool {
	if f.Kind != Codex {
		return false
	}
	part, _ := splitCodexID(entry)
	return f.isOther(part)
}

// isOther reports whether ids of entries that begin with part are of another file of the session.
func (f *File) isOther(part string) bool {
	return (part == f.Session.ID || strings.HasPrefix(part, f.Session.ID+"_")) && part != f.part()
}

// splitCodexID returns the part and the line of an entry's id; 0 of another id.
func splitCodexID(entry string) (part string, line int64) {
	entry, _, _ = strings.Cut(entry, "#")
	if i := strings.LastIndexByte(entry, ':'); i >= 0 {
		if n, err := strconv.ParseInt(entry[i+1:], 10, 64); err == nil {
			return entry[:i], n
		}
	}
	return "", 0
}

// LeftBehind returns a function that reports whether an entry of another file of the session is one that the user of Codex went back
// before when this file began. It is nil where the file is the first one, or where a file before it can't be found.
func (f *File) LeftBehind(ctx context.Context) (func(entry string) bool, error) {
	if f.Kind != Codex || f.part() == f.Session.ID {
		return nil, nil
	}
	lines := map[string]int64{} // By part, the last line that is a part of the session.
	for at := f; at.Session.Base != nil; {
		base := at.Session.Base
		before, err := f.openPart(ctx, base.Part)
		if err != nil || before == nil {
			return nil, err
		}
		if _, again := lines[before.part()]; again {
			return nil, nil
		}
		first := int64(0)
		if before.Session.Base != nil {
			first = before.Session.Base.End
		}
		lines[before.part()] = base.End - first
		at = before
	}
	return func(entry string) bool {
		part, line := splitCodexID(entry)
		return f.isOther(part) && line > lines[part]
	}, nil
}

// datedFolders is where Codex puts its files: by year, month and day.
const datedFolders = "[0-9][0-9][0-9][0-9]/[0-9][0-9]/[0-9][0-9]"

// openPart opens another file of the session, or returns nil where there is none: beside this one, or in the folder of another day.
func (f *File) openPart(ctx context.Context, part string) (*File, error) {
	name := "rollout-*_" + part + ".jsonl*"
	if part == f.Session.ID {
		name = "rollout-*-" + part + ".jsonl*"
	}
	root, err := filepath.Abs(filepath.Dir(f.Path))
	if err != nil {
		return nil, err
	}
	pattern, days := name, filepath.Join(root, "..", "..", "..")
	if day, err := filepath.Rel(days, root); err == nil {
		if is, _ := filepath.Match(filepath.FromSlash(datedFolders), day); is { // The pattern is valid.
			root, pattern = days, datedFolders+"/"+name
		}
	}
	found, _ := fs.Glob(os.DirFS(root), pattern) // It is valid, or its part is no id.
	for _, name := range found {
		before, err := Open(ctx, filepath.Join(root, filepath.FromSlash(name)))
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil && before.Kind == Codex && before.Session.ID == f.Session.ID && before.part() != f.part():
			return before, nil
		}
	}
	return nil, nil
}
