//go:build unix

package testpostgres

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

// poolerScript runs the pooler until the pipe on standard input is closed, as watchScript does with a server.
const poolerScript = `"$1" "$2/pgbouncer.ini" >"$2/log" 2>&1 &
pooler=$!
read line
kill -TERM $pooler
wait $pooler
rm -rf "$2"`

// poolerSettings make a pooler that gives each transaction another one of a few sessions of the server.
const poolerSettings = `[databases]
* = host=%s port=%d
[pgbouncer]
listen_addr =
listen_port = 6432
unix_socket_dir = %s
auth_type = trust
auth_file = %s
pool_mode = transaction
default_pool_size = %d
max_client_conn = 100
`

// Pooled returns the URL of a database as it is reached through PgBouncer in transaction mode, which has so many sessions of the server for
// all clients. Without PgBouncer the test is skipped.
func Pooled(t testing.TB, address string, sessions int) string {
	t.Helper()
	program := "/usr/sbin/pgbouncer"
	if path, err := exec.LookPath("pgbouncer"); err == nil {
		program = path
	}
	if !isProgram(program) {
		t.Skip("no PgBouncer: install it (apt-get install pgbouncer)")
	}
	server, err := pgx.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := os.MkdirTemp("/tmp", "lcmpool") //nolint:usetesting // The path of a socket is short, and another user writes there.
	if err != nil {
		t.Fatal(err)
	}
	settings := fmt.Sprintf(poolerSettings, server.Host, server.Port, folder, filepath.Join(folder, "users"), sessions)
	users := fmt.Sprintf("%q %q\n", server.User, server.Password)
	identity, err := otherUser(folder)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"pgbouncer.ini": settings, "users": users} {
		file := filepath.Join(folder, name)
		err := os.WriteFile(file, []byte(text), 0o600)
		if err == nil && identity != nil {
			err = os.Chown(file, int(identity.Uid), int(identity.Gid))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	watch := exec.CommandContext(context.Background(), "/bin/sh", "-c", poolerScript, "sh", program, folder)
	watch.Dir, watch.SysProcAttr = folder, &syscall.SysProcAttr{Credential: identity, Setpgid: true}
	input, err := watch.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = input.Close()
		_ = watch.Wait()
		_ = os.RemoveAll(folder) // The script can't remove it from a folder of root.
	})
	pooled := url.URL{Scheme: "postgres", User: url.User(server.User), Path: "/" + server.Database, RawQuery: url.Values{"host": {folder}, "port": {"6432"}}.Encode()}
	if err := wait(pooled.String(), folder); err != nil {
		t.Fatal(err)
	}
	return pooled.String()
}
