package planfile

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"

	"lcm-tui/data"
)

// largeFile is a large file that is made before the rows are written. Its content stands in the
// plan file, so that applying it reads no path that a file names.
type largeFile struct {
	ID      string `json:"file_id"`
	Name    string `json:"name"` // Below the files folder.
	To      string `json:"storage_uri"`
	Bytes   int64  `json:"bytes"`
	SHA256  string `json:"sha256"`
	Content []byte `json:"content"`
}

// readFiles reads the large files of a plan.
func readFiles(files []data.NewFile) (out []largeFile, err error) {
	out, total := []largeFile{}, int64(0)
	for _, f := range files {
		if total += f.Bytes; total > maxBytes {
			return nil, tooLarge(total)
		}
		content, err := f.Content()
		if err != nil {
			return nil, f.Failure(err)
		}
		name, err := filepath.Rel(f.Into, f.To)
		if err != nil {
			return nil, f.Failure(err)
		}
		out = append(out, largeFile{ID: f.ID, Name: filepath.ToSlash(name), To: f.To, Bytes: int64(len(content)), SHA256: digest(content), Content: content})
	}
	return out, nil
}

// newFiles returns the large files of a plan file for a files folder. A path outside of it is an error.
func (d *document) newFiles(folder string) ([]data.NewFile, error) {
	var out []data.NewFile
	for _, f := range d.Files {
		if int64(len(f.Content)) != f.Bytes || digest(f.Content) != f.SHA256 {
			return nil, fmt.Errorf("the large file %s isn't the one that its digest is of", f.ID)
		}
		to := filepath.Join(folder, filepath.FromSlash(f.Name))
		if !filepath.IsLocal(filepath.FromSlash(f.Name)) || filepath.Dir(filepath.Dir(to)) != filepath.Clean(folder) || to != f.To {
			return nil, fmt.Errorf("the large file %s would be written to %s, which isn't in a conversation's folder of %s", f.ID, f.To, folder)
		}
		out = append(out, data.NewFile{ID: f.ID, Body: string(f.Content), To: to, Into: folder, Bytes: f.Bytes})
	}
	return out, nil
}

// FilesFolder returns the folder of large files as a whole path; empty is lcm-files beside the database.
func FilesFolder(db *data.DB, folder string) string {
	if folder == "" {
		folder = filepath.Join(filepath.Dir(db.Path()), "lcm-files")
	}
	if whole, err := filepath.Abs(folder); err == nil { // Stored paths are whole.
		return whole
	}
	return folder
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
