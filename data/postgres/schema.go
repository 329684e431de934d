package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"lcm-tui/data"
)

//go:embed schema/*.sql
var schemaFiles embed.FS

// schemaName is the name of the schema of the replica.
const schemaName = "lcm"

// The roles. Nobody logs in as one of them: an administrator grants them to users.
const (
	RoleOwner   = "lcm_owner"   // Owns the tables; changes the schema.
	RoleSync    = "lcm_sync"    // Writes the rows of sources.
	RoleRead    = "lcm_read"    // Reads everything, and leaves orders.
	RoleMetrics = "lcm_metrics" // Reads counts and times.
)

// Roles are all of them.
var Roles = []string{RoleOwner, RoleSync, RoleRead, RoleMetrics}

// replicaSchema is the schema of replicas.
var replicaSchema = Schema{Name: schemaName, Files: schemaFiles}

// Initialized is what Initialize did.
type Initialized struct {
	From, To int      // The versions of the schema before and after; 0 is no schema.
	Applied  []string // The names of the migrations.
	// NoRoles says that the roles don't exist and this user may not create them: the tables belong to the user.
	NoRoles bool
}

// Initialize makes the schema, or brings it to the version of this program, in one transaction under a lock. program
// names who did it. What is there already stays.
func (c *Conn) Initialize(ctx context.Context, program string) (done Initialized, err error) {
	return replicaSchema.Initialize(ctx, c, program, func() (noRoles bool, err error) { return c.createRoles(ctx) })
}

// createRoles makes the roles that are missing, and lets this user act as their owner. noRoles says that this user may
// not.
func (c *Conn) createRoles(ctx context.Context) (noRoles bool, err error) {
	var may bool
	var have int64
	if _, err := c.One(ctx, "read the roles of", "SELECT rolsuper OR rolcreaterole, (SELECT count(*) FROM pg_roles WHERE rolname = ANY($1)) FROM pg_roles WHERE rolname = current_user",
		[]any{Roles}, &may, &have); err != nil {
		return false, err
	}
	if have < int64(len(Roles)) && !may {
		return true, nil
	}
	var text strings.Builder
	for _, role := range Roles {
		text.WriteString(MakeRole(role) + ";\n")
	}
	fmt.Fprintf(&text, "DO $$ BEGIN IF NOT pg_has_role(current_user, '%[1]s', 'MEMBER') THEN EXECUTE format('GRANT %[1]s TO %%I', current_user); END IF; END $$;", RoleOwner)
	return false, c.Script(ctx, text.String())
}

// NewestSchema returns the version of the schema that this program makes.
func NewestSchema() int { return replicaSchema.Newest() }

// CheckSchema returns an error of kind ErrNoSchema where the database has no schema or an older one than this program
// needs, and with write of kind ErrNewerSchema where it has a newer one: that is read, and never written.
func (c *Conn) CheckSchema(ctx context.Context, write bool) error {
	if write {
		if err := c.checkEncoding(); err != nil {
			return err
		}
	}
	version, err := replicaSchema.version(ctx, c)
	switch {
	case err != nil:
		return err
	case version < NewestSchema():
		return &Error{Place: c.place, Verb: "use", Kind: ErrNoSchema}
	case version > NewestSchema() && write:
		return &Error{Place: c.place, Verb: "write to", Kind: ErrNewerSchema}
	}
	return nil
}

// serverEncoding is the only encoding in which a database holds every text of a file.
const serverEncoding = "UTF8"

// checkEncoding refuses a database of another encoding. The server said at the start of the connection which one it has.
func (c *Conn) checkEncoding() error {
	if has := c.conn.PgConn().ParameterStatus("server_encoding"); has != "" && has != serverEncoding {
		return &Error{Place: c.place, Verb: "write to", Kind: ErrEncoding}
	}
	return nil
}

// TryLock takes the advisory lock of a name until the end of the transaction, for at most so long. It fails with
// data.ErrLocked where others keep it.
func (c *Conn) TryLock(ctx context.Context, verb, name string, wait time.Duration) error {
	until := time.Now().Add(wait)
	args := []any{pgx.QueryExecModeSimpleProtocol, name} // Otherwise the server keeps the snapshot of the statement until the next one.
	for {
		var got bool
		if _, err := c.One(ctx, verb, "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))", args, &got); err != nil || got {
			return err
		}
		if time.Now().After(until) {
			return &Error{Place: c.place, Verb: verb, Kind: data.ErrLocked}
		}
		select {
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("%s %s", verb, c.place), context.Cause(ctx))
		case <-time.After(lockPoll):
		}
	}
}

// lockPoll is how long TryLock waits before it asks again.
const lockPoll = 25 * time.Millisecond
