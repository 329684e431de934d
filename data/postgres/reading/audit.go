package reading

import (
	"context"
	"database/sql"
	"encoding/json"

	"lcm-tui/data/postgres"
)

// Reader is who reads a replica, as its audit has it.
type Reader struct {
	Principal string // The user and the machine.
	Origin    string // The program and its version.
	Command   string
}

type readerKey struct{}

// WithReader returns a context for Open, so that the audit of a replica says who reads it.
func WithReader(ctx context.Context, r Reader) context.Context {
	return context.WithValue(ctx, readerKey{}, r)
}

// noteRead notes in the audit that the texts of a source are read. Who may not write there, because the server is a standby or its
// schema is older, reads all the same.
func noteRead(ctx context.Context, pool *sql.DB, source int64) {
	r, ok := ctx.Value(readerKey{}).(Reader)
	if !ok {
		r = Reader{Principal: postgres.Principal(), Origin: "lcm-tui"}
	}
	detail, err := json.Marshal(map[string]string{"command": r.Command})
	if err != nil {
		return // A text can always be JSON.
	}
	var isNew bool
	_ = pool.QueryRowContext(ctx, "SELECT lcm.note_read($1, $2, $3, $4::text::jsonb)", source, r.Principal, r.Origin, string(detail)).Scan(&isNew)
}
