package transplant

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
)

// fileCopies copies the large files that the copied texts name: their rows, and each file on
// the disk. A file whose id another conversation of the target's database has gets a new
// id, which replaces the old one in the copied texts.
type fileCopies struct {
	*Op
	source *data.DB
	rows   *rowWriter
	ids    map[string]string // New ids of the files that get one, by the old id.
}

// copyAll copies the files of some ids.
func (f *fileCopies) copyAll(ctx context.Context, mentioned []any) error {
	var rows []data.Row
	err := data.EachImage(ctx, f.source, "large_files", "file_id", mentioned, func(r data.Row) { rows = append(rows, r) })
	if err != nil {
		return err
	}
	own := map[string]data.Row{}
	for _, r := range rows {
		ids := []any{data.CellText(r["file_id"]), f.fileID(data.CellText(r["file_id"]), 0), f.fileID(data.CellText(r["file_id"]), 1)}
		if err := data.EachImage(ctx, f.rows.db, "large_files", "file_id", ids, func(r data.Row) { own[data.CellText(r["file_id"])] = r }); err != nil {
			return err
		}
	}
	if n := len(mentioned) - len(rows); n > 0 {
		f.rows.plan.Warn(fmt.Sprintf("the copied texts name %s that the source has no row of; the ids stay in the texts", plural.Count(n, "large file", "large files")))
	}
	return f.copyFiles(rows, own)
}

// fileID returns the id of a file's copy in the target. The same file and target give the same
// id, so that the file of a transplant that was undone serves the next one.
func (f *fileCopies) fileID(id string, try int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%d", id, f.Target, try))
	return lcm.FileIDPrefix + hex.EncodeToString(sum[:])[:lcm.FileIDLength-len(lcm.FileIDPrefix)]
}

// copyFiles adds the rows and the copies of files. own are the rows that the
// target's database has of those ids.
func (f *fileCopies) copyFiles(rows []data.Row, own map[string]data.Row) error {
	missing := map[string][]string{}
	for _, r := range rows {
		old := data.CellText(r["file_id"])
		id, present := f.targetFileID(old, own)
		if id != old {
			f.ids[old] = id
		}
		if present {
			continue
		}
		why, err := f.copyFile(r, id)
		if err != nil {
			return err
		}
		if why != "" {
			missing[why] = append(missing[why], old)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(missing)) {
		f.rows.plan.Warn(why + ", so only their rows are copied: " + joinSome(missing[why]))
	}
	if n := len(f.rows.plan.Files); n > 0 {
		f.rows.plan.Note(fmt.Sprintf("%s copied into %s before anything is written; undo removes the rows and leaves the files there",
			plural.Count(n, "large file is", "large files are"), filepath.Dir(f.rows.plan.Files[0].To)))
	}
	return nil
}

// targetFileID returns the id that a file gets, and whether the target already has it.
func (f *fileCopies) targetFileID(old string, own map[string]data.Row) (id string, present bool) {
	for _, id := range []string{old, f.fileID(old, 0), f.fileID(old, 1)} {
		r, taken := own[id]
		if !taken || data.CellInteger(r["conversation_id"]) == f.Target {
			return id, taken
		}
	}
	return lcm.FileIDPrefix + f.rows.db.NewID(), false
}

// copyFile adds one row and the copy of its file, or says why there can't be one.
func (f *fileCopies) copyFile(r data.Row, id string) (why string, err error) {
	old := lcm.LargeFile{ID: data.CellText(r["file_id"]), Conversation: data.CellInteger(r["conversation_id"]), URI: data.CellText(r["storage_uri"])}
	into := folder(f.Files, f.rows.db)
	from := into
	if f.source != f.rows.db || f.FromFiles != "" {
		from = folder(f.FromFiles, f.source)
	}
	fit := f.rows.fit("large_files", r)
	fit["file_id"], fit["conversation_id"] = id, f.Target
	found, err := lcm.FindLargeFile(old, from)
	switch {
	case err == nil:
		to := filepath.Join(into, strconv.FormatInt(f.Target, 10), id+fileExtension(old.URI))
		f.rows.plan.Files = append(f.rows.plan.Files, data.NewFile{ID: id, From: found.Path, Folder: from, To: to, Into: into, Bytes: found.Bytes})
		fit["storage_uri"] = to
	case errors.Is(err, fs.ErrNotExist):
		why = "not on the disk any more"
	case errors.Is(err, data.ErrOutsideFolder) && !isWithin(from, old.URI):
		why = "not in the source's files folder, " + from
	default:
		const next = "nothing outside of the files folder is copied; "
		return "", f.refuse(err.Error(), next+"name the source's folder with --from-files, or correct the path", next+"correct the path")
	}
	f.rows.insert("large_files", fit)
	return why, nil
}

// isWithin reports whether a path leads into a folder, without following links.
func isWithin(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// fileExtension returns the extension of a file's name, or empty where it isn't an ordinary one.
func fileExtension(path string) string {
	ext := filepath.Ext(path)
	if len(ext) > 12 || strings.ContainsFunc(strings.TrimPrefix(ext, "."), func(r rune) bool { return !isASCIIWord(r) }) {
		return ""
	}
	return ext
}

// rename returns a text with the new ids of files.
func (f *fileCopies) rename(text string) string {
	if len(f.ids) == 0 {
		return text
	}
	return lcm.ReplaceFileIDs(text, func(id string) string { return f.ids[id] })
}

// isASCIIWord reports whether a rune is an ASCII letter or digit, or an underscore.
func isASCIIWord(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// folder returns the absolute path of a database's files folder: given, or lcm-files beside it.
func folder(given string, db *data.DB) string {
	if given == "" {
		given = filepath.Join(filepath.Dir(db.Path()), "lcm-files")
	}
	if whole, err := filepath.Abs(given); err == nil { // Stored paths are whole.
		return whole
	}
	return given
}
