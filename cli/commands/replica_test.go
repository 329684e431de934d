package commands_test

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/internal/testreplica"
	"lcm-tui/ops/replica"
)

// allReplicas is the environment variable that has all databases compared with their replicas, instead of two or three: its value
// begins their names, or is "all".
const allReplicas = "LCM_ALL_REPLICAS"

// TestAReplicaAnswersAsItsFile runs reading commands on databases and on their replicas: what they print is equal but for
// what replicaDifferences allows.
func TestAReplicaAnswersAsItsFile(t *testing.T) {
	t.Parallel()
	server := testreplica.Server(t)
	compared, equal, allowed := 0, 0, 0
	for name, path := range replicatedFiles(t) {
		if exit, _, _ := testcli.RunIn(t, map[string]string{"HOME": filepath.Dir(path)}, "--db", path, "info"); exit != 0 {
			t.Logf("%s can't be opened", name)
			continue
		}
		address := testreplica.Add(t, server, name, path)
		for _, args := range commandsFor(t, path) {
			compared++
			switch exact, same := compareAnswers(t, name, path, address, args); {
			case exact:
				equal++
			case same:
				allowed++
			}
		}
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
	t.Logf("%d outputs: %d are equal, %d differ as they may", compared, equal, allowed)
}

// replicatedFiles returns databases by their names: samples of every level, faults and fixtures, or two or three of them.
func replicatedFiles(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	wanted := os.Getenv(allReplicas)
	add := func(name string, path func() string) {
		sum := fnv.New32a()
		_, _ = sum.Write([]byte(name)) // A hash takes everything.
		if wanted == "all" || wanted != "" && strings.HasPrefix(name, wanted) || wanted == "" && sum.Sum32()%60 == 0 && !strings.HasPrefix(name, "fixture") {
			files[name] = path()
		}
	}
	for _, level := range append(fakehost.Levels(), fakehost.Beta) {
		add(fmt.Sprint("sample ", level), func() string { return testdb.Sample(t, level) })
	}
	for _, level := range []fakehost.Level{fakehost.Head, fakehost.Beta} {
		for _, fault := range faults.NamesAt(level) {
			add("fault "+fault, func() string { return testdb.Sample(t, faults.Level(fault), fault) })
		}
	}
	for _, path := range testdb.FixtureFiles(t, "*/*.db") {
		name, _ := filepath.Rel(testdb.Fixtures(t), path)
		add("fixture "+name, func() string { return testdb.Copy(t, path) })
	}
	return files
}

// commandsFor returns the commands that are compared on a database.
func commandsFor(t *testing.T, path string) (all [][]string) {
	t.Helper()
	add := func(format string, args ...any) { all = append(all, strings.Fields(fmt.Sprintf(format, args...))) }
	for _, whole := range []string{"conversations", "stats --verbose", "info", "doctor", "history", "pending", "memory", "search the --limit 20", "search ledger* OR pool -schema --sort oldest", "grep the --limit 20", "grep the --mode full_text --limit 20 --all"} {
		add("%s --json", whole)
	}
	if _, found, _ := testcli.RunIn(t, map[string]string{"HOME": filepath.Dir(path)}, "--db", path, "doctor", "--json"); os.Getenv(allReplicas) != "" && !ofFileAlone.MatchString(found) {
		add("repair --all --json") // What the file alone shows isn't repaired elsewhere.
	}
	var list struct {
		Conversations []struct {
			ID int64 `json:"conversation_id"`
		} `json:"conversations"`
	}
	if !readInto(t, path, &list, "conversations", "--limit", "3") {
		return all
	}
	for _, c := range list.Conversations {
		for _, of := range []string{"messages", "context", "assemble", "files", "focus", "pending"} {
			add("%s %d --json", of, c.ID)
		}
		add("summaries %d --include-content --json", c.ID)
		add("messages %d --limit 5", c.ID)
		add("context %d", c.ID)
		add("compact %d --force --json", c.ID)
		add("export %d --format jsonl", c.ID)
		var found struct {
			Summaries []struct {
				ID string `json:"summary_id"`
			} `json:"summaries"`
		}
		if !readInto(t, path, &found, "summaries", fmt.Sprint(c.ID)) || len(found.Summaries) == 0 {
			continue
		}
		first, last := found.Summaries[0].ID, found.Summaries[len(found.Summaries)-1].ID
		for _, id := range slices.Compact([]string{first, last}) {
			if strings.ContainsAny(id, " -") || id == "" {
				continue
			}
			add("describe %s --json", id)
			add("expand %s --messages --json", id)
			add("trace %s --json", id)
			add("dissolve %d %s --json", c.ID, id)
			add("rewrite %d %s --json", c.ID, id)
		}
	}
	return all
}

// readInto reads what a command prints as JSON; ok is false where it prints none.
func readInto(t *testing.T, path string, to any, args ...string) (ok bool) {
	t.Helper()
	_, out, _ := testcli.RunIn(t, map[string]string{"HOME": filepath.Dir(path)}, append([]string{"--db", path, "--json"}, args...)...)
	return json.Unmarshal([]byte(out), to) == nil
}

// replicaDifference is a way in which the answer about a replica may differ from that about its file.
type replicaDifference struct {
	commands string // The commands, by their first words.
	answer   *regexp.Regexp
	instead  string
	because  string
}

// replicaDifferences are the differences that are meant: what the expression finds is the same in both answers.
var replicaDifferences = []replicaDifference{
	{"info", regexp.MustCompile(`"writable":\w+,"read_only_because":(null|"[^"]*")`), "", "nothing writes to a replica"},
	{"info", regexp.MustCompile(`"(broken_)?search_tables":\[[^]]*\]`), "", "the server has no search tables of SQLite"},
	{"info", regexp.MustCompile(`"(tables|files_dir|state_dir|places|searched|database|found|open_in|path)":(\[[^]]*\]|\{[^}]*\}|"[^"]*"|null)`), "", "what lies beside a file isn't there"},
	{"search", regexp.MustCompile(`"capped":\w+|"total":\d+|,"notes":\["the (file has no|search index of)[^]]*\]`), "", "the replica has an index of its own where the file lacks one, and counts by it"},
	{"grep", regexp.MustCompile(`"rank":-[0-9.e-]+`), "", "the server has no ranks: they are estimated"},
	{"dissolve repair rewrite compact", regexp.MustCompile(`"\w+_at":"` + time.Now().UTC().Format(time.DateOnly) + `[^"]*"`), "", "a plan is made at another second"},
	{"repair", regexp.MustCompile(`\.lcm-tui-\d{8}T\d{6}Z`), "", "a backup has the second in its name"},
	{"repair", regexp.MustCompile(`"part_id":"[0-9a-f-]{36}"`), "", "a part that a plan adds gets a new id"},
	{"doctor", regexp.MustCompile(`,?\{"fault":"[XSG]0\d"[^}]*\}|,?"counts":\{[^}]*\}|,?"warnings":\[[^]]*\]`), "", "pages, references, search tables and files are checked where the file is"},
	{"doctor", regexp.MustCompile(`\[,`), "[", "the first finding was one of those"},
}

// wrongIndex finds faults whose files have search tables with other words than their rows, or none: other texts are found there than in
// the replica, whose index is made of the rows.
var wrongIndex = regexp.MustCompile("fts-out-of-sync|missing-optional-tables")

// ofFileAlone finds in an answer of doctor what the file alone shows.
var ofFileAlone = regexp.MustCompile(`"fault":"[XSG]0`)

// sameBut takes out of an answer what may differ.
func sameBut(command, answer string) string {
	for _, d := range replicaDifferences {
		if slices.Contains(strings.Fields(d.commands), command) {
			answer = d.answer.ReplaceAllString(answer, d.instead)
		}
	}
	return answer
}

// compareAnswers runs a command on a file and on its replica. exact says that they are equal without what is taken out.
func compareAnswers(t *testing.T, name, path, address string, args []string) (exact, same bool) {
	t.Helper()
	env := map[string]string{"HOME": filepath.Dir(path)}
	exit, out, errs := testcli.RunIn(t, env, append([]string{"--db", path}, args...)...)
	gotExit, gotOut, gotErrs := testcli.RunIn(t, env, append([]string{"--db", address}, args...)...)
	place := testreplica.Place(t, address)
	gotOut, gotErrs = strings.ReplaceAll(gotOut, place, path), strings.ReplaceAll(gotErrs, place, path)
	if gotExit == exit && gotOut == out && gotErrs == errs {
		return true, true
	}
	if (args[0] == "search" || args[0] == "grep") && wrongIndex.MatchString(name) {
		return false, gotExit == exit
	}
	if slices.Contains(planCommands, args[0]) {
		out, gotOut = withoutOrdinals(t, out), withoutOrdinals(t, gotOut)
	}
	out, gotOut = sameBut(args[0], out), sameBut(args[0], gotOut)
	if gotExit == exit && gotOut == out {
		return false, true
	}
	t.Errorf("%s: %s: exit %d and %d\n%s\n%s", name, strings.Join(args, " "), exit, gotExit, firstDifference(out, gotOut), firstDifference(errs, gotErrs))
	return false, false
}

// firstDifference returns the first line in which two texts differ.
func firstDifference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(as), len(bs)) {
		x, y := "", ""
		if i < len(as) {
			x = as[i]
		}
		if i < len(bs) {
			y = bs[i]
		}
		if x != y {
			from := 0
			for from < min(len(x), len(y)) && x[from] == y[from] {
				from++
			}
			from = max(0, from-60)
			return "file:    " + x[from:min(from+260, len(x))] + "\nreplica: " + y[from:min(from+260, len(y))]
		}
	}
	return ""
}

// TestAReplicaIsListedAndOnlyRead: databases lists its sources without passwords, an address with one is refused, and what would be
// written is refused with where the database lives.
func TestAReplicaIsListedAndOnlyRead(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Sample(t, fakehost.Head)
	server := testreplica.Server(t)
	address := testreplica.Add(t, server, "laptop", path)
	env := map[string]string{"HOME": t.TempDir(), "LCM_DATABASE_URL": address}
	for _, test := range []struct {
		args string
		exit int
		want []string
	}{
		{"databases --db " + server, 0, []string{"replica of laptop"}},
		{"databases --json --db " + server, 0, []string{`"program":"replica of laptop"`, testreplica.Place(t, address), `"conversations":2`}},
		{"databases --json", 0, []string{`"found":"LCM_DATABASE_URL"`, `"machine":"` + testreplica.Host + `"`}},
		{"databases --db postgres://nobody@127.0.0.1:1/lcm", 1, []string{"doesn't answer", "the other places were searched"}},
		{"conversations --json", 0, []string{`"conversation_id":1`}},
		{"conversations --db postgres://me:hush@127.0.0.1/lcm?source=x", 1, []string{"password"}},
		{"key rename 2 agent:main:other --force --apply", 1, []string{path + " on " + testreplica.Host, "lcm-tui key rename 2 agent:main:other --force --plan-out plan.json; then lcm-tui fleet order laptop plan.json"}},
		{"backup", 1, []string{path + " on " + testreplica.Host}},
		{"secrets", 1, []string{path + " on " + testreplica.Host}},
		{"doctor", 0, []string{"were checked on " + testreplica.Host}},
		{"messages 1 --db postgres://nobody@127.0.0.1:1/lcm?source=x", 1, []string{"doesn't answer"}},
	} {
		exit, out, errs := testcli.RunIn(t, env, strings.Fields(test.args)...)
		for _, want := range test.want {
			if exit != test.exit || !strings.Contains(out+errs, want) || strings.Contains(out+errs, "hush") {
				t.Errorf("%s: exit %d without %q:\n%s\n%s", test.args, exit, want, out, errs)
			}
		}
	}
}

// TestAReplicaOfSummariesSaysWhereMessagesAre, and not that there are none.
func TestAReplicaOfSummariesSaysWhereMessagesAre(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Sample(t, fakehost.Head)
	address := testreplica.AddLevel(t, testreplica.Server(t), "laptop", path, replica.LevelSummaries)
	env := map[string]string{"HOME": t.TempDir()}
	where := "its messages are in " + path + " on " + testreplica.Host
	for _, test := range []struct {
		args string
		exit int
		says bool
	}{
		{"messages 1", 1, true}, {"search ledger", 0, true}, {"context 1", 0, true}, {"conversations", 0, true}, {"summaries 1", 0, false},
	} {
		exit, out, errs := testcli.RunIn(t, env, append(strings.Fields(test.args), "--db", address)...)
		if exit != test.exit || strings.Contains(errs, where) != test.says || strings.Contains(out, "no messages") {
			t.Errorf("%s: exit %d\n%s\n%s", test.args, exit, out, errs)
		}
	}
}

// TestTheServerSaysWhatAReplicaLacks: no tool says of a replica of summaries that its messages aren't there, or that it is damaged.
func TestTheServerSaysWhatAReplicaLacks(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	address := testreplica.AddLevel(t, testreplica.Server(t), "laptop", path, replica.LevelSummaries)
	where := "its messages are in " + path + " on " + testreplica.Host
	requests := []string{`"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`}
	for _, call := range []string{`"lcm_grep","arguments":{"pattern":"ledger","scope":"messages","allConversations":true}`, `"lcm_recent","arguments":{"conversationId":1}`, `"lcm_status"`} {
		requests = append(requests, `"tools/call","params":{"name":`+call+`}`)
	}
	requests = append(requests, `"resources/read","params":{"uri":"lcm://message/1"}`)
	for i, r := range requests {
		requests[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%s}`, i, r)
	}
	_, printed := newHomeRun(t, "").tryWords(strings.Join(requests, "\n")+"\n", "mcp", "--db", address)
	if n := strings.Count(printed, where); n < len(requests)-1 || strings.Contains(printed, "damaged") {
		t.Errorf("%d answers say where the messages are:\n%s", n, printed)
	}
}

// TestSummariesOfOneSecond: a summary and the newest of its sources are of the same time, and a replica lists them in the order in
// which they were written, as the file.
func TestSummariesOfOneSecond(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	testdb.Execute(t, path, "UPDATE summaries SET created_at = '2026-01-05 12:00:00'")
	address := testreplica.Add(t, testreplica.Server(t), "laptop", path)
	env := map[string]string{"HOME": t.TempDir()}
	for _, args := range []string{"grep . --all --json --db ", "grep the --mode full_text --all --db "} {
		_, want, _ := testcli.RunIn(t, env, strings.Fields(args+path)...)
		if _, got, _ := testcli.RunIn(t, env, strings.Fields(args+address)...); got != want {
			t.Errorf("%s: %s", args, firstDifference(want, got))
		}
	}
}
