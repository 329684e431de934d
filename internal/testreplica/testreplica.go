// Package testreplica puts databases of tests into a replica. Only tests may import it.
package testreplica

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
	"lcm-tui/internal/testpostgres"
	"lcm-tui/ops/replica"
)

// Server returns the address of a replica without sources.
func Server(t testing.TB) string {
	t.Helper()
	return testpostgres.Prepared(t, "replica", func(ctx context.Context, address string) error {
		a, err := postgres.Parse(address)
		if err != nil {
			return err
		}
		c, err := a.Connect(ctx)
		if err != nil {
			return err
		}
		defer c.Close()
		_, err = c.Initialize(ctx, "test")
		return err
	})
}

// Add copies a database into a replica as a source, and returns the address of that.
func Add(t testing.TB, server, name, path string) (address string) {
	t.Helper()
	return AddLevel(t, server, name, path, replica.LevelFull)
}

// AddLevel works as Add for another level.
func AddLevel(t testing.TB, server, name, path string, level replica.Level) (address string) {
	t.Helper()
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	a, err := postgres.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	_, err = replica.Sync(t.Context(), db, a, replica.Options{
		Source: name, Level: level, Host: Host, Principal: "tester", Origin: "test", Now: time.Now, Report: func(int, int, string) {},
	})
	if err != nil {
		t.Fatalf("sync %s: %v", name, err)
	}
	return Address(server, name)
}

// Host is the machine on which the files lie, as the replica has it.
const Host = "buildhost"

// Address returns the address of a source.
func Address(server, name string) string {
	joint := "?"
	if strings.Contains(server, "?") {
		joint = "&"
	}
	return server + joint + url.Values{"source": {name}}.Encode()
}

// Place returns what the program calls a source: its address without a password.
func Place(t testing.TB, address string) string {
	t.Helper()
	a, err := postgres.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return Address(a.String(), a.Source)
}

// Execute runs statements on a server, as its owner.
func Execute(t testing.TB, server string, statements ...string) {
	t.Helper()
	a, err := postgres.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	c, err := a.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, statement := range statements {
		if _, err := c.Exec(t.Context(), "test", statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}
