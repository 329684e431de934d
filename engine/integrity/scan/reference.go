package scan

import (
	"strings"
	"sync"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/lazyregexp"
)

// reference matches the text that stands for a payload in a file, or for a picture in one.
var reference = lazyregexp.New(`(?:\[LCM (?:File|Tool Output|Raw Payload)|\| LCM file): (` + lcm.FileIDPattern + `)(?: \||\])`)

// ReferencedFiles returns the ids of the files that a message refers to.
func ReferencedFiles(content string) (ids []string) {
	if !strings.Contains(content, FileMark) {
		return nil
	}
	for _, m := range reference.FindAllStringSubmatch(content, -1) {
		ids = append(ids, strings.ToLower(m[1]))
	}
	return ids
}

// The form of a file's id.
const (
	FileMark = lcm.FileIDPrefix
	FileSize = lcm.FileIDLength
	// LongFileSize is that of an id of a payload that was stored whole.
	LongFileSize = len(FileMark) + 24
)

// FileMentions are the files of a conversation of which no text was found to name them so far.
// Its methods may be called from more than one goroutine.
type FileMentions struct {
	hasFiles     bool
	mu           sync.Mutex
	Unreferenced map[string]bool
}

// NewFileMentions returns these files, of which no text was read yet.
func NewFileMentions(files []string) *FileMentions {
	m := &FileMentions{hasFiles: len(files) > 0, Unreferenced: map[string]bool{}}
	for _, id := range files {
		m.Unreferenced[id] = true
	}
	return m
}

// Note notes which of the files a text names.
func (m *FileMentions) Note(text string) {
	if !m.hasFiles {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for {
		i := strings.Index(text, FileMark)
		if i < 0 {
			return
		}
		text = text[i:]
		for _, size := range []int{FileSize, LongFileSize} {
			if len(text) >= size {
				delete(m.Unreferenced, text[:size])
			}
		}
		text = text[len(FileMark):]
	}
}
