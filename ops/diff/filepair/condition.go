package filepair

import (
	"slices"
	"strings"

	"lcm-tui/data"
)

// largeColumns hold texts that don't fit on a page: their lengths are compared first, which reads
// no page but the row's own.
var largeColumns = words("content large_content text_content metadata tool_input tool_output exploration_summary raw_result_json c0 c1")

// isTime reports whether a column holds times, of which hosts have two forms.
func isTime(column string) bool {
	return strings.HasSuffix(column, "_at") || column == "next_attempt_after"
}

// datePattern is the beginning of both forms of a time.
const datePattern = "'[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'"

// sameValue returns an SQL condition that a column of b and a is the same: times by instant where
// both can be read.
func sameValue(column string) string {
	b, a := quoted("b", column), quoted("a", column)
	if !isTime(column) {
		return b + " IS " + a
	}
	return "(" + b + " IS " + a + " OR (" + b + " GLOB " + datePattern + " AND " + a + " GLOB " + datePattern +
		" AND coalesce(julianday(" + b + ") = julianday(" + a + "), 0)))"
}

// same works as sameValue for a column of a table of the pair, in which a reference to a row is compared
// with the row that it means.
func (p *Pair) same(column string) string {
	if references[column] != "" && p.mapped {
		return quoted("a", column) + " IS " + p.partner(Before, column)
	}
	return sameValue(column)
}

// differs returns an SQL condition that a row b and its partner a aren't the same.
func (p *Pair) differs(t Table) string {
	var lengths, values []string
	for _, c := range t.Columns {
		if slices.Contains(largeColumns, c) {
			lengths = append(lengths, "octet_length("+quoted("b", c)+") IS NOT octet_length("+quoted("a", c)+")")
		}
	}
	// Small columns come before large ones, so that most rows that differ are known by them.
	for _, large := range []bool{false, true} {
		for _, c := range t.Columns {
			if slices.Contains(largeColumns, c) == large {
				values = append(values, "NOT "+p.same(c))
			}
		}
	}
	if len(values) == 0 {
		return "0"
	}
	return strings.Join(slices.Concat(lengths, values), " OR ")
}

// partner returns the value that a column of a row of a side has in the row's partner.
func (p *Pair) partner(s Side, column string) string {
	mine := quoted(s.alias(), column)
	table := references[column]
	if table == "" || !p.mapped {
		return mine
	}
	from, to := "before_id", "after_id"
	if s == After {
		from, to = to, from
	}
	return "(SELECT " + to + " FROM temp." + pairTables[table] + " WHERE " + from + " = " + mine + ")"
}

// join returns an SQL condition by which the partner of a row of a side is found.
func (p *Pair) join(t Table, s Side) string {
	var out []string
	for _, k := range t.Key {
		term := quoted(s.other().alias(), k)
		if len(out) > 0 && k == "conversation_id" {
			term = "+" + term // The row is found by its id.
		}
		out = append(out, term+" = "+p.partner(s, k))
	}
	return strings.Join(out, " AND ")
}

// conversationOf returns the conversation of a row of a side in SQL.
func (t Table) conversationOf(s Side) string {
	switch {
	case t.own:
		return quoted(s.alias(), "conversation_id")
	case t.parent != "":
		return "(SELECT p.conversation_id FROM " + s.schema() + "." + data.QuoteName(t.parent) + " p WHERE p." + t.parentKey + " = " + quoted(s.alias(), t.parentKey) + ")"
	}
	return "NULL"
}

// inConversation returns an SQL condition that a row of a side is one of a conversation, ?1.
func (t Table) inConversation(s Side) string {
	if t.own {
		return quoted(s.alias(), "conversation_id") + " = ?1"
	}
	return quoted(s.alias(), t.parentKey) + " IN (SELECT p." + t.parentKey + " FROM " + s.schema() + "." + data.QuoteName(t.parent) + " p WHERE p.conversation_id = ?1)"
}

// from returns a table of a side with its alias.
func (t Table) from(s Side) string {
	return s.schema() + "." + data.QuoteName(t.Name) + " " + s.alias()
}

// where narrows a query to a conversation, or to nothing.
func (t Table) where(s Side, of ConversationKey) (condition string, args []any) {
	if of == (ConversationKey{}) || t.OfFile() {
		return "1", nil
	}
	return t.inConversation(s), []any{of.id(s)}
}
