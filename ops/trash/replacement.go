package trash

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"

	"lcm-tui/data"
	"lcm-tui/data/change"
)

// Replacement is what stands in the place of a text that the trash keeps, where that isn't the
// stub of a forgotten one: a text that names the files with its payloads.
type Replacement struct {
	Message int64
	Digest  string   // Of the text that takes the place.
	Files   []string // The ids of the files that are made for it, and Paths where.
	Paths   []string
}

// ContentDigest returns the SHA-256 of a text.
func ContentDigest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

const replacementTable = "lcm_tui_replacement"

const replacementSchema = "CREATE TABLE " + replacementTable + " (message_id INTEGER PRIMARY KEY, digest TEXT NOT NULL, files TEXT NOT NULL, paths TEXT NOT NULL)"

// writeReplacements keeps replacements in the trash file.
func writeReplacements(ctx context.Context, conn *sql.Conn, all []Replacement) error {
	if len(all) == 0 {
		return nil
	}
	if _, err := conn.ExecContext(ctx, replacementSchema); err != nil {
		return err
	}
	for _, r := range all {
		files, err := json.Marshal(r.Files)
		if err != nil {
			return err
		}
		paths, err := json.Marshal(r.Paths)
		if err != nil {
			return err
		}
		if _, err := conn.ExecContext(ctx, "INSERT INTO "+replacementTable+" (message_id, digest, files, paths) VALUES (?, ?, ?, ?)", r.Message, r.Digest, string(files), string(paths)); err != nil {
			return err
		}
	}
	return nil
}

// namesFiles says that a message m or a part of it names a file of its replacement r.
const namesFiles = `EXISTS (SELECT 1 FROM json_each(r.files) f WHERE instr(m.content, f.value) > 0
	OR EXISTS (SELECT 1 FROM main.message_parts p WHERE p.message_id = m.message_id AND instr(p.metadata, f.value) > 0))`

// withReplacements returns the messages s of a trash file, each with its replacement r if it has one.
func withReplacements(from *data.Schema) string {
	r := "(SELECT NULL AS message_id, NULL AS digest, NULL AS files WHERE 0)"
	if from.Has(replacementTable) {
		r = "trash." + replacementTable
	}
	return "trash.messages s LEFT JOIN " + r + " r ON r.message_id = s.message_id"
}

// removeFileRows deletes the rows of the files that a replacement named and that nothing else
// names by now. Their payloads stand in the restored row again.
func (w *restorer) removeFileRows(ctx context.Context, t *change.Turn, files string) error {
	if files == "" || !t.Schema().Has("large_files") {
		return nil
	}
	const unused = `file_id IN (SELECT value FROM json_each(?1)) AND NOT EXISTS (SELECT 1 FROM main.summaries s
		WHERE s.conversation_id = main.large_files.conversation_id AND (instr(s.content, file_id) > 0 OR instr(s.file_ids, file_id) > 0))`
	err := t.EachRow(ctx, "SELECT storage_uri FROM main.large_files WHERE "+unused, []any{files}, func(scan data.RowScanner) error {
		var path string
		err := scan(&path)
		w.unused = append(w.unused, path)
		return err
	})
	if err != nil {
		return err
	}
	_, err = t.Exec(ctx, "DELETE FROM main.large_files WHERE "+unused, files)
	return err
}
