package integrity

import (
	"regexp"
	"strings"

	"lcm-tui/data"
)

// reference is how a message stands for a payload that was moved out, or shows a
// picture that was.
var reference = regexp.MustCompile(`(?:\[LCM (?:File|Tool Output|Raw Payload)|\| LCM file): (` + data.FileIDPattern + `)(?: \||\])`)

// referencedFiles are the files that a message stands for.
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
	fileMark = data.FileIDPrefix
	fileSize = data.FileIDLength
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

// hasFileRow reports whether there is a row for a file. Where the table is missing, that
// is told of, and not every row that it lacks.
func (c *checker) hasFileRow(id string) bool {
	return c.fileIDs[id] || !c.db.Schema().Has("large_files")
}
