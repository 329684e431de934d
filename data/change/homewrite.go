package change

import (
	"context"
	"maps"
	"slices"

	"lcm-tui/data"
)

// A home is written by many programs at once. A batch takes the locks of the conversations whose rows it changes, so that those that
// change others don't wait for it.

// ownerColumns name the columns of rows that say to which row of another table they belong, which names the conversation.
var ownerColumns = []struct{ column, table, key string }{
	{"message_id", "messages", "message_id"},
	{"summary_id", "summaries", "summary_id"},
	{"parent_summary_id", "summaries", "summary_id"},
	{"brief_id", "focus_briefs", "brief_id"},
	{"file_id", "large_files", "file_id"},
	{"part_id", "message_parts", "part_id"}, // Of a record that keeps only the keys of its rows.
}

// ofParts is the query for the conversations of parts, which name their messages alone.
const ofParts = "SELECT DISTINCT m.conversation_id FROM message_parts p JOIN messages m ON m.message_id = p.message_id WHERE p.part_id IN ("

// homeLocks returns the conversations that a write of a batch locks at a home; nil is all of them. A file has one lock.
func homeLocks(ctx context.Context, db *data.DB, b Batch) ([]int64, error) {
	if !db.IsHome() {
		return nil, nil
	}
	return lockedConversations(ctx, db, b)
}

// lockedConversations returns the conversations whose rows a batch changes or relies on. It is nil where the rows don't tell: then the
// lock of the whole home is needed. A row that changes hands meanwhile makes the batch stale.
func lockedConversations(ctx context.Context, db *data.DB, b Batch) ([]int64, error) {
	l := &lockList{conversations: map[int64]bool{}, known: map[string]map[any]bool{}, wanted: map[string]map[any]bool{}}
	for _, c := range b.Changes {
		l.note(c)
	}
	for _, c := range b.Changes {
		if !l.add(c.Before) || !l.add(c.After) {
			return nil, nil
		}
	}
	for _, g := range b.Guards {
		if !l.add(g.Where) {
			return nil, nil
		}
	}
	if err := l.lookUp(ctx, db); err != nil || len(l.conversations) == 0 {
		return nil, err
	}
	return slices.Sorted(maps.Keys(l.conversations)), nil
}

// lockList collects conversations.
type lockList struct {
	conversations map[int64]bool
	// known are the rows of the batch that name their conversation, and wanted those that have to be looked up, by table and key.
	known, wanted map[string]map[any]bool
}

// note notes that a row of the batch names its conversation.
func (l *lockList) note(c Change) {
	if _, ok := c.row()[conversationColumn].(int64); !ok || len(c.Key) != 1 || isBlob(c.row()[c.Key[0]]) {
		return
	}
	if l.known[c.Table] == nil {
		l.known[c.Table] = map[any]bool{}
	}
	l.known[c.Table][c.row()[c.Key[0]]] = true
}

// add adds the conversation of a row, or of what a guard asks for. It reports whether that tells.
func (l *lockList) add(row data.Row) bool {
	if row == nil {
		return true
	}
	if id, ok := row[conversationColumn].(int64); ok {
		l.conversations[id] = true
		return true
	}
	for _, owner := range ownerColumns {
		key, ok := row[owner.column]
		if !ok || key == nil || isBlob(key) {
			continue
		}
		if !l.known[owner.table][key] {
			if l.wanted[owner.table] == nil {
				l.wanted[owner.table] = map[any]bool{}
			}
			l.wanted[owner.table][key] = true
		}
		return true
	}
	return false
}

// lookUp adds the conversations of rows that aren't in the batch.
func (l *lockList) lookUp(ctx context.Context, db *data.DB) error {
	for _, owner := range ownerColumns {
		keys := slices.Collect(maps.Keys(l.wanted[owner.table]))
		for chunk := range slices.Chunk(keys, data.MaxArgs) {
			query := "SELECT DISTINCT conversation_id FROM " + owner.table + " WHERE " + owner.key + " IN ("
			if owner.column == "part_id" {
				query = ofParts
			}
			query += data.Marks(len(chunk)) + ")"
			err := data.Each(ctx, db, "read the conversations of", query, chunk, func(scan data.RowScanner) error {
				var id int64
				err := scan(&id)
				l.conversations[id] = true
				return err
			})
			if err != nil {
				return err
			}
		}
		delete(l.wanted, owner.table)
	}
	return nil
}

// indexAtHome tells a home which texts a batch has changed, so that they are found by their words. The words of a row that is deleted
// go with it.
func indexAtHome(ctx context.Context, t *tx, cs []Change) error {
	var texts []data.HomeText
	var again []any // Messages whose rows the batch doesn't have whole.
	for _, c := range cs {
		isNew := c.Before == nil
		isText := c.After != nil && (isNew || !data.SameValue(c.Before["content"], c.After["content"]))
		switch c.Table {
		case "summaries":
			if isText {
				texts = append(texts, data.HomeText{Summary: data.CellText(c.row()["summary_id"]), Text: data.CellText(c.After["content"]), IsNew: isNew})
			}
		case "messages":
			at, known := c.After["created_at"].(string)
			if isNew && known {
				texts = append(texts, data.HomeText{Message: data.CellInteger(c.After["message_id"]), At: data.CellTime(at).Time, Text: data.CellText(c.After["content"]), IsNew: true})
			} else if isText || c.After != nil && !data.SameValue(c.Before["created_at"], c.After["created_at"]) {
				again = append(again, c.row()["message_id"])
			}
		}
	}
	for chunk := range slices.Chunk(again, data.MaxArgs) {
		query := "SELECT message_id, created_at, content FROM messages WHERE message_id IN (" + data.Marks(len(chunk)) + ")"
		err := data.EachRow(ctx, t, query, chunk, func(scan data.RowScanner) error {
			var m data.HomeText
			var at data.Time
			err := scan(&m.Message, &at, (*data.Text)(&m.Text))
			m.At = at.Time
			texts = append(texts, m)
			return err
		})
		if err != nil {
			return err
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return t.IndexTexts(ctx, texts)
}
