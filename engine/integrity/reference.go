package integrity

import (
	"regexp"
	"strings"

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

// noteMentions notes which of the conversation's files a text names.
func (s *conversationScan) noteMentions(text string) {
	if len(s.filesOf[s.row.ID]) == 0 {
		return
	}
	s.mentionMutex.Lock()
	defer s.mentionMutex.Unlock()
	for {
		i := strings.Index(text, fileMark)
		if i < 0 {
			return
		}
		text = text[i:]
		for _, size := range []int{fileSize, longFileSize} {
			if len(text) >= size {
				delete(s.unreferencedFiles, text[:size])
			}
		}
		text = text[len(fileMark):]
	}
}

// hasFileRow reports whether a file has a row. Without the table it is true:
// TablesIncomplete names the table, and not every row that it lacks.
func (c *checker) hasFileRow(id string) bool {
	return c.fileIDs[id] || !c.db.Schema().Has("large_files")
}
