package home

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data/postgres"
)

//go:embed schema/*.sql
var schemaFiles embed.FS

// RoleHome is the role that writes the rows of a home. Nobody logs in as it: an administrator grants it to users.
const RoleHome = "lcm_home"

// schemaLock is the number of the server's advisory lock under which the schema of a home is changed.
const schemaLock = 0x6c636d0002

// grants says what each role may do. It is run after every migration, and changes nothing the second time.
const grants = `
GRANT USAGE ON SCHEMA home TO lcm_home, lcm_read;
GRANT USAGE ON SCHEMA lcm TO lcm_home;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA home TO lcm_home;
GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA home TO lcm_home;
REVOKE INSERT, UPDATE, DELETE ON home.schema_version FROM lcm_home;
GRANT SELECT ON ALL TABLES IN SCHEMA home TO lcm_read;
GRANT SELECT ON ALL SEQUENCES IN SCHEMA home TO lcm_read;
`

// migration is one numbered file of statements.
type migration struct {
	version    int
	name, text string
}

// migrations returns the files in the order of their numbers.
func migrations() (out []migration, err error) {
	files, err := fs.Glob(schemaFiles, "schema/*.sql")
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

// newestVersion returns the version of the schema that this program makes.
func newestVersion() int {
	all, err := migrations()
	if err != nil {
		panic(err) // The files are in the program.
	}
	return all[len(all)-1].version
}

// Initialize makes the schema of a home, and that of replicas, or brings both to the versions of this program. program names who did
// it. What is there already stays. The versions are those of the home; 0 is none.
func Initialize(ctx context.Context, c *postgres.Conn, program string) (done postgres.Initialized, err error) {
	base, err := c.Initialize(ctx, program)
	if err != nil {
		return done, err
	}
	done.NoRoles = base.NoRoles
	err = c.Transact(ctx, "make the home in", func() error {
		if _, err := c.Exec(ctx, "lock the schema of", "SELECT pg_advisory_xact_lock($1)", int64(schemaLock)); err != nil {
			return err
		}
		if done.From, err = version(ctx, c); err != nil {
			return err
		}
		if done.To = done.From; done.From > newestVersion() {
			return &postgres.Error{Place: c.Place(), Verb: "migrate", Kind: postgres.ErrNewerSchema}
		}
		return migrate(ctx, c, program, &done)
	})
	return done, err
}

// migrate makes the schema where there is none, and applies the migrations that it lacks.
func migrate(ctx context.Context, c *postgres.Conn, program string, done *postgres.Initialized) error {
	all, err := migrations()
	if err != nil {
		return err
	}
	owner := "CURRENT_USER"
	if !done.NoRoles {
		owner = postgres.RoleOwner
		if err := c.Script(ctx, "DO $$ BEGIN CREATE ROLE "+RoleHome+" NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"); err != nil {
			return err
		}
	}
	if done.From == 0 {
		text := "CREATE SCHEMA home AUTHORIZATION " + owner + `;
CREATE TABLE home.schema_version (version integer PRIMARY KEY, name text NOT NULL, program text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
ALTER TABLE home.schema_version OWNER TO ` + owner
		if err := c.Script(ctx, text); err != nil {
			return err
		}
	}
	if !done.NoRoles {
		if err := c.Script(ctx, "SET LOCAL ROLE "+postgres.RoleOwner); err != nil {
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
		if _, err := c.Exec(ctx, "note the version of", "INSERT INTO home.schema_version (version, name, program) VALUES ($1, $2, $3)", m.version, m.name, program); err != nil {
			return err
		}
		done.To, done.Applied = m.version, append(done.Applied, m.name)
	}
	if done.NoRoles {
		return nil
	}
	return c.Script(ctx, grants)
}

// versionQuery says whether there is a home.
const versionQuery = "SELECT to_regclass('home.schema_version') IS NOT NULL"

// version returns the version of the home's schema, or 0 where there is none.
func version(ctx context.Context, c *postgres.Conn) (version int, err error) {
	var there bool
	if _, err := c.One(ctx, "look at the schema of", versionQuery, nil, &there); err != nil || !there {
		return 0, err
	}
	_, err = c.One(ctx, "look at the schema of", "SELECT coalesce(max(version), 0) FROM home.schema_version", nil, &version)
	return version, err
}
