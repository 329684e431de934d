package change

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data"
)

// RecordsOf are the ids of the records that changed rows which name a conversation. It decodes only
// records of which a part keeps no more than the keys of rows, as those of imports do. In the others
// it looks for the member of a row, which no text can be taken for: its quotes are escaped.
func RecordsOf(ctx context.Context, db *data.DB, conv int64) (map[int64]bool, error) {
	member, rows := `"`+conversationColumn+`":`+strconv.FormatInt(conv, 10), `"`+rowsColumn+`":`
	out, byKey := map[int64]bool{}, map[int64]bool{}
	for table, id := range map[string]string{undoTable: "id", partTable: "record"} {
		some, err := db.HasTable(ctx, table)
		if err != nil {
			return nil, err
		}
		if !some {
			continue
		}
		err = data.Each(ctx, db, "read history", "SELECT "+id+", changes FROM "+table, nil, func(scan data.RowScanner) error {
			var id data.Integer
			var raw data.Text
			err := scan(&id, &raw)
			changes := string(raw)
			out[int64(id)] = out[int64(id)] || strings.Contains(changes, member+",") || strings.Contains(changes, member+"}")
			byKey[int64(id)] = byKey[int64(id)] || strings.Contains(changes, rows)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	for id, keys := range byKey {
		if out[id] || !keys {
			continue
		}
		_, changes, err := RecordChanges(ctx, db, id)
		if err != nil {
			return nil, err
		}
		out[id] = slices.ContainsFunc(changes, func(c Change) bool { return c.isOf(conv) })
	}
	return out, nil
}

// conversationColumn is the column by which a row names its conversation.
const conversationColumn = "conversation_id"

// isOf reports whether a row of a change names a conversation.
func (c Change) isOf(conv int64) bool {
	for _, row := range []data.Row{c.Before, c.After} {
		if v, ok := row[conversationColumn]; ok && data.CellInteger(v) == conv {
			return true
		}
	}
	return false
}
