// Package testcli runs the program in tests of its commands, in the process of the test. Only tests may
// import it.
package testcli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
	"lcm-tui/internal/testdb"
)

// Run runs the program on a database.
func Run(t *testing.T, db string, args ...string) (exit int, stdout, stderr string) {
	t.Helper()
	return RunIn(t, map[string]string{"LCM_DATABASE_PATH": db, "HOME": filepath.Dir(db)}, args...)
}

// RunIn runs the program in an environment, which needs a HOME.
func RunIn(t *testing.T, env map[string]string, args ...string) (exit int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	exit = run(t.Context(), env, &out, &errs, args)
	return exit, out.String(), errs.String()
}

// run runs the program until it ends or ctx is done.
func run(ctx context.Context, env map[string]string, out, errs io.Writer, args []string) int {
	if env["HOME"] != "" && env["XDG_CACHE_HOME"] == "" { // Else answers of models go into the cache of who runs the tests, and come from there.
		env = maps.Clone(env)
		env["XDG_CACHE_HOME"] = filepath.Join(env["HOME"], ".cache")
	}
	var list []string
	for name, v := range env {
		list = append(list, name+"="+v)
	}
	return cli.Main(ctx, args, cli.System{
		In: strings.NewReader(""), Out: out, Err: errs, WorkDir: env["HOME"],
		Env: func(name string) string { return env[name] }, Environ: func() []string { return list },
	}, commands.Rooms...)
}

// Start runs the program beside the test. lines has what it writes as errors, line by line, and stop interrupts it and returns
// its exit code. The program has ended before the test has.
func Start(t *testing.T, env map[string]string, args ...string) (lines *bufio.Scanner, stop func() (exit int)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	from, to := io.Pipe()
	var exit int
	var program sync.WaitGroup
	program.Go(func() {
		exit = run(ctx, env, io.Discard, to, args)
		_ = to.Close() // A pipe's end doesn't fail.
	})
	t.Cleanup(func() { cancel(); _ = from.Close(); program.Wait() })
	return bufio.NewScanner(from), func() int {
		cancel()
		program.Wait()
		return exit
	}
}

// Object returns the JSON object that a command prints.
func Object(t *testing.T, db string, args ...string) map[string]any {
	t.Helper()
	exit, out, errs := Run(t, db, append(args, "--json")...)
	if exit != 0 && out == "" {
		t.Fatalf("%v: exit %d: %s", args, exit, errs)
	}
	var v map[string]any
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return v
}

// Answered tests each of the databases that the reference engine was asked about.
func Answered(t *testing.T, test func(t *testing.T, path string)) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(testdb.Fixtures(t), "*", "*.goldens"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no goldens (%v)", err)
	}
	for _, p := range paths {
		path := strings.TrimSuffix(p, ".goldens") + ".db"
		t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			test(t, path)
		})
	}
}
