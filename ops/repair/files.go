package repair

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
)

// files makes rows again for large files that messages speak of and that lie in the
// files folder.
func (d *draft) files(ctx context.Context) error {
	for _, f := range d.take(integrity.MessageFileRowMissing) {
		if len(f.Rows) < 2 {
			continue
		}
		restored, err := d.restoreFile(ctx, f.Rows[1], id(f.Row))
		switch {
		case err != nil:
			return err
		case restored:
			d.done(f)
		default:
			d.leave(f, "there is no file of that id in the files folder, so the payload is lost")
		}
	}
	return nil
}

// forgotten deletes the rows of files that nothing refers to, where the user chose it.
func (d *draft) forgotten(ctx context.Context) error {
	for _, f := range d.take(integrity.FileUnreferenced) {
		if f.Table != "large_files" {
			d.leave(f, "that is for a person to do: delete the file, if a backup doesn't need it")
			continue
		}
		if d.choice(f) != "forget" {
			continue
		}
		rows, err := d.db.Images(ctx, f.Table, data.Row{"file_id": f.Row})
		if err != nil {
			return err
		}
		for _, r := range rows {
			d.edits.delete(f.Table, r)
		}
		d.done(f)
	}
	return nil
}

// reference is the line that stands in a message for a payload: its id, name, kind.
var reference = regexp.MustCompile(`^\[LCM File: (` + data.FileIDPattern + `) \| ([^|\]]*) \| ([^|\]]*) \|`)

// restoreFile makes the row of a large file that lies where hosts put it. What the
// message that refers to it says of it goes into the row.
func (d *draft) restoreFile(ctx context.Context, file string, message int64) (bool, error) {
	where := data.Row{"file_id": file}
	if c := d.edits.byKey["large_files\x00string "+file]; c != nil {
		return true, nil
	}
	path, size := d.onDisk(file)
	if path == "" {
		return false, nil
	}
	r := data.Row{
		"file_id": file, "conversation_id": d.op.Conversation, "byte_size": size, "storage_uri": path,
		"file_name": filepath.Base(path), "created_at": d.db.FormatNow(),
	}
	if message != 0 {
		m, err := d.db.Message(ctx, message)
		if err != nil {
			return false, err
		}
		if at := reference.FindStringSubmatch(m.Content); at != nil {
			r["file_name"], r["mime_type"] = strings.TrimSpace(at[2]), strings.TrimSpace(at[3])
		}
		if _, text, ok := strings.Cut(m.Content, "Exploration Summary:\n"); ok {
			r["exploration_summary"] = strings.TrimSpace(text)
		}
		r["created_at"] = data.FormatTime(m.CreatedAt.Time)
	}
	d.edits.insert("large_files", r)
	d.plan.Guard("large_files", where, 0)
	return true, nil
}

// onDisk finds a large file of the conversation in the files folder.
func (d *draft) onDisk(file string) (path string, size int64) {
	if d.op.FilesDir == "" {
		return "", 0
	}
	found, err := filepath.Glob(filepath.Join(d.op.FilesDir, strconv.FormatInt(d.op.Conversation, 10), file+".*"))
	if err != nil || len(found) != 1 {
		return "", 0
	}
	name, err := data.PathInside(d.op.FilesDir, found[0])
	if err != nil {
		return "", 0
	}
	info, err := os.Lstat(filepath.Join(d.op.FilesDir, name))
	if err != nil || !info.Mode().IsRegular() {
		return "", 0
	}
	return found[0], info.Size()
}
