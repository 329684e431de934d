package retrieve

import (
	"fmt"
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/plural"
)

// text returns the file as the agent tool describes it.
func (f *FileDescription) text(id string) string {
	lines := []string{
		"## LCM File: " + id, "",
		fmt.Sprintf("**Conversation:** %d", f.Conversation),
		"**Name:** " + orElse(f.Name, "(no name)"),
		"**Type:** " + orElse(f.MIME, "unknown"),
	}
	if f.Bytes != nil {
		lines = append(lines, "**Size:** "+plural.Count(*f.Bytes, "bytes", "bytes"))
	}
	if f.Lines != nil {
		lines = append(lines, "**Lines:** "+grouped(*f.Lines))
	}
	lines = append(lines, "**Created:** "+f.CreatedAt.String(), "")
	if f.Exploration != nil {
		lines = append(lines, "## Exploration Summary", "", *f.Exploration)
	} else {
		lines = append(lines, "*No exploration summary available.*")
	}
	if f.fileContent != nil {
		lines = append(lines, f.contentLines(id, f.Bytes)...)
	}
	return strings.Join(lines, "\n")
}

func orElse(s *string, instead string) string {
	if s == nil {
		return instead
	}
	return *s
}

// contentLines returns the lines about the content of a file of so many bytes, if that is known.
func (c *fileContent) contentLines(id string, size *int64) []string {
	if c.Content == nil {
		return []string{"", "*File content is not available: the file can't be read from the files folder, and no message holds its text.*"}
	}
	lines := []string{"", "## Content", "", "```", *c.Content, "```"}
	if c.Truncated {
		whole := "?"
		if size != nil {
			whole = grouped(*size)
		}
		lines = append(lines, "", "*Output truncated to "+grouped(int64(jstext.Length(*c.Content)))+" of "+whole+
			" bytes. Use lcm_grep(scope='files', fileIds=['"+id+"']) to search the bounded file prefix.*")
	}
	return lines
}

// grouped returns a number with commas between groups of three digits.
func grouped(n int64) string { return strings.TrimSpace(plural.Count(n, "", "")) }
