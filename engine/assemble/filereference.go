package assemble

import (
	"strconv"

	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
)

// showReference shows, in place of a tool's result, a reference to the file that holds it,
// if there is one.
func (c *contents) showReference(it *item) {
	f, ok := c.files[it.large]
	if !ok || it.message.Role != RoleToolResult {
		return
	}
	it.large = ""
	it.text = reference(f, it.message.tool())
	it.message.content, it.message.blocks = "", []jstext.Value{textBlock(it.text)}
	it.tokens = count(it.text)
}

// tool returns the tool that a result is of.
func (m Message) tool() string {
	for _, f := range m.rest {
		if f.name == "toolName" {
			return f.value.Text()
		}
	}
	return ""
}

// reference returns what stands in a message for the output of a tool, as hosts write it
// since 0.10.
func reference(f lcm.LargeFile, tool string) string {
	if tool == "" {
		tool = "unknown"
	}
	about := jstext.Trim(f.Exploration)
	if about == "" {
		about = "(no summary available)"
	}
	return "[LCM Tool Output: " + f.ID + " | tool=" + tool + " | " + withThousands(f.Bytes) + " bytes]\n\nExploration Summary:\n" + about +
		"\n\nCall lcm_describe(id=\"<file_id above>\", expandFile=true) to fetch the full output content from disk."
}

// withThousands returns a number with commas between its thousands.
func withThousands(n int64) string {
	s := strconv.FormatInt(max(0, n), 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
