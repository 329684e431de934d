package integrity

import (
	"regexp"
	"strings"
	"sync"

	"lcm-tui/data/lcm"
)

// reference matches the text that stands for a payload in a file, or for a picture in one.
var reference = regexp.MustCompile(`(?:\[LCM (?:File|Tool Output|Raw Payload)|\| LCM file): (` + lcm.FileIDPattern + `)(?: \||\])`)

// referencedFiles are the ids of the files that a message refers to.
func referencedFiles(content string) (ids []string) {
	if !strings.Contains(content, fileMark) {
		return nil
	}
	for _, m := range reference.FindAllStringSubmatch(content, -1) {
		ids = append(ids, strings.ToLower(m[1]))
	}
	return ids
}

const (
	fileMark = lcm.FileIDPrefix
	fileSize = lcm.FileIDLength
	// longFileSize is that of an id of a payload that was stored whole.
	longFileSize = len(fileMark) + 24
)

// fileMentions are the files of a conversation of which no text was found to name them so far.
// Its methods may be called from more than one goroutine.
type fileMentions struct {
	hasFiles     bool
	mu           sync.Mutex
	unreferenced map[string]bool
}

func newFileMentions(files []string) *fileMentions {
	m := &fileMentions{hasFiles: len(files) > 0, unreferenced: map[string]bool{}}
	for _, id := range files {
		m.unreferenced[id] = true
	}
	return m
}

// note notes which of the files a text names.
func (m *fileMentions) note(text string) {
	if !m.hasFiles {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for {
		i := strings.Index(text, fileMark)
		if i < 0 {
			return
		}
		text = text[i:]
		for _, size := range []int{fileSize, longFileSize} {
			if len(text) >= size {
				delete(m.unreferenced, text[:size])
			}
		}
		text = text[len(fileMark):]
	}
}
