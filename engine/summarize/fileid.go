package summarize

import (
	"regexp"
	"slices"
	"strings"
)

var fileID = regexp.MustCompile(`(?i)\bfile_[a-f0-9]{16}\b`)

// FileIDs are the ids of large files that texts speak of, in lower case, in their
// order and each once: what goes into a summary's file_ids.
func FileIDs(texts ...string) []string {
	out := []string{}
	for _, t := range texts {
		for _, id := range fileID.FindAllString(t, -1) {
			if id = strings.ToLower(id); !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}
