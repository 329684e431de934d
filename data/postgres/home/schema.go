package home

import (
	"context"
	"embed"

	"lcm-tui/data/postgres"
)

//go:embed schema/*.sql
var schemaFiles embed.FS

// homeSchema is the schema of homes.
var homeSchema = postgres.Schema{Name: "home", Files: schemaFiles}

// RoleHome is the role that writes the rows of a home. Nobody logs in as it: an administrator grants it to users.
const RoleHome = "lcm_home"

// Initialize makes the schema of a home, and that of replicas, or brings both to the versions of this program. program names who did
// it. What is there already stays. The versions are those of the home; 0 is none.
func Initialize(ctx context.Context, c *postgres.Conn, program string) (done postgres.Initialized, err error) {
	base, err := c.Initialize(ctx, program)
	if err != nil {
		return done, err
	}
	return homeSchema.Initialize(ctx, c, program, func() (noRoles bool, err error) {
		if base.NoRoles {
			return true, nil
		}
		return false, c.Script(ctx, postgres.MakeRole(RoleHome))
	})
}
