package fakehost

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// LargeFile is a file that the host took out of a message.
type LargeFile struct {
	ID           string // made up when empty
	Conversation int64
	Folder       string // the files folder; the file goes to <Folder>/<Conversation>/<ID>.<ext>
	Name         string
	MIME         string
	Exploration  string // what a model should know of the file
	At           time.Time
}

// File writes the row of a large file and the file itself, and returns its id.
func (h *Writer) File(f LargeFile, body []byte) (string, error) {
	if f.ID == "" {
		f.ID = h.id("file_", f.Name)
	}
	path, err := f.store(body)
	if path != "" {
		h.Files = append(h.Files, path)
	}
	if err != nil {
		return "", fmt.Errorf("store large file: %w", err)
	}
	_, err = h.insert("large_files", cell{"file_id", f.ID}, cell{"conversation_id", f.Conversation},
		cell{"file_name", null(f.Name)}, cell{"mime_type", null(f.MIME)}, cell{"byte_size", len(body)},
		cell{"line_count", 1 + strings.Count(strings.TrimSuffix(string(body), "\n"), "\n")}, cell{"storage_uri", path},
		cell{"exploration_summary", null(f.Exploration)}, cell{"created_at", h.at(f.At).Format(Seconds)})
	return f.ID, err
}

// store writes the file and returns its absolute path.
func (f LargeFile) store(body []byte) (string, error) {
	ext := filepath.Ext(f.Name)
	if ext == "" {
		ext = ".txt"
	}
	path, err := filepath.Abs(filepath.Join(f.Folder, strconv.FormatInt(f.Conversation, 10), f.ID+ext))
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	return path, os.WriteFile(path, body, 0o600)
}

// Reference returns the text that stands in a message for a user's file of size bytes.
func (f LargeFile) Reference(id string, size int) string {
	return fmt.Sprintf("[LCM File: %s | %s | %s | %s bytes]\n\nExploration Summary:\n%s",
		id, orUnknown(f.Name), orUnknown(f.MIME), thousands(size), explored(f.Exploration))
}

// Output returns the text that stands in a message for the large output of a tool.
func (f LargeFile) Output(id, tool string, size int) string {
	return fmt.Sprintf("[LCM Tool Output: %s | tool=%s | %s bytes]\n\nExploration Summary:\n%s\n\n"+
		"Call lcm_describe(id=%q, expandFile=true) to fetch the full output content from disk.",
		id, orUnknown(tool), thousands(size), explored(f.Exploration), "<file_id above>")
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

func explored(s string) string {
	if s == "" {
		return "(no summary available)"
	}
	return s
}

// thousands writes a number with the commas of the engine's references.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
