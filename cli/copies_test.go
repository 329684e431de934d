package cli_test

import (
	"testing"

	"lcm-tui/cli"
	"lcm-tui/fleet"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testreplica"
)

// TestDatabasesOfAReplicaAsMachines: with what their machines found and the plans that wait, also where --db names one of them; a
// replica that can't be read leaves the others.
func TestDatabasesOfAReplicaAsMachines(t *testing.T) {
	t.Parallel()
	server := testreplica.Server(t)
	address := testreplica.Add(t, server, "laptop", testdb.Sample(t, fakehost.Head, "cycle"))
	testreplica.Add(t, server, "box", testdb.Sample(t, fakehost.Head))
	testreplica.Execute(t, server, "INSERT INTO lcm.orders (source_id, principal, origin, title, plan) SELECT source_id, 'ann', 'lcm-tui', 'dissolve sum_1', '' FROM lcm.sources WHERE name = 'laptop'")
	a := &cli.App{Sys: cli.System{Env: func(name string) string {
		return map[string]string{"LCM_DATABASE_URL": "postgres://nobody@127.0.0.1:1/lcm"}[name]
	}}}
	a.Opts.DB.Values = []string{address}
	all, err := cli.ReplicaMachines(t.Context(), a)
	if err == nil || len(all) != 2 || all[0].Name != "box" || all[1].Name != "laptop" {
		t.Fatalf("%+v, %v", all, err)
	}
	laptop := all[1]
	if laptop.Health == nil || laptop.Health.Counts.Error+laptop.Health.Counts.Fatal == 0 || laptop.Health.Faults[0].Count == 0 {
		t.Errorf("of its health it says %+v", laptop.Health)
	}
	if len(laptop.Orders) != 1 || laptop.Orders[0].Outcome != fleet.Outcome("waiting") || laptop.Orders[0].Plan != "dissolve sum_1" {
		t.Errorf("the plans are %+v", laptop.Orders)
	}
	if db, ok := laptop.Database(); !ok || !laptop.IsSource() || db.Machine == "" {
		t.Errorf("its database is %+v", db)
	}
}
