package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

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

// migrationLock is the number of the server's advisory lock under which the schema is changed.
const migrationLock = 0x6c636d0001

// migration is one numbered file of statements.
type migration struct {
	version int
	name    string
	text    string
}

// Initialized is what Initialize did.
type Initialized struct {
	From, To int      // The versions of the schema before and after; 0 is no schema.
	Applied  []string // The names of the migrations.
	// NoRoles says that the roles don't exist and this user may not create them: the tables belong to the user.
	NoRoles bool
}

// migrations returns the files in the order of their numbers.
func migrations() (out []migration, err error) {
	files, err := fs.Glob(schemaFiles, "schema/[0-9]*.sql")
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	for _, file := range files {
		text, err := schemaFiles.ReadFile(file)
		if err != nil {
			return nil, err
		}
		number, name, _ := strings.Cut(strings.TrimSuffix(path.Base(file), ".sql"), "_")
		version, err := strconv.Atoi(number)
		if err != nil {
			return nil, fmt.Errorf("migration %s: %w", file, err)
		}
		out = append(out, migration{version, name, string(text)})
	}
	return out, nil
}

// Initialize makes the schema, or brings it to the version of this program, in one transaction under a lock. program
// names who did it. What is there already stays.
func (c *Conn) Initialize(ctx context.Context, program string) (done Initialized, err error) {
	all, err := migrations()
	if err != nil {
		return done, err
	}
	err = c.Transact(ctx, "make the schema of", func() error {
		if err := c.lock(ctx, migrationLock); err != nil {
			return err
		}
		if done.From, err = c.schemaVersion(ctx); err != nil {
			return err
		}
		if newest := all[len(all)-1].version; done.From > newest {
			return &Error{Place: c.place, Verb: "migrate", Kind: ErrNewerSchema}
		}
		if done.NoRoles, err = c.createRoles(ctx); err != nil {
			return err
		}
		done.To = done.From
		if done.From == 0 {
			if err := c.createSchema(ctx, done.NoRoles); err != nil {
				return err
			}
		}
		return c.migrate(ctx, all, program, &done)
	})
	return done, err
}

// migrate applies the migrations that the schema lacks, and says what each role may do.
func (c *Conn) migrate(ctx context.Context, all []migration, program string, done *Initialized) error {
	if !done.NoRoles {
		if _, err := c.Exec(ctx, "take the role of the owner of", "SET LOCAL ROLE "+RoleOwner); err != nil {
			return err
		}
	}
	for _, m := range all {
		if m.version <= done.From {
			continue
		}
		if err := c.script(ctx, m.text); err != nil {
			return fmt.Errorf("migration %d %s: %w", m.version, m.name, err)
		}
		if _, err := c.Exec(ctx, "note the version of", "INSERT INTO lcm.schema_version (version, name, program) VALUES ($1, $2, $3)", m.version, m.name, program); err != nil {
			return err
		}
		done.To, done.Applied = m.version, append(done.Applied, m.name)
	}
	if done.NoRoles {
		return nil
	}
	text, err := schemaFiles.ReadFile("schema/roles.sql")
	if err != nil {
		return err
	}
	return c.script(ctx, string(text))
}

// createSchema makes the schema and the table of its versions.
func (c *Conn) createSchema(ctx context.Context, noRoles bool) error {
	owner := "CURRENT_USER"
	if !noRoles {
		owner = RoleOwner
	}
	text := "CREATE SCHEMA lcm AUTHORIZATION " + owner + `;
CREATE TABLE lcm.schema_version (version integer PRIMARY KEY, name text NOT NULL, program text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
ALTER TABLE lcm.schema_version OWNER TO ` + owner
	return c.script(ctx, text)
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
		// Roles are of the whole server: another database may get its schema in the same moment.
		fmt.Fprintf(&text, "DO $$ BEGIN CREATE ROLE %s NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;\n", role)
	}
	fmt.Fprintf(&text, "DO $$ BEGIN IF NOT pg_has_role(current_user, '%[1]s', 'MEMBER') THEN EXECUTE format('GRANT %[1]s TO %%I', current_user); END IF; END $$;", RoleOwner)
	if err := c.script(ctx, text.String()); err != nil {
		return false, err
	}
	return false, nil
}

// Script runs statements that have no parameters, of a package that has a schema of its own.
func (c *Conn) Script(ctx context.Context, text string) error { return c.script(ctx, text) }

// script runs statements that have no parameters.
func (c *Conn) script(ctx context.Context, text string) error {
	_, err := c.conn.PgConn().Exec(ctx, text).ReadAll()
	return wrap(ctx, c.place, "make the schema of", err)
}

// lock takes an advisory lock of the server until the end of the transaction, and waits for it.
func (c *Conn) lock(ctx context.Context, number int64) error {
	_, err := c.Exec(ctx, "lock the schema of", "SELECT pg_advisory_xact_lock($1)", number)
	return err
}

// schemaVersion returns the version of the schema, or 0 where there is none.
func (c *Conn) schemaVersion(ctx context.Context) (version int, err error) {
	var there bool
	if _, err := c.One(ctx, "look at the schema of", "SELECT to_regclass('lcm.schema_version') IS NOT NULL", nil, &there); err != nil || !there {
		return 0, err
	}
	_, err = c.One(ctx, "look at the schema of", "SELECT coalesce(max(version), 0) FROM lcm.schema_version", nil, &version)
	return version, err
}

// NewestSchema returns the version of the schema that this program makes.
func NewestSchema() int {
	all, err := migrations()
	if err != nil {
		panic(err) // The files are in the program.
	}
	return all[len(all)-1].version
}

// CheckSchema returns an error of kind ErrNoSchema where the database has no schema or an older one than this program
// needs, and with write of kind ErrNewerSchema where it has a newer one: that is read, and never written.
func (c *Conn) CheckSchema(ctx context.Context, write bool) error {
	version, err := c.schemaVersion(ctx)
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

// TryLock takes the advisory lock of a name until the end of the transaction, for at most so long. It fails with
// data.ErrLocked where others keep it.
func (c *Conn) TryLock(ctx context.Context, verb, name string, wait time.Duration) error {
	until := time.Now().Add(wait)
	for {
		var got bool
		if _, err := c.One(ctx, verb, "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))", []any{name}, &got); err != nil || got {
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
