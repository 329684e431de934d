package trash

import (
	"context"
	"database/sql"

	"lcm-tui/data"
	"lcm-tui/data/fileidentity"
)

// Origin is by what the database of a trash file is known again.
type Origin struct {
	Path        string `json:"path"`
	SchemaLevel string `json:"schema_level"`
	// Sample are conversations that were in the file, with the times when they were created,
	// which never change.
	Sample []fileidentity.SampleConversation `json:"sample"`
	// LastConversation and LastMessage are the highest ids that were ever given.
	LastConversation int64 `json:"last_conversation_id"`
	LastMessage      int64 `json:"last_message_id"`
}

// samples is how many conversations know a database again.
const samples = 3

// readOrigin reads the origin from the database source of the connection. Conversations that
// stay come first in the sample.
func readOrigin(ctx context.Context, conn *sql.Conn, db *data.DB) (Origin, error) {
	o := Origin{Path: db.Path(), SchemaLevel: db.Kind().Level, Sample: []fileidentity.SampleConversation{}}
	const query = `SELECT conversation_id, created_at FROM source.conversations
		ORDER BY conversation_id IN (SELECT conversation_id FROM main.conversations), conversation_id LIMIT ?`
	err := data.EachRow(ctx, conn, query, []any{samples}, func(scan data.RowScanner) error {
		var s fileidentity.SampleConversation
		err := scan((*data.Integer)(&s.ID), (*data.Text)(&s.CreatedAt))
		o.Sample = append(o.Sample, s)
		return err
	})
	if err != nil {
		return o, err
	}
	const last = "SELECT coalesce(max(c), 0), coalesce(max(m), 0) FROM (SELECT max(conversation_id) AS c, (SELECT max(message_id) FROM source.messages) AS m FROM source.conversations)"
	err = data.EachRow(ctx, conn, last, nil, func(scan data.RowScanner) error {
		return scan((*data.Integer)(&o.LastConversation), (*data.Integer)(&o.LastMessage))
	})
	return o, err
}
