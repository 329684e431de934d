//go:build unix

package fleet_test

import (
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"lcm-tui/fleet"
)

var ownUsers = flag.Bool("own-users", false, "TestOverRealServers: each machine has a user of its own, which root makes and removes")

// serverProgram finds sshd, or skips the test where none is installed.
func serverProgram(t *testing.T) string {
	t.Helper()
	if program, err := exec.LookPath("sshd"); err == nil {
		return program
	}
	for _, path := range []string{"/usr/sbin/sshd", "/usr/local/sbin/sshd"} {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skip("there is no sshd: apt-get install openssh-server")
	return ""
}

// newServers starts a server for each machine, and has the store reach them by a real ssh.
func newServers(t *testing.T, m *machines, hosts ...string) {
	t.Helper()
	program := serverProgram(t)
	if os.Getuid() == 0 {
		_ = os.MkdirAll("/run/sshd", 0o755) //nolint:gosec // As its package makes it.
	}
	for _, key := range []string{"server", "client"} {
		if out, err := exec.CommandContext(t.Context(), "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(m.folder, key)).CombinedOutput(); err != nil {
			t.Skipf("ssh-keygen: %v: %s", err, out)
		}
	}
	public, hostKey := m.read("client.pub"), m.read("server.pub")
	m.write("authorized", public)
	var known, config strings.Builder
	for _, host := range hosts {
		port := m.startServer(program, host)
		fmt.Fprintf(&known, "[127.0.0.1]:%d %s", port, hostKey)
		fmt.Fprintf(&config, "Host %s\n  HostName 127.0.0.1\n  Port %d\n  User %s\n  IdentityFile %[4]s/client\n  IdentitiesOnly yes\n  UserKnownHostsFile %[4]s/known\n", host, port, m.userOf(host), m.folder)
	}
	m.write("known", known.String())
	m.write("config", config.String())
	m.o.SSH = m.write("real-ssh", fmt.Sprintf("#!/bin/sh\nexec /usr/bin/ssh -F '%s/config' \"$@\"\n", m.folder))
}

func (m *machines) read(name string) string {
	m.t.Helper()
	content, err := os.ReadFile(filepath.Join(m.folder, name))
	if err != nil {
		m.t.Fatal(err)
	}
	return string(content)
}

// userOf returns as whom a machine is reached. A user of its own is made, and removed at the end.
func (m *machines) userOf(host string) string {
	m.t.Helper()
	if !*ownUsers {
		me, err := user.Current()
		if err != nil {
			m.t.Fatal(err)
		}
		return me.Username
	}
	name, home := "lcm-test-"+host, filepath.Join(m.folder, host)
	if out, err := exec.CommandContext(m.t.Context(), "useradd", "--no-create-home", "--home-dir", home, "--shell", "/bin/sh", "--password", "*", name).CombinedOutput(); err != nil {
		m.t.Fatalf("useradd: %v: %s", err, out)
	}
	m.t.Cleanup(func() { _ = exec.Command("userdel", name).Run() }) //nolint:noctx // The context of the test has ended.
	for _, folder := range []string{filepath.Dir(filepath.Dir(m.folder)), filepath.Dir(m.folder), m.folder} {
		_ = os.Chmod(folder, 0o755) //nolint:gosec // The user has to get there.
	}
	if out, err := exec.CommandContext(m.t.Context(), "chown", "-R", name, home).CombinedOutput(); err != nil {
		m.t.Fatalf("chown: %v: %s", err, out)
	}
	_ = os.Chmod(home, 0o700) //nolint:gosec // Nobody else gets in.
	return name
}

// startServer starts a server on a free port of the loopback, and waits until it answers.
func (m *machines) startServer(program, host string) (port int) {
	t := m.t
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port = l.Addr().(*net.TCPAddr).Port
	_ = l.Close()
	// The command of every session is run as the stand-in for ssh runs it: in the home and with the programs of the machine.
	m.write("shell-"+host, fmt.Sprintf("#!/bin/sh\nHOME='%[1]s/%[2]s' PATH='%[1]s/%[2]s/bin:/usr/bin:/bin' exec /bin/sh -c \"$SSH_ORIGINAL_COMMAND\"\n", m.folder, host))
	_ = os.Chmod(filepath.Join(m.folder, "shell-"+host), 0o755) //nolint:gosec // A script for every user.
	_ = os.Chmod(filepath.Join(m.folder, "authorized"), 0o644)  //nolint:gosec // Public keys.
	config := m.write("sshd-"+host, fmt.Sprintf("Port %d\nListenAddress 127.0.0.1\nHostKey %[2]s/server\nAuthorizedKeysFile %[2]s/authorized\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\nPidFile none\nForceCommand %[2]s/shell-%[3]s\n", port, m.folder, host))
	server := exec.CommandContext(t.Context(), program, "-D", "-e", "-f", config)
	if err := server.Start(); err != nil {
		t.Skipf("sshd: %v", err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	for range 200 {
		dialer := net.Dialer{Timeout: time.Second}
		if c, err := dialer.DialContext(t.Context(), "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			_ = c.Close()
			return port
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Skip("sshd doesn't answer")
	return 0
}

// TestOverRealServers fetches the databases of three machines again and again over a real ssh, all at once, while each is written.
func TestOverRealServers(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	hosts := []string{"box", "laptop", "nas"}
	writers := map[string]*liveWriter{}
	for _, host := range hosts {
		database := m.add(host)
		if *ownUsers { // The database belongs to the user; the folder of sent states as well.
			_ = os.Chmod(database, 0o666) //nolint:gosec // This process writes it, too.
		}
		writers[host] = startWriter(t, database)
	}
	newServers(t, m, hosts...)
	last := map[string]int64{}
	for range 2 {
		all, err := m.store.All()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range m.store.PullEach(t.Context(), all, len(all), m.o) {
			if p.Err != nil {
				t.Fatal(p.Err)
			}
			state := checkState(t, m.copyOf(p.Name))
			if state < last[p.Name] || state > writers[p.Name].at.Load() {
				t.Errorf("%s: state %d after %d", p.Name, state, last[p.Name])
			}
			last[p.Name] = state
		}
	}
	for host, w := range writers {
		w.stop()
		if err := <-w.ended; err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
	printed, exit, err := fleet.Apply(t.Context(), fleet.Source{Name: "box", Host: "box"}, m.write("plan.json", "{}"), true, false, m.o)
	if err != nil {
		t.Errorf("%q, %d, %v", printed, exit, err)
	}
}
