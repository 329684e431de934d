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

// findFiles copies the large files that the copied texts name: their rows, and each file on
// the disk. A file whose id another conversation of the target's database has gets a new
// id, which replaces the old one in the copied texts.
func (t *transfer) findFiles(ctx context.Context) error {
	mentioned := t.mentionedFiles()
	var rows []data.Row
	err := t.sourceDB.EachImage(ctx, "large_files", "file_id", mentioned, func(r data.Row) { rows = append(rows, r) })
	if err != nil {
		return err
	}
	own := map[string]data.Row{}
	for _, r := range rows {
		ids := []any{data.CellText(r["file_id"]), t.fileID(data.CellText(r["file_id"]), 0), t.fileID(data.CellText(r["file_id"]), 1)}
		if err := t.targetDB.EachImage(ctx, "large_files", "file_id", ids, func(r data.Row) { own[data.CellText(r["file_id"])] = r }); err != nil {
			return err
		}
	}
	if n := len(mentioned) - len(rows); n > 0 {
		t.plan.Warn(fmt.Sprintf("the copied texts name %s that the source has no row of; the ids stay in the texts", plural.Count(n, "large file", "large files")))
	}
	return t.copyFiles(rows, own)
}

// mentionedFiles are the ids of large files in all that is copied.
func (t *transfer) mentionedFiles() (ids []any) {
	found := map[string]bool{}
	scan := func(r data.Row) {
		for _, v := range r {
			if text, ok := v.(string); ok {
				lcm.EachFileID(text, func(_ int, id string) { found[id] = true })
			}
		}
	}
	for _, r := range t.summaries {
		scan(r)
	}
	for _, r := range t.messages {
		scan(r)
		for _, p := range t.parts[data.CellInteger(r["message_id"])] {
			scan(p)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		ids = append(ids, id)
	}
	return ids
}

// fileID is the id of a file's copy in the target. The same file and target give the same
// id, so that the file of a transplant that was undone serves the next one.
func (t *transfer) fileID(id string, try int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%d", id, t.Target, try))
	return lcm.FileIDPrefix + hex.EncodeToString(sum[:])[:lcm.FileIDLength-len(lcm.FileIDPrefix)]
}

// copyFiles adds the rows and the copies of files. own are the rows that the
// target's database has of those ids.
func (t *transfer) copyFiles(rows []data.Row, own map[string]data.Row) error {
	missing := map[string][]string{}
	for _, r := range rows {
		old := data.CellText(r["file_id"])
		id, present := t.targetFileID(old, own)
		if id != old {
			t.files[old] = id
		}
		if present {
			continue
		}
		why, err := t.copyFile(r, id)
		if err != nil {
			return err
		}
		if why != "" {
			missing[why] = append(missing[why], old)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(missing)) {
		t.plan.Warn(why + ", so only their rows are copied: " + joinSome(missing[why]))
	}
	if n := len(t.plan.Files); n > 0 {
		t.plan.Note(fmt.Sprintf("%s copied into %s before anything is written; undo removes the rows and leaves the files there",
			plural.Count(n, "large file is", "large files are"), filepath.Dir(t.plan.Files[0].To)))
	}
	return nil
}

// targetFileID is the id that a file gets, and whether the target already has it.
func (t *transfer) targetFileID(old string, own map[string]data.Row) (id string, present bool) {
	for _, id := range []string{old, t.fileID(old, 0), t.fileID(old, 1)} {
		r, taken := own[id]
		if !taken || data.CellInteger(r["conversation_id"]) == t.Target {
			return id, taken
		}
	}
	return lcm.FileIDPrefix + t.targetDB.NewID(), false
}

// copyFile adds one row and the copy of its file, or says why there can't be one.
func (t *transfer) copyFile(r data.Row, id string) (why string, err error) {
	old := lcm.LargeFile{ID: data.CellText(r["file_id"]), Conversation: data.CellInteger(r["conversation_id"]), URI: data.CellText(r["storage_uri"])}
	into := folder(t.Files, t.targetDB)
	from := into
	if t.sourceDB != t.targetDB || t.FromFiles != "" {
		from = folder(t.FromFiles, t.sourceDB)
	}
	fit := t.fit("large_files", r)
	fit["file_id"], fit["conversation_id"] = id, t.Target
	found, err := lcm.FindLargeFile(old, from)
	switch {
	case err == nil:
		to := filepath.Join(into, strconv.FormatInt(t.Target, 10), id+fileExtension(old.URI))
		t.plan.Files = append(t.plan.Files, data.NewFile{ID: id, From: found.Path, Folder: from, To: to, Into: into, Bytes: found.Bytes})
		fit["storage_uri"] = to
	case errors.Is(err, fs.ErrNotExist):
		why = "not on the disk any more"
	case errors.Is(err, data.ErrOutsideFolder) && !isWithin(from, old.URI):
		why = "not in the source's files folder, " + from
	default:
		const next = "nothing outside of the files folder is copied; "
		return "", t.refuse(err.Error(), next+"name the source's folder with --from-files, or correct the path", next+"correct the path")
	}
	t.insert("large_files", fit)
	return why, nil
}

// isWithin reports whether a path leads into a folder, without following links.
func isWithin(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// fileExtension is the extension of a file's name, or empty where it isn't an ordinary one.
func fileExtension(path string) string {
	ext := filepath.Ext(path)
	if len(ext) > 12 || strings.ContainsFunc(strings.TrimPrefix(ext, "."), func(r rune) bool { return !isASCIIWord(r) }) {
		return ""
	}
	return ext
}

// rename is a text with the new ids of files.
func (t *transfer) rename(text string) string {
	if len(t.files) == 0 {
		return text
	}
	return lcm.ReplaceFileIDs(text, func(id string) string { return t.files[id] })
}

// isASCIIWord reports whether a rune is an ASCII letter or digit, or an underscore.
func isASCIIWord(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
