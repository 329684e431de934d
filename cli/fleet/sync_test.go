package fleet_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/internal/testpostgres"
	"lcm-tui/internal/testreplica"
)

// machine is a machine with a database, which knows a replica.
type machine struct {
	*testing.T
	env  map[string]string
	path string
}

// newMachine returns a machine that knows a replica without a schema.
func newMachine(t *testing.T) *machine {
	t.Helper()
	path := testdb.Sample(t, fakehost.Head)
	folder := filepath.Dir(path)
	return &machine{t, map[string]string{
		"LCM_DATABASE_PATH": path, "HOME": folder, "XDG_STATE_HOME": filepath.Join(folder, "state"), postgres.AddressVariable: testpostgres.Empty(t),
	}, path}
}

// run runs the program, which must end so and say these words on its output or error output.
func (m *machine) run(exit int, says, line string) (output string) {
	m.Helper()
	got, out, errs := testcli.RunIn(m.T, m.env, strings.Fields(line)...)
	if got != exit || !strings.Contains(out+errs, says) {
		m.Errorf("%s: exit %d, want %d and %q\n%s%s", line, got, exit, says, out, errs)
	}
	return out + errs
}

// sourceAddress returns the address of a source of the replica.
func (m *machine) sourceAddress(name string) string {
	server := m.env[postgres.AddressVariable]
	if strings.Contains(server, "?") {
		return server + "&source=" + name
	}
	return server + "?source=" + name
}

// TestAReplicaFromTheCommandLine: its schema, a plan that sends nothing, a sync, the comparison, a restored file and the end.
func TestAReplicaFromTheCommandLine(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	m := newMachine(t)
	m.run(1, "lcm-tui fleet init", "sync --source box")
	m.run(0, "made the schema lcm", "fleet init")
	m.run(0, "has the schema", "fleet init")
	m.run(0, "no database yet", "fleet sources")
	m.run(0, "would be sent", "sync --source box")
	m.run(1, "no such source", "sync --source box --verify")
	m.run(0, "sent ", "sync --source box --apply")
	m.run(0, "nothing was sent", "sync --source box --apply")
	m.run(0, "all are equal", "sync --source box --verify")
	m.run(0, "1 database", "fleet sources")
	restored := filepath.Join(m.env["HOME"], "again.db")
	m.run(0, "wrote "+restored, "fleet restore box "+restored)
	m.run(1, "already", "fleet restore box "+restored)
	m.env["LCM_DATABASE_PATH"] = restored
	m.run(0, "all are equal", "sync --source box --verify")
	m.run(0, "deleted ", "fleet forget box")
	m.run(1, "no such source: box", "fleet forget box")
}

// TestTheSourceOfAnAddressIsNotSent: it says what is read, so that sync refuses it and says what to do; nor is a replica itself sent.
func TestTheSourceOfAnAddressIsNotSent(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.run(0, "made the schema lcm", "fleet init")
	m.run(0, "sent ", "sync --source box --apply")
	server, source := m.env[postgres.AddressVariable], m.sourceAddress("box")
	m.env[postgres.AddressVariable] = source
	m.run(1, "--source box", "sync --apply")
	m.run(1, "--source box", "sync --source box --apply")
	delete(m.env, "LCM_DATABASE_PATH")
	m.run(1, "--source box", "sync --apply")
	m.run(1, "is a replica", "sync --apply --target "+server+" --db "+source)
}

// TestAPlanIsLeftForTheMachine: it is shown there, written when it is taken, and refused where its rows have changed.
func TestAPlanIsLeftForTheMachine(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	m := newMachine(t)
	m.run(0, "made", "fleet init")
	m.run(0, "sent", "sync --source box --apply")
	var condensed data.Text
	query := "SELECT summary_id FROM summaries JOIN context_items USING (summary_id) WHERE kind = 'condensed' LIMIT 1"
	if ok, err := data.One(t.Context(), testdb.Open(t, m.path), "read", query, nil, &condensed); err != nil || !ok {
		t.Fatal(ok, err)
	}
	for _, name := range []string{"first.json", "second.json"} {
		m.run(0, "", "dissolve 1 "+string(condensed)+" --plan-out "+filepath.Join(m.env["HOME"], name))
		m.run(0, "left order", "fleet order box "+filepath.Join(m.env["HOME"], name))
	}
	m.run(0, "lcm-tui fleet order box "+filepath.Join(m.env["HOME"], "third.json"),
		"dissolve 1 "+string(condensed)+" --db "+m.sourceAddress("box")+" --plan-out "+filepath.Join(m.env["HOME"], "third.json"))
	m.run(0, "waiting", "sync --source box")
	out := m.run(0, "applied", "sync --source box --take-orders --apply")
	if !strings.Contains(out, "refused\n  lcm-tui: ") || strings.Contains(out, "plan.json") {
		t.Errorf("the second order is of the same rows, and says so:\n%s", out)
	}
	m.run(0, "dissolve", "history")
	m.run(0, "all are equal", "sync --source box --verify")
	if out := m.run(0, "nothing", "sync --source box --take-orders --apply"); strings.Contains(out, "order") {
		t.Errorf("an order was taken twice:\n%s", out)
	}
}

// TestTheComparisonHoldsToWhatWasSent: also without --redact the placeholders of a redacted source are what the file is compared with, and
// what is said to send again what differs doesn't send the secrets.
func TestTheComparisonHoldsToWhatWasSent(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	m := newMachine(t)
	testdb.Execute(t, m.path, "UPDATE messages SET content = content || ' export GITHUB_TOKEN=ghp_9f8Kd0sLq2Wm7Xc4Vb1Nz6Tr3Yp5Hj0Gu8Ea' WHERE message_id = 2")
	m.run(0, "made", "fleet init")
	m.run(0, "sent", "sync --source box --redact --apply")
	m.run(0, "all are equal", "sync --source box --verify")
	m.run(0, "all are equal", "sync --source box --verify --redact")
	testdb.Execute(t, m.path, "UPDATE messages SET content = 'changed' WHERE message_id = 3")
	m.run(5, "sync --verify --apply sends", "sync --source box --verify")
	m.run(0, "sent", "sync --source box --verify --apply")
}

// TestASyncWithoutFlagsSendsNoMoreThanTheOneBefore: the level and the redaction of a source hold until others are given.
func TestASyncWithoutFlagsSendsNoMoreThanTheOneBefore(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	m := newMachine(t)
	m.run(0, "made", "fleet init")
	m.run(0, "level          full\n", "sync --source box")
	m.run(0, "level          summaries, without secrets\n", "sync --source box --level summaries --redact --apply")
	testdb.Execute(t, m.path, "UPDATE messages SET content = 'changed' WHERE message_id = 3")
	m.run(0, "level          summaries, without secrets\n", "sync --source box --apply")
	m.run(0, "level          summaries\n", "sync --source box --redact=false --apply")
	m.run(0, "level          full\n", "sync --source box --level full --apply")
	m.run(0, "all are equal", "sync --source box --verify")
}

// TestASyncSaysWhatItMakesSearchable: after an update of the schema nothing is sent of a file that is as it was, and its texts can be searched
// again, also those that the host deleted. At the level metrics there are none.
func TestASyncSaysWhatItMakesSearchable(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	m := newMachine(t)
	m.run(0, "made", "fleet init")
	m.run(0, "sent", "sync --source box --keep-deleted --apply")
	m.run(0, "counts of 2 conversations would be sent", "sync --source counts --level metrics")
	if out := m.run(0, "sent counts of 2 conversations in ", "sync --source counts --level metrics --apply"); strings.Contains(out, "of text") {
		t.Errorf("texts were sent with the counts:\n%s", out)
	}
	testdb.Execute(t, m.path, `CREATE TEMP TABLE last AS SELECT max(message_id) AS message_id FROM messages;
		DELETE FROM message_parts WHERE message_id IN last; DELETE FROM context_items WHERE message_id IN last; DELETE FROM messages WHERE message_id IN last`)
	m.run(0, "kept", "sync --source box --apply")
	m.run(0, "", "sync --source box --keep-deleted=false --apply")
	m.run(0, "", "sync --source counts --apply")
	testreplica.Execute(t, m.env[postgres.AddressVariable], "TRUNCATE lcm.search_docs",
		"UPDATE lcm.sync_conversations SET search_from = -9223372036854775808 WHERE messages + summaries > 0")
	m.run(0, "nothing has to be sent\n--apply makes texts of ", "sync --source box")
	m.run(0, "nothing was sent\nmade ", "sync --source box --apply")
	for _, source := range []string{"box", "counts"} {
		if out := m.run(0, "nothing was sent", "sync --source "+source+" --apply"); strings.Contains(out, "searchable") {
			t.Errorf("%s is searchable already, or has no texts:\n%s", source, out)
		}
	}
}

// TestAnOrderWaitsUntilItsDatabaseCanTakeIt: another database under the name of the source doesn't take it, and while another program
// holds the lock of the file it waits. What was applied before, without an answer, is answered as applied.
func TestAnOrderWaitsUntilItsDatabaseCanTakeIt(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	m := newMachine(t)
	m.run(0, "made", "fleet init")
	m.run(0, "sent", "sync --source box --apply")
	plan := filepath.Join(m.env["HOME"], "plan.json")
	m.run(0, "", "key rename 2 agent:main:ordered --force --plan-out "+plan)
	m.run(0, "left order", "fleet order box "+plan)
	other := testdb.Sample(t, fakehost.Head)
	testdb.Execute(t, other, "UPDATE conversations SET created_at = '2001-01-01 00:00:00'")
	m.run(1, "the source is another database", "sync --source box --take-orders --apply --db "+other)
	m.run(0, "waiting", "sync --source box")
	h, err := fakehost.Open(m.path)
	testdb.Must(t, err)
	testdb.Must(t, h.Script("BEGIN IMMEDIATE"))
	m.run(75, "waiting", "sync --source box --take-orders --apply --wait 0.1")
	testdb.Must(t, h.Script("ROLLBACK"))
	testdb.Must(t, h.Close())
	m.run(0, "applied", "apply "+plan)
	m.run(0, ", applied\n", "sync --source box --take-orders --apply")
	out := m.run(0, "nothing", "sync --source box --take-orders --apply")
	if strings.Contains(out, "order") {
		t.Errorf("an order was taken twice:\n%s", out)
	}
}

// TestTheAddressOfAReplica: from config.toml by name; a password is refused there and in an argument; another sync
// that goes on is something to wait for.
func TestTheAddressOfAReplica(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	m := newMachine(t)
	address := m.env[postgres.AddressVariable]
	delete(m.env, postgres.AddressVariable)
	m.run(1, "LCM_DATABASE_URL", "sync")
	config := filepath.Join(m.env["HOME"], ".config", "lcm-tui", "config.toml")
	text := "[targets]\noffice = \"" + address + "\"\nbad = \"postgres://me:secret@db.example/lcm\"\n"
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m.run(0, "made", "fleet init --target office")
	m.run(2, "office", "fleet init --target ofice")
	for _, target := range []string{"bad", "postgres://me:secret@db.example/lcm"} {
		if out := m.run(1, ".pgpass", "sync --target "+target); strings.Contains(out, "secret") {
			t.Errorf("the password is shown: %s", out)
		}
	}
	a, err := postgres.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	held, err := a.Hold(t.Context(), "sync to", "lcm-tui source box", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	m.run(75, "another program holds a lock", "sync --source box --target office --apply --wait 0.1")
	held.Release()
	m.run(0, "sent", "sync --source box --target office --apply")
}

// TestChosenConversationsAreSent: the plan, the sync after it and the list of sources say which, and --all ends that.
func TestChosenConversationsAreSent(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	m := newMachine(t)
	m.run(0, "made the schema lcm", "fleet init")
	m.run(0, "conversations of agent main", "sync --source box --agent main")
	m.run(0, "conversations of agent main", "sync --source box --agent main --apply")
	m.run(0, "conversations of agent main", "sync --source box")
	m.run(0, "box has only conversations of agent main", "fleet sources")
	for _, command := range []string{"conversations", "info", "search harbour"} {
		m.run(0, "only some conversations of box", command+" --db "+m.sourceAddress("box"))
	}
	m.run(0, "without session keys like **:x", "sync --source box --except-key **:x")
	if out := m.run(0, "sent ", "sync --source box --all --apply"); strings.Contains(out, "only") {
		t.Error(out)
	}
	if out := m.run(0, "", "conversations --db "+m.sourceAddress("box")); strings.Contains(out, "only some") {
		t.Error(out)
	}
	m.run(2, "it ends what these say", "sync --source box --all --agent main")
}

// TestDeletedRowsAreASourceOfTheirOwn: it is listed, read by its address and named by forget; no plan is left for it.
func TestDeletedRowsAreASourceOfTheirOwn(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	m := newMachine(t)
	m.run(0, "made the schema lcm", "fleet init")
	m.run(0, "are kept in box/deleted", "sync --source box --keep-deleted --apply")
	h, err := fakehost.Open(m.path)
	testdb.Must(t, err)
	testdb.Must(t, h.Script("PRAGMA foreign_keys=OFF; UPDATE messages SET content = 'zanzibar ferries' WHERE message_id = 2"))
	m.run(0, "sent ", "sync --source box --apply --full")
	testdb.Must(t, h.Script("PRAGMA foreign_keys=OFF; DELETE FROM messages WHERE message_id = 2"))
	testdb.Must(t, h.Close())
	m.run(0, "that the host deleted, in box/deleted", "sync --source box --apply")
	m.run(0, "deleted rows", "fleet sources")
	m.run(1, "no file is sent there", "sync --source box/deleted --apply")
	m.run(0, "zanzibar", "messages 1 --db "+m.sourceAddress("box/deleted"))
	m.run(0, "zanzibar", "search ferry --db "+m.sourceAddress("box/deleted"))
	if out := m.run(0, "", "search ferry --db "+m.env[postgres.AddressVariable]); strings.Contains(out, "zanzibar") {
		t.Error(out)
	}
	m.run(0, "all are equal", "sync --source box --verify")
	restored := filepath.Join(m.env["HOME"], "deleted.db")
	m.run(0, "wrote "+restored, "fleet restore box/deleted "+restored)
	m.run(0, "of box/deleted from", "fleet forget box/deleted")
	m.run(0, "of box from", "fleet forget box")
	m.run(0, "no database yet", "fleet sources")
}

// TestTheUnitOfSyncNamesTheTarget: with the flags that are given, and without an address that only the environment has.
func TestTheUnitOfSyncNamesTheTarget(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := testdb.Sample(t, fakehost.Head)
	m := &machine{t, map[string]string{"LCM_DATABASE_PATH": path, "HOME": folder, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder, postgres.AddressVariable: "postgres://me:hush@db.example/lcm"}, path}
	if out := m.run(1, "--target NAME", "sync unit systemd"); strings.Contains(out, "hush") {
		t.Error(out)
	}
	m.run(2, "no target office", "sync unit systemd --target office")
	testdb.Must(t, os.MkdirAll(filepath.Join(folder, "lcm-tui"), 0o700))
	testdb.WriteText(t, filepath.Join(folder, "lcm-tui", "config.toml"), "[targets]\noffice = \"postgres://me@other.example/lcm\"\n")
	out := m.run(0, " sync --watch --apply --db "+path+" --target office --agent main --every 30s --redact=true --keep-deleted=true\n", "sync unit systemd --target office --agent main --every 30s --redact --keep-deleted")
	if strings.Contains(out, "hush") || strings.Contains(out, ".example") || !strings.Contains(out, "lcm-tui-sync.service") {
		t.Error(out)
	}
	m.run(0, "<string>--take-orders</string>", "sync unit launchd --target office --take-orders")
	m.run(2, "systemd or launchd", "sync unit upstart --target office")
	m.run(2, "the unit goes on", "sync unit systemd --target office --apply")
}
