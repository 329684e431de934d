package testpostgres

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// serverVariable names the environment variable with the URL of a server for tests. Its user may create databases
// and roles.
const serverVariable = "LCM_TEST_PG"

// noServer is why a test is skipped.
const noServer = "no PostgreSQL: install it or set " + serverVariable

// server is the URL of the server of this test binary. It is empty where there is none.
var server = sync.OnceValues(func() (string, error) {
	if given := os.Getenv(serverVariable); given != "" {
		return given, nil
	}
	return start()
})

// templates are the databases that were prepared in this test binary, by name.
var templates = struct {
	sync.Mutex
	ready map[string]string
}{ready: map[string]string{}}

// Server returns the URL of the server's database for administration. Without a server the test is skipped.
func Server(t testing.TB) string {
	t.Helper()
	base, err := server()
	if err != nil {
		t.Fatalf("start PostgreSQL: %v", err)
	}
	if base == "" {
		t.Skip(noServer)
	}
	return base
}

// Empty returns the URL of a new database without tables. It is dropped at the end of the test.
func Empty(t testing.TB) string {
	t.Helper()
	return create(t, Server(t), "template1")
}

// Prepared returns the URL of a new database that is a copy of the template of this name. The first test of the
// binary that asks for the name prepares the template. The database is dropped at the end of the test.
func Prepared(t testing.TB, name string, prepare func(ctx context.Context, url string) error) string {
	t.Helper()
	base := Server(t)
	templates.Lock()
	defer templates.Unlock() // One CREATE DATABASE at a time: a template must have no users.
	template := templates.ready[name]
	if template == "" {
		template = "lcm_template_" + token()
		if err := execute(base, "CREATE DATABASE "+template+" TEMPLATE template0"); err != nil {
			t.Fatalf("create the template: %v", err)
		}
		if err := prepare(context.Background(), withDatabase(base, template)); err != nil {
			t.Fatalf("prepare the template %s: %v", name, err)
		}
		templates.ready[name] = template
	}
	return create(t, base, template)
}

// create makes a database of a template for one test.
func create(t testing.TB, base, template string) string {
	t.Helper()
	name := "lcm_test_" + token()
	if err := execute(base, "CREATE DATABASE "+name+" TEMPLATE "+template); err != nil {
		t.Fatalf("create a database: %v", err)
	}
	t.Cleanup(func() {
		if err := execute(base, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"); err != nil {
			t.Errorf("drop the database: %v", err)
		}
	})
	return withDatabase(base, name)
}

// As returns a URL with another user.
func As(base, user string) string {
	u, err := url.Parse(base)
	if err != nil {
		panic(err) // It was made here.
	}
	u.User = url.User(user)
	return u.String()
}

// withDatabase returns a URL with another database.
func withDatabase(base, name string) string {
	u, err := url.Parse(base)
	if err != nil {
		panic(err)
	}
	u.Path = "/" + name
	return u.String()
}

// execute runs one statement on a connection of its own.
func execute(base, statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, base)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err = conn.Exec(ctx, statement); err != nil {
		return fmt.Errorf("%s: %w", strings.Fields(statement)[0], err)
	}
	return nil
}

// token returns random letters and digits for names.
func token() string {
	b := make([]byte, 6)
	_, _ = rand.Read(b) // It never fails.
	return hex.EncodeToString(b)
}
