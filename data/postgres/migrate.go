package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/internal/hint"
)

// Schema is a schema that numbered migrations make: that of replicas, or that of homes.
type Schema struct {
	Name string
	// Files has a folder schema: the migrations, such as 0001_home.sql, and roles.sql, which says what each role may do.
	Files fs.FS
}

// schemaLock is the number of the server's advisory lock under which schemas are changed. It is one for all of them: roles.sql of a home
// gives rights in the schema of replicas, too, and the server refuses two such changes at once.
const schemaLock int64 = 0x6c636d0001

// migration is one numbered file of statements.
type migration struct {
	version    int
	name, text string
}

// migrations returns the files in the order of their numbers.
func (s *Schema) migrations() (out []migration, err error) {
	files, err := fs.Glob(s.Files, "schema/[0-9]*.sql")
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	for _, file := range files {
		text, err := fs.ReadFile(s.Files, file)
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

// Newest returns the version of the schema that this program makes.
func (s *Schema) Newest() int {
	all, err := s.migrations()
	if err != nil {
		panic(err) // The files are in the program.
	}
	return all[len(all)-1].version
}

// Query returns the query that says whether a database has the schema.
func (s *Schema) Query() string {
	return "SELECT to_regclass('" + s.Name + ".schema_version') IS NOT NULL"
}

// version returns the version of the schema in a database, or 0 where there is none.
func (s *Schema) version(ctx context.Context, c *Conn) (version int, err error) {
	var there bool
	if _, err := c.One(ctx, "look at the schema of", s.Query(), nil, &there); err != nil || !there {
		return 0, err
	}
	_, err = c.One(ctx, "look at the schema of", "SELECT coalesce(max(version), 0) FROM "+s.Name+".schema_version", nil, &version)
	return version, err
}

// Initialize makes the schema, or brings it to the version of this program, in one transaction under the lock of schemas. program names who did
// it. What is there already stays. roles makes the roles that are missing; noRoles says that it may not.
func (s *Schema) Initialize(ctx context.Context, c *Conn, program string, roles func() (noRoles bool, err error)) (done Initialized, err error) {
	all, err := s.migrations()
	if err == nil {
		err = c.checkEncoding()
	}
	if err != nil {
		return done, err
	}
	err = c.Transact(ctx, "make the schema of", func() error {
		if _, err := c.Exec(ctx, "lock the schema of", "SELECT pg_advisory_xact_lock($1)", schemaLock); err != nil {
			return err
		}
		if done.From, err = s.version(ctx, c); err != nil {
			return err
		}
		if newest := all[len(all)-1].version; done.From > newest {
			return &Error{Place: c.place, Verb: "migrate", Kind: ErrNewerSchema}
		}
		if done.NoRoles, err = roles(); err != nil {
			return err
		}
		done.To = done.From
		if done.From == 0 {
			if err := s.create(ctx, c, done.NoRoles); err != nil {
				return err
			}
		}
		return s.migrate(ctx, c, all, program, &done)
	})
	if errors.Is(err, ErrRights) {
		err = hint.Wrap(err, "let an administrator do it, or let this user change schemas: GRANT "+RoleOwner+" TO …, and GRANT CREATE ON DATABASE for a new one")
	}
	return done, err
}

// create makes the schema and the table of its versions.
func (s *Schema) create(ctx context.Context, c *Conn, noRoles bool) error {
	owner := "CURRENT_USER"
	if !noRoles {
		owner = RoleOwner
	}
	return c.Script(ctx, "CREATE SCHEMA "+s.Name+" AUTHORIZATION "+owner+`;
CREATE TABLE `+s.Name+`.schema_version (version integer PRIMARY KEY, name text NOT NULL, program text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
ALTER TABLE `+s.Name+`.schema_version OWNER TO `+owner)
}

// migrate applies the migrations that the schema lacks, and says what each role may do.
func (s *Schema) migrate(ctx context.Context, c *Conn, all []migration, program string, done *Initialized) error {
	if !done.NoRoles {
		if _, err := c.Exec(ctx, "take the role of the owner of", "SET LOCAL ROLE "+RoleOwner); err != nil {
			return err
		}
	}
	for _, m := range all {
		if m.version <= done.From {
			continue
		}
		if err := c.Script(ctx, m.text); err != nil {
			return fmt.Errorf("migration %d %s: %w", m.version, m.name, err)
		}
		if _, err := c.Exec(ctx, "note the version of", "INSERT INTO "+s.Name+".schema_version (version, name, program) VALUES ($1, $2, $3)", m.version, m.name, program); err != nil {
			return err
		}
		done.To, done.Applied = m.version, append(done.Applied, m.name)
	}
	if done.NoRoles {
		return nil
	}
	text, err := fs.ReadFile(s.Files, "schema/roles.sql")
	if err != nil {
		return err
	}
	return c.Script(ctx, string(text))
}

// MakeRole returns the statement that makes a role if it is missing: where it is there, the right to make roles isn't needed. Roles are
// of the whole server: another database may get its schema in the same moment.
func MakeRole(name string) string {
	return "DO $$ BEGIN IF to_regrole('" + name + "') IS NULL THEN CREATE ROLE " + name + " NOLOGIN; END IF; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
}

// Script runs statements that have no parameters.
func (c *Conn) Script(ctx context.Context, text string) error {
	_, err := c.conn.PgConn().Exec(ctx, text).ReadAll()
	return wrap(ctx, c.place, "make the schema of", err)
}
