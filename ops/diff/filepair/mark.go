package filepair

import (
	"slices"
	"strings"

	"lcm-tui/data"
)

// Mark says what was done to a row that changed, as far as it is known by the row.
type Mark string

// The marks.
const (
	Redacted  Mark = "redacted"  // A secret was replaced by its placeholder.
	Forgotten Mark = "forgotten" // The text was replaced by a stub.
	Squeezed  Mark = "squeezed"  // A copy of the text was dropped, or a payload became a reference to a file.
	Rewritten Mark = "rewritten" // The text of a summary is another one.
)

// Marks are all marks, in the order in which the first that holds is given to a row.
var Marks = []Mark{Forgotten, Redacted, Squeezed, Rewritten}

// The beginnings by which a replaced text is known.
const (
	redactedStart  = "[REDACTED:"
	forgottenStart = data.ForgottenPrefix
	payloadStart   = "[LCM Tool Output: "
)

// mark is a mark and the condition that a changed row b has it in a.
type mark struct {
	mark Mark
	sql  string
}

// texts are the columns of texts in which a secret may have been redacted.
var texts = words("content large_content text_content tool_input tool_output tool_error metadata exploration_summary prompt raw_result_json openclaw_sender_metadata title")

// marksOf returns the marks that rows of a table with these columns may have.
func (p *Pair) marksOf(table string, columns []string) (out []mark) {
	has := func(c string) bool { return slices.Contains(columns, c) }
	var redacted []string
	for _, c := range texts {
		if has(c) {
			redacted = append(redacted, occurrences("a."+c, redactedStart)+" > "+occurrences("b."+c, redactedStart))
		}
	}
	switch {
	case table == "messages" && has("content"):
		out = append(out, mark{Forgotten, starts("a.content", forgottenStart) + " AND NOT " + starts("b.content", forgottenStart)})
		out = append(out, mark{Squeezed, occurrences("a.content", payloadStart) + " > " + occurrences("b.content", payloadStart)})
	case table == "message_parts" && has("metadata") && has("message_id"):
		if p.has("messages", "message_id", "content") {
			out = append(out, mark{Forgotten, "EXISTS (SELECT 1 FROM other.messages m WHERE m.message_id = a.message_id AND " + starts("m.content", forgottenStart) + ")"})
		}
		raw := func(column string) string { return jsonType(column, "$.raw") + " IS NOT NULL" }
		squeezed := "octet_length(a.metadata) < octet_length(b.metadata) AND " + raw("b.metadata") + " AND NOT " + raw("a.metadata")
		if has("tool_output") {
			squeezed = "(" + squeezed + ") OR " + occurrences("a.tool_output", payloadStart) + " > " + occurrences("b.tool_output", payloadStart)
		}
		out = append(out, mark{Squeezed, squeezed})
	}
	if table == "summaries" && has("content") {
		out = append(out, mark{Rewritten, "a.content IS NOT b.content"})
	}
	if len(redacted) > 0 {
		out = append(out, mark{Redacted, strings.Join(redacted, " OR ")})
	}
	slices.SortStableFunc(out, func(x, y mark) int { return slices.Index(Marks, x.mark) - slices.Index(Marks, y.mark) })
	return out
}

// jsonType returns the type of a member of a JSON text, or NULL.
func jsonType(column, path string) string {
	return "CASE WHEN json_valid(" + column + ") THEN json_type(" + column + ", '" + path + "') END"
}

// starts returns an SQL condition that a column begins with a text.
func starts(column, text string) string {
	return "coalesce(instr(" + column + ", '" + text + "') = 1, 0)"
}

// occurrences returns how often a column has a text, times its length.
func occurrences(column, text string) string {
	return "coalesce(length(" + column + ") - length(replace(" + column + ", '" + text + "', '')), 0)"
}

// markExpression returns the place in Marks of the mark of a changed row, or NULL.
func (t Table) markExpression() string {
	if len(t.marks) == 0 {
		return "NULL"
	}
	var b strings.Builder
	b.WriteString("CASE")
	for i, m := range Marks {
		for _, k := range t.marks {
			if k.mark == m {
				b.WriteString(" WHEN " + k.sql + " THEN " + string(rune('0'+i)))
			}
		}
	}
	return b.String() + " END"
}
