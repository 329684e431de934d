package change

import (
	"context"
	"slices"

	"lcm-tui/data"
)

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
