package data

import (
	"context"
	"fmt"
)

// seedBatch is how many rows are read before they are indexed: a statement isn't
// left open while others write.
const seedBatch = 500

// seedFTS fills an empty search table from the rows.
func (t *tx) seedFTS(ctx context.Context, name string) error {
	table, id, insert := "summaries", "summary_id", "INSERT INTO "+name+" (summary_id, content) VALUES (?, ?)"
	if name == ftsMessages {
		table, id, insert = "messages", "message_id", "INSERT INTO "+name+" (rowid, content) VALUES (?, ?)"
	}
	if !t.schema.Has(table, id, "content") {
		return nil
	}
	type entry struct{ id, content any }
	query := fmt.Sprintf("SELECT rowid, %s, content FROM %s WHERE rowid > ? ORDER BY rowid LIMIT %d", id, table, seedBatch)
	for last, more := int64(-1)<<63, true; more; {
		var batch []entry
		err := each(ctx, t, query, []any{last}, func(scan scanner) error {
			var e entry
			err := scan(&last, &e.id, &e.content)
			batch = append(batch, e)
			return err
		})
		if err != nil {
			return err
		}
		for _, e := range batch {
			if name == ftsMessages {
				if e.content = messageIndexText(e.content); e.content == nil {
					continue
				}
			}
			if _, err := t.exec(ctx, insert, e.id, e.content); err != nil {
				return fmt.Errorf("fill %s: %w", name, err)
			}
		}
		more = len(batch) == seedBatch
	}
	return nil
}
