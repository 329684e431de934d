package postgres_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data/postgres"
	"lcm-tui/internal/hint"
)

// TestAnAddressShowsNoPassword, and one among arguments must not have any.
func TestAnAddressShowsNoPassword(t *testing.T) {
	t.Parallel()
	for address, refused := range map[string]bool{
		"postgres://me@db.example/lcm":                 false,
		"postgres://me:secret@db.example/lcm":          true,
		"postgres://me@db.example/lcm?password=secret": true,
		"service=lcm":                                         false,
		"service=lcm password=secret":                         true,
		"host=db.example password=secret":                     true,
		"POSTGRES://me:secret@db.example/lcm":                 true,
		"postgres://db.example/lcm?source=laptop&user=me":     false,
		"postgres:///lcm?host=%2Fvar%2Frun%2Fpostgresql":      false,
		"postgres://me@db.example/lcm?sslpassword=secret":     true, // Of the key of a certificate.
		"service=lcm sslpassword=secret":                      true,
		"postgres://me@db.example:6432/lcm?sslmode=verify-ca": false,
	} {
		err := postgres.CheckArgument(address)
		if (err != nil) != refused || refused && (hint.Of(err) == "" || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: %v", address, err)
		}
	}
	a, err := postgres.Parse("postgres://me:secret@db.example/lcm?source=laptop")
	if err != nil || strings.Contains(a.String(), "secret") || a.Source != "laptop" || a.String() != "postgres://me@db.example/lcm" {
		t.Errorf("%v, source %q, %v", a, a.Source, err)
	}
	for _, same := range []string{"PostgreSQL://me@db.example/lcm?source=laptop", "host=db.example user=me dbname=lcm source=laptop", "dbname=lcm source=laptop user=me host = db.example"} {
		if b, err := postgres.Parse(same); err != nil || !postgres.IsAddress(same) || b.String() != a.String() || b.Source != a.Source {
			t.Errorf("%s: %v, %v", same, b, err)
		}
	}
	for _, bad := range []string{"lcm.db", "hosts=1.db", "./host=db", "postgres://me:secret@db.example:port/lcm", "postgres://me@h/d?sslmode=secret"} {
		if _, err := postgres.Parse(bad); !errors.Is(err, postgres.ErrAddress) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// TestAServerElsewhereHasToProveItself unless the user says otherwise.
func TestAServerElsewhereHasToProveItself(t *testing.T) {
	for address, want := range map[string]postgres.Security{
		"postgres://me@db.example/lcm":                   {Encrypted: true, Verified: true},
		"postgres://me@db.example/lcm?sslmode=prefer":    {Encrypted: true, Verified: true},
		"postgres://me@db.example/lcm?sslmode=require":   {Encrypted: true},
		"postgres://me@db.example/lcm?sslmode=disable":   {},
		"postgres://me@localhost/lcm?sslmode=disable":    {},
		"postgres:///lcm?host=%2Fvar%2Frun%2Fpostgresql": {},
		"service=far":   {Encrypted: true, Verified: true},
		"service=plain": {},
	} {
		services := filepath.Join(t.TempDir(), "services")
		if err := os.WriteFile(services, []byte("[far]\nhost=db.example\ndbname=lcm\n[plain]\nhost=db.example\nsslmode=disable\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PGSERVICEFILE", services)
		a, err := postgres.Parse(address)
		if err != nil || a.Security() != want {
			t.Errorf("%s: %+v, %v; want %+v", address, a.Security(), err, want)
		}
	}
	if _, err := postgres.Parse("service=unknown"); hint.Of(err) == "" {
		t.Errorf("an unknown service: %v", err)
	}
}
