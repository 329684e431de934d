package fleet_test

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/fleet"
)

// newServer starts a server, or skips the test where none is installed.
func newServer(t *testing.T, m *machines, host string) {
	t.Helper()
	program, err := exec.LookPath("sshd")
	for _, path := range []string{"/usr/sbin/sshd", "/usr/local/sbin/sshd"} {
		if _, there := os.Stat(path); err != nil && there == nil {
			program, err = path, nil
		}
	}
	if err != nil {
		t.Skip("there is no sshd: apt-get install openssh-server")
	}
	if os.Getuid() == 0 {
		_ = os.MkdirAll("/run/sshd", 0o755) //nolint:gosec // As its package makes it.
	}
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"server", "client"} {
		if out, err := exec.CommandContext(t.Context(), "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(m.folder, key)).CombinedOutput(); err != nil {
			t.Skipf("ssh-keygen: %v: %s", err, out)
		}
	}
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	_ = l.Close()
	// The command of every session is run as the stand-in for ssh runs it: in the home and with the programs of the machine.
	m.write("shell", fmt.Sprintf("#!/bin/sh\nHOME='%[1]s/%[2]s' PATH='%[1]s/%[2]s/bin:/usr/bin:/bin' exec /bin/sh -c \"$SSH_ORIGINAL_COMMAND\"\n", m.folder, host))
	public, err := os.ReadFile(filepath.Join(m.folder, "client.pub"))
	if err != nil {
		t.Fatal(err)
	}
	m.write("authorized", string(public))
	config := m.write("sshd_config", fmt.Sprintf("Port %d\nListenAddress 127.0.0.1\nHostKey %[2]s/server\nAuthorizedKeysFile %[2]s/authorized\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\nPidFile none\nForceCommand %[2]s/shell\n", port, m.folder))
	server := exec.CommandContext(t.Context(), program, "-D", "-e", "-f", config)
	if err := server.Start(); err != nil {
		t.Skipf("sshd: %v", err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	hostKey, err := os.ReadFile(filepath.Join(m.folder, "server.pub"))
	if err != nil {
		t.Fatal(err)
	}
	m.write("known", fmt.Sprintf("[127.0.0.1]:%d %s", port, hostKey))
	m.write("config", fmt.Sprintf("Host %s\n  HostName 127.0.0.1\n  Port %d\n  User %s\n  IdentityFile %[4]s/client\n  IdentitiesOnly yes\n  UserKnownHostsFile %[4]s/known\n", host, port, me.Username, m.folder))
	m.o.SSH = m.write("real-ssh", fmt.Sprintf("#!/bin/sh\nexec /usr/bin/ssh -F '%s/config' \"$@\"\n", m.folder))
	for range 200 {
		dialer := net.Dialer{Timeout: time.Second}
		if c, err := dialer.DialContext(t.Context(), "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			_ = c.Close()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Skip("sshd doesn't answer")
}

// TestOverARealServer fetches a database again and again over a real ssh, while its machine writes two values at once.
func TestOverARealServer(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	database := m.add("box")
	newServer(t, m, "box")
	writer, err := sql.Open("sqlite", data.FileURI(database, "_pragma=busy_timeout(5000)"))
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	writer.SetMaxOpenConns(1)
	if _, err := writer.ExecContext(t.Context(), "CREATE TABLE test_pair (a INTEGER, b INTEGER); INSERT INTO test_pair VALUES (0, 0)"); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		for i := 1; ctx.Err() == nil; i++ {
			if _, err := writer.ExecContext(context.Background(), "UPDATE test_pair SET a = ?1, b = ?1", i); err != nil {
				ended <- err
				return
			}
			time.Sleep(time.Millisecond)
		}
		ended <- nil
	}()
	var last int
	for range 5 {
		if p := m.pull("box"); p.Err != nil {
			t.Fatal(p.Err)
		}
		copied, err := sql.Open("sqlite", data.FileURI(m.copyOf("box"), "mode=ro"))
		if err != nil {
			t.Fatal(err)
		}
		var a, b int
		if err := copied.QueryRowContext(t.Context(), "SELECT a, b FROM test_pair").Scan(&a, &b); err != nil || a != b || a < last {
			t.Errorf("%d, %d after %d: %v", a, b, last, err)
		}
		last = a
		_ = copied.Close()
	}
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	printed, exit, err := fleet.Apply(t.Context(), fleet.Source{Name: "box", Host: "box"}, m.write("plan.json", "{}"), true, false, m.o)
	if err != nil {
		t.Errorf("%q, %d, %v", printed, exit, err)
	}
}
