package repair

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/lazyregexp"
)

// restoreFiles makes rows again for large files that messages refer to and that lie in the
// files folder.
func restoreFiles(ctx context.Context, s *state) error {
	for _, f := range s.found.of(integrity.MessageFileRowMissing) {
		if len(f.Rows) < 2 {
			continue
		}
		restored, err := restoreFile(ctx, s, f.Rows[1], id(f.Row))
		switch {
		case err != nil:
			return err
		case restored:
			s.found.markRepaired(f)
		default:
			s.found.leave(f, "there is no file of that id in the files folder, so the payload is lost")
		}
	}
	return nil
}

// deleteFileRows deletes the rows of files that nothing refers to, where the user chose it.
func deleteFileRows(ctx context.Context, s *state) error {
	for _, f := range s.found.of(integrity.FileUnreferenced) {
		if f.Table != "large_files" {
			s.found.leave(f, "delete the file by hand, if no backup needs it")
			continue
		}
		if s.found.choice(f) != "forget" {
			continue
		}
		rows, err := data.Images(ctx, s.db, f.Table, data.Row{"file_id": f.Row})
		if err != nil {
			return err
		}
		for _, r := range rows {
			s.rows.Delete(f.Table, r)
		}
		s.found.markRepaired(f)
	}
	return nil
}

// reference is the line that stands in a message for a payload: its id, name, kind.
var reference = lazyregexp.New(`^\[LCM File: (` + lcm.FileIDPattern + `) \| ([^|\]]*) \| ([^|\]]*) \|`)

// restoreFile makes the row of a large file that lies where hosts put it. What the
// message that refers to it says of it goes into the row.
func restoreFile(ctx context.Context, s *state, file string, message int64) (bool, error) {
	where := data.Row{"file_id": file}
	if s.rows.Has("large_files", where) {
		return true, nil
	}
	path, size := findFile(s, file)
	if path == "" {
		return false, nil
	}
	r := data.Row{
		"file_id": file, "conversation_id": s.op.Conversation, "byte_size": size, "storage_uri": path,
		"file_name": filepath.Base(path), "created_at": s.db.FormatNow(),
	}
	if message != 0 {
		m, err := lcm.ReadMessage(ctx, s.db, message)
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
	s.rows.Insert("large_files", r)
	s.plan.Guard("large_files", where, 0)
	return true, nil
}

// findFile finds a large file of the conversation in the files folder.
func findFile(s *state, file string) (path string, size int64) {
	if s.op.FilesDir == "" {
		return "", 0
	}
	found := filesystem.Glob(filepath.Join(s.op.FilesDir, strconv.FormatInt(s.op.Conversation, 10)), filesystem.Pattern(file)+".*")
	if len(found) != 1 {
		return "", 0
	}
	name, err := data.PathInside(s.op.FilesDir, found[0])
	if err != nil {
		return "", 0
	}
	info, err := os.Lstat(filepath.Join(s.op.FilesDir, name))
	if err != nil || !info.Mode().IsRegular() {
		return "", 0
	}
	return found[0], info.Size()
}

// repairFileNames makes rows again for files that summaries name and that lie where hosts put
// them, and removes the names of others.
func repairFileNames(ctx context.Context, s *state) error {
	removed := map[string][]string{}
	for _, f := range s.found.of(integrity.SummaryFileRowMissing) {
		if n := s.graph.Summary(f.Row); n == nil || n.IsDeleted() || len(f.Rows) < 2 {
			continue
		}
		restored, err := restoreFile(ctx, s, f.Rows[1], 0)
		if err != nil {
			return err
		}
		if !restored {
			removed[f.Row] = append(removed[f.Row], f.Rows[1])
		}
		s.found.markRepaired(f)
	}
	for _, id := range sortedKeys(removed) {
		var named []string
		if json.Unmarshal([]byte(s.graph.Summary(id).FileIDs), &named) != nil {
			continue
		}
		named = slices.DeleteFunc(named, func(n string) bool { return slices.Contains(removed[id], n) })
		if err := setFileIDs(s, id, named); err != nil {
			return err
		}
	}
	return nil
}

// setFileIDs sets the list of the files that a summary names.
func setFileIDs(s *state, id string, named []string) error {
	b, err := json.Marshal(append([]string{}, named...))
	if err == nil {
		s.graph.Set(s.graph.Summary(id), data.Row{"file_ids": string(b)})
	}
	return err
}
