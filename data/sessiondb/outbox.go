package sessiondb

import "context"

// outboxTable has the turns that the host has still to commit to its plugin.
const outboxTable = "context_engine_turn_outbox"

// OwedTurn is a turn that the host has still to commit. A conversation of its session goes on as soon as it does,
// whatever else the host knows of that.
type OwedTurn struct {
	Session string
	Payload string // JSON: its messages, and whatever else the host hands over with them.
}

// OwedTurns calls fn with the turns that the host has still to commit. Files before version 14 have none.
func (db *DB) OwedTurns(ctx context.Context, fn func(OwedTurn)) error {
	if !db.tables.has(outboxTable, "session_id") {
		return nil
	}
	query := "SELECT session_id, " + db.tables.column(outboxTable, "payload_json") + " FROM " + outboxTable
	err := db.each(ctx, query, nil, func(row []any) { fn(OwedTurn{asText(row[0]), asText(row[1])}) })
	if err != nil {
		return db.wrap("read the owed turns of", err)
	}
	return nil
}
