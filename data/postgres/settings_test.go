package postgres_test

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"testing"
	"time"

	"lcm-tui/data/postgres"
	"lcm-tui/internal/testlength"
	"lcm-tui/internal/testpostgres"
)

// TestSettingsOfADatabaseDontMatter: those that say how times, texts and literals are written.
func TestSettingsOfADatabaseDontMatter(t *testing.T) {
	t.Parallel()
	address := testpostgres.Empty(t)
	const settings = `DO $$ BEGIN
		EXECUTE format('ALTER DATABASE %I SET datestyle = ''German, DMY''', current_database());
		EXECUTE format('ALTER DATABASE %I SET client_encoding = ''LATIN1''', current_database());
		EXECUTE format('ALTER DATABASE %I SET standard_conforming_strings = off', current_database());
	END $$`
	if err := connect(t, address).Script(t.Context(), settings); err != nil {
		t.Fatal(err)
	}
	var at time.Time
	var text string
	if _, err := connect(t, address).One(t.Context(), "read", "SELECT timestamptz '2026-02-03 04:05:06Z', '桜\\n'", nil, &at, &text); err != nil || at.UTC().Format(time.DateTime) != "2026-02-03 04:05:06" || text != `桜\n` {
		t.Errorf("%v, %q, %v", at, text, err)
	}
	a, err := postgres.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	pool := a.OpenTextPool()
	defer pool.Close()
	if err := pool.QueryRowContext(t.Context(), "SELECT $1::text", `桜\n`).Scan(&text); err != nil || text != `桜\n` {
		t.Errorf("with values in the statement: %q, %v", text, err)
	}
}

// TestStatementsAreNotCompiled, unless the address says that they are: that can take longer than they do.
func TestStatementsAreNotCompiled(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	address := testpostgres.Empty(t)
	for query, want := range map[string]string{"": "off", "jit=on": "on"} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		u.RawQuery += "&" + query
		a, err := postgres.Parse(u.String())
		if err != nil {
			t.Fatal(err)
		}
		var one, pooled, text string
		if _, err := connect(t, u.String()).One(t.Context(), "read", "SHOW jit", nil, &one); err != nil {
			t.Fatal(err)
		}
		for pool, got := range map[*sql.DB]*string{a.OpenPool(): &pooled, a.OpenTextPool(): &text} {
			if err := pool.QueryRowContext(t.Context(), "SHOW jit").Scan(got); err != nil {
				t.Fatal(err)
			}
			if err := pool.Close(); err != nil {
				t.Error(err)
			}
		}
		if one != want || pooled != want || text != want {
			t.Errorf("with %q: %s, %s, %s", query, one, pooled, text)
		}
	}
}

// TestADatabaseOfAnotherEncodingIsRefused before anything is made in it: it can't hold every text.
func TestADatabaseOfAnotherEncodingIsRefused(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	address := testpostgres.Empty(t)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	first, name := connect(t, address), u.Path[1:]+"_latin1"
	if err := first.Script(t.Context(), "CREATE DATABASE "+name+" ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = first.Script(context.WithoutCancel(t.Context()), "DROP DATABASE "+name) }) // The server ends with the tests.
	u.Path = "/" + name
	other := connect(t, u.String())
	if _, err := other.Initialize(t.Context(), "test"); !errors.Is(err, postgres.ErrEncoding) {
		t.Errorf("its schema: %v", err)
	}
	if err := other.CheckSchema(t.Context(), true); !errors.Is(err, postgres.ErrEncoding) {
		t.Errorf("a sync: %v", err)
	}
	other.Close()
}
