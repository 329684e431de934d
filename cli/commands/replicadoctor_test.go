package commands_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/internal/testreplica"
	"lcm-tui/ops/replica"
)

// faultsIn returns how often doctor finds each fault, and what it says beside.
func faultsIn(t *testing.T, env map[string]string, args ...string) (found map[string]int, errs string) {
	t.Helper()
	_, out, errs := testcli.RunIn(t, env, append([]string{"doctor", "--json"}, args...)...)
	var diagnosis struct {
		Findings []struct{ Fault string }
	}
	if err := json.Unmarshal([]byte(out), &diagnosis); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, errs)
	}
	found = map[string]int{}
	for _, f := range diagnosis.Findings {
		found[f.Fault]++
	}
	return found, errs
}

// TestDoctorOnAReplicaKnowsWhatItsMachineFound: search tables are checked at the file, and the answer says where and when; what rows show
// is checked in the replica; where only summaries are sent, all is from the file.
func TestDoctorOnAReplicaKnowsWhatItsMachineFound(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	server := testreplica.Server(t)
	path := testdb.Sample(t, fakehost.Head, "dangling-edges")
	testdb.Execute(t, path, "DELETE FROM messages_fts WHERE rowid IN (SELECT message_id FROM messages ORDER BY message_id LIMIT 3)")
	env := map[string]string{"HOME": filepath.Dir(path)}
	full := testreplica.Add(t, server, "laptop", path)
	summaries := testreplica.AddLevel(t, server, "summaries", path, replica.LevelSummaries)
	want, _ := faultsIn(t, env, "--db", path)
	if want["X01"] == 0 || len(want) < 2 {
		t.Fatalf("the file has %v", want)
	}
	for address, says := range map[string]string{full: "were checked on " + testreplica.Host, summaries: "the replica has no messages to check"} {
		got, errs := faultsIn(t, env, "--db", address)
		for fault, n := range want {
			if got[fault] != n {
				t.Errorf("%s: %s %d times, want %d", says, fault, got[fault], n)
			}
		}
		if !strings.Contains(errs, says) || len(got) != len(want) {
			t.Errorf("%v without %q:\n%s", got, says, errs)
		}
	}
	if _, out, _ := testcli.RunIn(t, env, "doctor", "--fleet", "--db", server); strings.Count(out, "X01") < 2 || !strings.Contains(out, "laptop  replica of") {
		t.Errorf("of all sources:\n%s", out)
	}
}
