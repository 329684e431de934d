package slice

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// copyFiles copies the large files of the copied rows, and makes the rows name the copies.
func (w *writer) copyFiles(ctx context.Context) error {
	if !w.planned("large_files") {
		return nil
	}
	folder, err := filepath.Abs(w.request.FilesTo)
	if err != nil {
		return err
	}
	var rows []lcm.LargeFile
	err = w.each(ctx, "SELECT file_id, conversation_id, storage_uri FROM main.large_files ORDER BY file_id", func(scan data.RowScanner) error {
		var f lcm.LargeFile
		err := scan((*data.Text)(&f.ID), (*data.Integer)(&f.Conversation), (*data.Text)(&f.URI))
		rows = append(rows, f)
		return err
	})
	if err != nil {
		return err
	}
	w.report(0, 0, "copying large files")
	var files []data.NewFile
	for _, f := range rows {
		at, err := lcm.FindLargeFile(f, w.request.FilesFrom)
		if err != nil {
			w.result.MissingFiles = append(w.result.MissingFiles, f.ID)
			continue
		}
		to := filepath.Join(folder, strconv.FormatInt(f.Conversation, 10), filepath.Base(strings.TrimPrefix(f.URI, "file://")))
		files = append(files, data.NewFile{ID: f.ID, From: at.Path, Folder: w.request.FilesFrom, To: to, Into: folder, Bytes: at.Bytes})
	}
	if w.result.written, err = data.WriteFiles(ctx, files); err != nil {
		return err
	}
	w.result.Files = append(w.result.Files, files...)
	for _, f := range files {
		if _, err := w.change(ctx, "large_files", "UPDATE main.large_files SET storage_uri = ? WHERE file_id = ?", f.To, f.ID); err != nil {
			return err
		}
	}
	return nil
}
