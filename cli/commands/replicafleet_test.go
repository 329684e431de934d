package commands_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testreplica"
)

// TestAFleetIsTheSourcesOfAReplica: with the address of a server, --fleet asks its sources: the hits of a search are one list, and other
// commands answer for each.
func TestAFleetIsTheSourcesOfAReplica(t *testing.T) {
	t.Parallel()
	server := testreplica.Server(t)
	path := testdb.Sample(t, fakehost.Head)
	for _, name := range []string{"box", "laptop", "nas"} {
		testreplica.Add(t, server, name, testdb.Copy(t, path))
	}
	env := map[string]string{"HOME": filepath.Dir(path)}
	var found struct {
		Total int
		Hits  []struct{ Source, Snippet string }
		Fleet []struct{ Source, Place string }
	}
	exit, out, errs := testcli.RunIn(t, env, "search", "--fleet", "ledger", "--db", server, "--json")
	if err := json.Unmarshal([]byte(out), &found); exit != 0 || err != nil || len(found.Fleet) != 3 || found.Fleet[0].Place != testreplica.Host {
		t.Fatalf("exit %d, %v, %+v\n%s", exit, err, found.Fleet, errs)
	}
	from := map[string]int{}
	for _, h := range found.Hits {
		from[h.Source]++
	}
	if from["box"] == 0 || from["box"] != from["laptop"] || from["nas"] != from["box"] {
		t.Errorf("hits of each source: %v", from)
	}
	for _, test := range []struct {
		args string
		exit int
		want string
	}{
		{"search --fleet=box,nas ledger --sort best", 0, "nas"},
		{"conversations --fleet=box", 0, "box  replica of " + testreplica.Host},
		{"stats --fleet", 0, "nas  replica of"},
		{"search --fleet=nowhere ledger", 1, "no source nowhere"},
		{"databases --fleet", 2, "without --fleet"},
	} {
		exit, out, errs := testcli.RunIn(t, env, append(strings.Fields(test.args), "--db", server)...)
		if exit != test.exit || !strings.Contains(out+errs, test.want) {
			t.Errorf("%s: exit %d without %q:\n%s\n%s", test.args, exit, test.want, out, errs)
		}
	}
	_, out, _ = testcli.RunIn(t, env, "metrics", "--fleet", "--db", server)
	for _, want := range []string{`lcm_replica_lag_seconds{source="box"}`, `lcm_replica_refusals_total{what="syncs",source="nas"} 0`, `lcm_messages{source="laptop"}`, `lcm_replica_waiting_orders{source="nas"} 0`} {
		if !strings.Contains(out, want) {
			t.Errorf("the metrics of the sources lack %s", want)
		}
	}
	if exit, _, errs := testcli.RunIn(t, env, "search", "--fleet", "ledger", "--db", testreplica.Address(server, "box")); exit != 2 || !strings.Contains(errs, "box") {
		t.Errorf("exit %d with a source\n%s", exit, errs)
	}
}
