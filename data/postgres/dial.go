package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// compiling is the setting by which a server compiles the expressions of a statement that it thinks is expensive. That takes up to a second
// for each statement, and those of this program are never faster for it.
const compiling = "jit"

// refusesSetting are the codes of errors by which poolers refuse a setting that they don't know.
var refusesSetting = []string{"08P01", "0A000", "22023", "42501", "42704"}

// dial makes a connection by connect on which statements aren't compiled. Where a pooler refuses the setting, it makes one without it.
func dial[C any](a *Address, config *pgx.ConnConfig, connect func(*pgx.ConnConfig) (C, error)) (C, error) {
	_, chosen := config.RuntimeParams[compiling]
	if chosen || a.refuses.Load() {
		return connect(config.Copy())
	}
	with := config.Copy()
	with.RuntimeParams[compiling] = "off"
	c, err := connect(with)
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || !slices.Contains(refusesSetting, refused.Code) {
		return c, err
	}
	c, err = connect(config.Copy())
	if err == nil {
		a.refuses.Store(true)
	}
	return c, err
}

// connector makes the connections of a pool of database/sql.
type connector struct {
	address *Address
	config  *pgx.ConnConfig
}

// Connect implements driver.Connector.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	return dial(c.address, c.config, func(config *pgx.ConnConfig) (driver.Conn, error) {
		return stdlib.GetConnector(*config).Connect(ctx)
	})
}

// Driver implements driver.Connector.
func (connector) Driver() driver.Driver { return stdlib.GetDefaultDriver() }

// OpenPool returns a pool of connections for reading by database/sql. It connects at its first use.
func (a *Address) OpenPool() *sql.DB {
	return sql.OpenDB(connector{a, a.config})
}

// OpenTextPool works as OpenPool for connections that send statements as texts with their values in them, so that several go in one
// message. Every pooler takes them.
func (a *Address) OpenTextPool() *sql.DB {
	config := a.config.Copy()
	config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	return sql.OpenDB(connector{a, config})
}
