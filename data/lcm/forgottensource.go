package lcm

import (
	"context"
	"encoding/json"

	"lcm-tui/data"
)

// ForgottenSources returns the seqs of the messages whose texts were forgotten, by the summary that
// was made of them directly, in the order of its links. Summaries without such a message have
// no entry.
func ForgottenSources(ctx context.Context, db data.Querier, summaries []string) (map[string][]int64, error) {
	out := map[string][]int64{}
	if !db.Schema().Has("summary_messages", "summary_id", "message_id") || !db.Schema().Has("messages", "content", "seq") {
		return out, nil
	}
	ids, err := json.Marshal(summaries)
	if err != nil {
		return nil, err
	}
	const query = `SELECT l.summary_id, m.seq, m.content FROM summary_messages l CROSS JOIN messages m ON m.message_id = l.message_id
		WHERE l.summary_id IN (SELECT value FROM json_each(?1)) AND substr(m.content, 1, length(?2)) = ?2 ORDER BY l.summary_id, l.ordinal`
	err = data.Each(ctx, db, "read forgotten sources", query, []any{string(ids), data.ForgottenPrefix}, func(scan data.RowScanner) error {
		var summary, content data.Text
		var seq data.Integer
		if err := scan(&summary, &seq, &content); err != nil {
			return err
		}
		if data.IsForgotten(string(content)) {
			out[string(summary)] = append(out[string(summary)], int64(seq))
		}
		return nil
	})
	return out, err
}
