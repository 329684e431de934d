package diff

import (
	"strconv"
	"strings"
	"unicode"

	"lcm-tui/data"
	"lcm-tui/ops/diff/filepair"
)

// RowName returns what a row is called, on one line: #14 user, part 2 of #14, sum_1a2b… d0.
func RowName(r *filepair.Row) string {
	text := func(column string) string { return clean(data.CellText(r.Value(column))) }
	switch r.Table {
	case "conversations":
		return "conversation " + text("conversation_id")
	case "messages":
		return strings.TrimSpace("#" + text("message_id") + " " + text("role"))
	case "message_parts":
		return strings.TrimSpace("part " + text("ordinal") + " of #" + text("message_id") + " " + text("part_type"))
	case "summaries":
		return text("summary_id") + " d" + strconv.FormatInt(data.CellInteger(r.Value("depth")), 10)
	case "summary_messages":
		return text("summary_id") + " ← #" + text("message_id")
	case "summary_parents":
		return text("summary_id") + " ← " + text("parent_summary_id")
	case "large_files":
		return strings.TrimSpace(text("file_id") + " " + text("file_name"))
	}
	var parts []string
	for _, k := range r.Key {
		parts = append(parts, text(k))
	}
	return strings.Join(parts, " ")
}

// RowText returns the beginning of what a row says, or empty.
func RowText(r *filepair.Row) string {
	for _, column := range []string{"content", "text_content", "tool_input", "tool_output", "title", "session_key", "exploration_summary", "prompt", "session_file_path"} {
		if t := data.CellText(r.Value(column)); t != "" {
			return data.Preview(t)
		}
	}
	return ""
}

// clean makes a name fit on a line: what controls a terminal or reorders its text is left out.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, data.StartOfText(s, shortBytes))
}
