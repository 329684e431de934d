package commands_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testhome"
	"lcm-tui/internal/testlength"
	"lcm-tui/internal/testpostgres"
	"lcm-tui/internal/testreplica"
)

// homeRun runs commands on a home.
type homeRun struct {
	t       *testing.T
	env     map[string]string
	address string
}

// newHomeRun returns a run with an empty folder, and a home in the environment if there is an address.
func newHomeRun(t *testing.T, address string) *homeRun {
	t.Helper()
	return &homeRun{t, map[string]string{"HOME": t.TempDir(), "LCM_DATABASE_URL": address, "LCM_FRESH_TAIL_COUNT": "4", "LCM_LEAF_CHUNK_TOKENS": "1500"}, address}
}

// try runs a command with an input, and returns its exit code and what it printed.
func (h *homeRun) try(input, line string) (exit int, printed string) {
	h.t.Helper()
	return h.tryWords(input, strings.Fields(line)...)
}

// tryWords works as try, with a command of these words.
func (h *homeRun) tryWords(input string, words ...string) (exit int, printed string) {
	h.t.Helper()
	var out, errs bytes.Buffer // Two, because a server writes to both at once.
	exit = cli.Main(h.t.Context(), words, cli.System{
		In: strings.NewReader(input), Out: &out, Err: &errs, WorkDir: h.env["HOME"],
		Env: func(name string) string { return h.env[name] }, Environ: func() []string { return nil },
	}, commands.Rooms...)
	return exit, out.String() + errs.String()
}

// run fails unless a command ends with an exit code and prints what an expression matches.
func (h *homeRun) run(exit int, says, line string) (printed string) {
	h.t.Helper()
	got, printed := h.try("", line)
	if got != exit || !regexp.MustCompile(says).MatchString(printed) {
		h.t.Fatalf("lcm-tui %s: exit %d, want %d and %q in:\n%s", line, got, exit, says, printed)
	}
	return printed
}

// session writes a session file of Claude Code with n messages, and returns its path and its id.
func (h *homeRun) session(n int) (path, id string) {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = strings.Repeat(fmt.Sprintf("we use pool %d of connections. ", i), 40)
		if i%2 == 1 {
			texts[i] = strings.Repeat(fmt.Sprintf("answer %d. ", i), 60)
		}
	}
	return h.sessionOf(texts...)
}

// sessionOf works as session, with these texts.
func (h *homeRun) sessionOf(texts ...string) (path, id string) {
	h.t.Helper()
	id = "aaaaaaaa-1111-4222-8333-444444444444"
	var b strings.Builder
	parent := "null"
	for i, text := range texts {
		uuid := fmt.Sprintf("%q", fmt.Sprintf("00000000-0000-4000-8000-%012d", i))
		kind, message := "user", fmt.Sprintf(`{"role":"user","content":%q}`, text)
		if i%2 == 1 {
			kind = "assistant"
			message = fmt.Sprintf(`{"role":"assistant","id":"msg_%d","type":"message","model":"m","content":[{"type":"text","text":%q}],"stop_reason":"end_turn"}`, i, text)
		}
		fmt.Fprintf(&b, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/work","sessionId":%q,"version":"2.0.0","type":%q,"message":%s,"uuid":%s,"timestamp":"2026-11-28T10:%02d:00.000Z"}`+"\n",
			parent, id, kind, message, uuid, i%60)
		parent = uuid
	}
	path = filepath.Join(h.env["HOME"], ".claude", "projects", "-work", id+".jsonl")
	testdb.Must(h.t, os.MkdirAll(filepath.Dir(path), 0o700))
	testdb.Must(h.t, os.WriteFile(path, []byte(b.String()), 0o600))
	return path, id
}

// TestAHomeIsListedAsItIsOpened: with all settings of its address, such as the folder of a socket, which its name lacks.
func TestAHomeIsListedAsItIsOpened(t *testing.T) {
	t.Parallel()
	h := newHomeRun(t, testhome.New(t))
	if printed := h.run(0, "postgres://", "databases"); strings.Contains(printed, "open postgres://") {
		t.Errorf("the home isn't opened:\n%s", printed)
	}
}

// TestAHomeFromTheCommandLine makes a home, imports a session, compacts it, and undoes and redoes that, as the first user would.
func TestAHomeFromTheCommandLine(t *testing.T) {
	t.Parallel()
	address := testpostgres.Empty(t)
	h := newHomeRun(t, "")
	h.run(0, "made a home, version 3", "init --db "+address)
	h.run(0, "has a home of version 3 already", "init "+address)
	on := func(line string) string { return line + " --db " + address }
	path, _ := h.session(40)
	h.run(0, "40 messages", on("backfill "+path))
	h.run(0, "no conversations", on("conversations"))
	h.run(0, "applied as record 1", on("backfill "+path+" --apply"))
	h.run(0, `active\s+40`, on("conversations"))
	h.run(0, "we use pool 0", on("messages 1"))
	before := h.run(0, "40 items", on("context 1"))
	h.run(0, "(?s)compact.*nothing was written", on("compact 1 --force --provider extractive --generate"))
	h.run(0, "applied as record 2", on("compact 1 --force --provider extractive --apply"))
	after := h.run(0, "items", on("context 1"))
	if after == before {
		t.Error("the context is as it was before the compaction")
	}
	h.run(0, `(?s)2 .*applied.*compact.*1 .*applied.*backfill`, on("history"))
	h.run(0, "record 2 is undone", on("undo --apply"))
	if got := h.run(0, "items", on("context 1")); got != before {
		t.Errorf("after undo the context is\n%s\nand was\n%s", got, before)
	}
	h.run(0, "redone as record 3", on("redo 2 --apply"))
	if got := h.run(0, "items", on("context 1")); got != after {
		t.Errorf("after redo the context is\n%s\nand was\n%s", got, after)
	}
	h.run(0, "nothing found|0 errors|note", on("doctor"))
	if printed := h.run(0, "pool", on("search pool")); strings.Contains(printed, "one by one") {
		t.Errorf("the search has no index:\n%s", printed)
	}
	plan := filepath.Join(h.env["HOME"], "plan.json")
	h.run(0, "nothing was written to the database", on("key rename 1 agent:main:planned --force --plan-out "+plan))
	h.run(0, "it can be applied to this database", on("plan check "+plan))
	h.run(0, "applied as record 4", on("apply "+plan+" --apply"))
	h.run(3, "record 4 applied the plan", on("apply "+plan+" --apply"))
	if printed := h.run(0, "we use pool 0", on("grep POOLS --mode full_text")); strings.Contains(printed, "Note") {
		t.Errorf("the index of the server wasn't used:\n%s", printed)
	}
	h.run(0, "(?s)from version 1 to 3.*made 40 messages and [0-9]+ summar(y|ies) searchable", "init --db "+olderHome(t, address))
	h.run(1, "leave it out", "init --db postgres://me:secret@db.example/team")
}

// olderHome makes a home one of the first version, which had no index of words, and returns its address.
func olderHome(t *testing.T, address string) string {
	t.Helper()
	testreplica.Execute(t, address,
		"DROP TABLE home.search_docs, home.search_gaps", "ALTER TABLE home.batches DROP COLUMN schema_version", "DELETE FROM home.schema_version WHERE version > 1")
	return address
}

// TestTheEnvironmentNamesAHome: hooks, follow and work write to it, and a server that is away isn't replaced by a file.
func TestTheEnvironmentNamesAHome(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	h := newHomeRun(t, testhome.New(t))
	path, id := h.session(30)
	event := func(name, more string) {
		t.Helper()
		input := fmt.Sprintf(`{"session_id":%q,"transcript_path":%q,"cwd":"/work","hook_event_name":%q%s}`, id, path, name, more)
		if exit, printed := h.try(input, "hook claude-code --strict"); exit != 0 {
			t.Fatalf("%s: exit %d: %s", name, exit, printed)
		}
	}
	event("Stop", "")
	h.run(0, `active\s+30`, "conversations")
	event("SessionStart", `,"source":"compact"`)
	event("PreCompact", "")
	h.run(0, "PreCompact.*ok", "hook log")
	h.run(0, "nothing|0 messages|done|follow", "follow --apply --once")
	h.run(0, "compact|nothing waits|1 ", "work --once --provider extractive")
	h.run(0, "postgres://.*30", "databases")
	h.run(0, `lcm_messages 30`, "metrics")
	if _, err := os.Stat(filepath.Join(h.env["HOME"], ".local", "share", "lcm-tui", "lcm.db")); err == nil {
		t.Error("a file was made beside the home")
	}
	h.env["LCM_DATABASE_URL"] = strings.Replace(h.address, "/lcm_test_", "/lcm_gone_", 1)
	h.run(1, "no such file", "conversations")                             // Nobody knows of a home there.
	h.env["LCM_DATABASE_URL"] = "postgres://me:hush%hush@db.example/team" // A password with a character that has to be escaped.
	h.run(0, "created", "init")
	for _, line := range []string{"conversations", "follow --apply --once"} {
		if printed := h.run(1, "LCM_DATABASE_URL: .*not an address", line); strings.Contains(printed, "hush") {
			t.Errorf("it prints the password:\n%s", printed)
		}
	}
}

// TestWhatAHomeRefuses: each refusal has its reason and the next step, and nothing is written.
func TestWhatAHomeRefuses(t *testing.T) {
	t.Parallel()
	h := newHomeRun(t, "")
	address := testhome.New(t)
	backup := testdb.Fixture(t, "v0.15.3/rich.db")
	for _, line := range []string{
		"backup", "bundle", "prune copies", "reclaim", "restore " + backup, "secrets --apply --irreversible", "secrets --backups", "slice 1 --to new.db", "trash",
	} {
		exit, printed := h.try("", line+" --db "+address)
		if exit == 0 || !strings.Contains(printed, "home") && !strings.Contains(printed, "PostgreSQL") || !strings.Contains(printed, "hint: ") {
			t.Errorf("lcm-tui %s: exit %d:\n%s", line, exit, printed)
		}
	}
	h.run(1, "source of a replica", "init --db "+address+"&source=laptop")
}

// TestAConnectionThatBreaksOnce: what was never known as a home is one all the same, and no file is opened in its place.
func TestAConnectionThatBreaksOnce(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	var broken atomic.Bool
	h := newHomeRun(t, testpostgres.Between(t, testhome.New(t), func(program, server net.Conn) {
		if !broken.Swap(true) {
			return
		}
		go func() { _, _ = io.Copy(program, server); _ = program.Close() }()
		_, _ = io.Copy(server, program)
	}))
	h.run(0, "no conversations", "conversations")
}
