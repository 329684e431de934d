//go:build unix

package testpostgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// superuser is who owns the server's databases.
const superuser = "postgres"

// startLimit is how long a server may take until it answers.
const startLimit = time.Minute

// watchScript runs the server until the pipe on standard input is closed, which happens when the test binary ends in
// any way. Then it stops the server at once and removes its folder.
const watchScript = `"$1" -D "$2/data" -k "$2" -h "" -F -c full_page_writes=off -c synchronous_commit=off -c max_connections=200 -c autovacuum=off >"$2/log" 2>&1 &
server=$!
read line
kill -QUIT $server
wait $server
rm -rf "$2"`

// start starts a server in a short temporary folder: the path of its socket may have 107 bytes at most. It returns
// an empty URL where no server is installed.
func start() (string, error) {
	programs, err := programFolder()
	if programs == "" || err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp("/tmp", "lcmpg")
	if err != nil {
		return "", err
	}
	identity, err := otherUser(folder)
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(folder))
	}
	initdb := exec.CommandContext(context.Background(), filepath.Join(programs, "initdb"), "-D", filepath.Join(folder, "data"), "-U", superuser, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
	initdb.Dir, initdb.SysProcAttr = folder, &syscall.SysProcAttr{Credential: identity}
	if out, err := initdb.CombinedOutput(); err != nil {
		return "", errors.Join(fmt.Errorf("initdb: %w\n%s", err, out), os.RemoveAll(folder))
	}
	read, write, err := os.Pipe()
	if err != nil {
		return "", err
	}
	watch := exec.CommandContext(context.Background(), "/bin/sh", "-c", watchScript, "sh", filepath.Join(programs, "postgres"), folder)
	watch.Dir, watch.Stdin = folder, read
	watch.SysProcAttr = &syscall.SysProcAttr{Credential: identity, Setpgid: true} // An interrupt of the tests must not stop it first.
	if err := watch.Start(); err != nil {
		return "", err
	}
	if err := keepOpen(write); err != nil {
		return "", err
	}
	_ = read.Close()
	base := "postgres://" + superuser + "@/postgres?host=" + url.QueryEscape(folder)
	return base, wait(base, folder)
}

// keepOpen keeps a file open until this process ends: a file of Go is closed when nothing refers to it any more.
func keepOpen(f *os.File) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	number, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		return err
	}
	syscall.CloseOnExec(number) // Else what tests start would keep the server running.
	return f.Close()
}

// wait returns when the server answers.
func wait(base, folder string) error {
	until := time.Now().Add(startLimit)
	for {
		err := execute(base, "SELECT 1")
		if err == nil {
			return nil
		}
		if time.Now().After(until) {
			log, _ := os.ReadFile(filepath.Join(folder, "log"))
			return fmt.Errorf("the server doesn't answer: %w\n%s", err, log)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// programsVariable names the environment variable with a folder that has initdb and postgres: for tests with a version that the system
// doesn't have.
const programsVariable = "LCM_TEST_PG_PROGRAMS"

// programFolder returns the folder that the environment names, else that with the newest initdb and postgres of the system, or an empty
// text.
func programFolder() (string, error) {
	var folders []string
	if named := os.Getenv(programsVariable); named != "" {
		if hasPrograms(named) {
			return named, nil
		}
		return "", fmt.Errorf("%s is %s, which has no initdb and postgres", programsVariable, named)
	}
	if path, err := exec.LookPath("pg_ctl"); err == nil {
		if target, err := filepath.EvalSymlinks(path); err == nil {
			folders = append(folders, filepath.Dir(target))
		}
	}
	installed, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	slices.Reverse(installed)
	for _, folder := range append(folders, installed...) {
		if hasPrograms(folder) {
			return folder, nil
		}
	}
	return "", nil
}

// hasPrograms reports whether a folder has what makes and runs a server.
func hasPrograms(folder string) bool {
	return isProgram(filepath.Join(folder, "initdb")) && isProgram(filepath.Join(folder, "postgres"))
}

// isProgram reports whether a file can be run.
func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// otherUser returns whom the server runs as, and gives that user the folder. It is nil for everyone but root: the
// server refuses to run as root.
func otherUser(folder string) (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		if err != nil {
			return nil, err
		}
		gid, err := strconv.ParseUint(u.Gid, 10, 32)
		if err != nil {
			return nil, err
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, os.Chown(folder, int(uid), int(gid))
	}
	return nil, errors.New("PostgreSQL refuses to run as root, and there is no user postgres or nobody")
}
