package textsearch

import (
	"context"
	"slices"
	"strings"

	"lcm-tui/data"
)

// PartRow is a part of a message that may be a hit.
type PartRow struct {
	ID      string
	Message int64
	Ordinal int64
	Type    string
	Tool    string
	Fields  []Field // Those that aren't empty.
}

// Field is a column of a part and its text.
type Field struct{ Column, Text string }

// partFields are the columns of a part that are searched.
var partFields = []string{"tool_input", "tool_output", "text_content", "tool_error", "file_name"}

// ScanParts calls fn with the parts of the messages in a range for which the conditions on
// parts hold, the highest message first, or the lowest if oldest. like has groups of texts, of
// each of which a part has to contain one, whatever the case of letters of ASCII. Conditions on
// the message of a part aren't looked at.
func ScanParts(ctx context.Context, db *data.DB, r IDRange, oldest bool, conditions []Condition, like [][]string, fn func(PartRow) error) error {
	s := db.Schema()
	columns := slices.DeleteFunc(slices.Clone(partFields), func(c string) bool { return !s.Has("message_parts", c) })
	if len(columns) == 0 {
		return nil
	}
	var w where
	w.and("p.message_id BETWEEN ? AND ?", r.From, r.To)
	for _, group := range like {
		w.anyOf(false, contained(columns, group)...)
	}
	for _, c := range conditions {
		if c.Tools != nil || c.FileNames != nil || c.Has != nil {
			w.anyOf(c.Not, c.parts(s)...)
		}
	}
	query := "SELECT p.part_id, p.message_id, p.ordinal, p.part_type, p.tool_name, p." + strings.Join(columns, ", p.") +
		" FROM message_parts p WHERE " + w.String() + " ORDER BY p.message_id " + direction(oldest) + ", p.ordinal"
	return data.Each(ctx, db, "read message parts", query, w.args, func(scan data.RowScanner) error {
		var p PartRow
		texts := make([]data.Text, len(columns))
		into := []any{(*data.Text)(&p.ID), (*data.Integer)(&p.Message), (*data.Integer)(&p.Ordinal), (*data.Text)(&p.Type), (*data.Text)(&p.Tool)}
		for i := range texts {
			into = append(into, &texts[i])
		}
		if err := scan(into...); err != nil {
			return err
		}
		for i, text := range texts {
			if text != "" {
				p.Fields = append(p.Fields, Field{columns[i], string(text)})
			}
		}
		return fn(p)
	})
}

// contained returns conditions that a column contains a text.
func contained(columns, texts []string) (out []where) {
	for _, text := range texts {
		for _, c := range columns {
			var w where
			w.contains("p."+c, text)
			out = append(out, w)
		}
	}
	return out
}
