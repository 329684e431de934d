package slice

import (
	"context"
	"database/sql"
	"fmt"
)

// MarkTable is a table that a slice has and a whole database hasn't.
const MarkTable = "lcm_tui_slice"

// Mark returns a Finish that notes in the new file which conversations it holds, so that it isn't taken
// for a backup of the whole database.
func Mark(ctx context.Context, conn *sql.Conn, _ *Result) error {
	for _, statement := range []string{
		"CREATE TABLE IF NOT EXISTS " + MarkTable + " (conversation_id INTEGER PRIMARY KEY)",
		"DELETE FROM " + MarkTable, // The source may be a slice.
		"INSERT INTO " + MarkTable + " SELECT conversation_id FROM conversations",
	} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("mark the slice: %w", err)
		}
	}
	return nil
}
