package reading_test

import (
	"testing"

	"lcm-tui/data/postgres/reading"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/internal/testreplica"
)

// TestAnOverviewSaysWhatIsKnownOfASource: its size at the last two syncs, what its machine found, and the plans that were left for it;
// and that of all sources, also where the address names one.
func TestAnOverviewSaysWhatIsKnownOfASource(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	server := testreplica.Server(t)
	path := testdb.Sample(t, fakehost.Head)
	address := testreplica.Add(t, server, "laptop", path)
	testreplica.Add(t, server, "box", testdb.Sample(t, fakehost.Head))
	testdb.Execute(t, path, "INSERT INTO large_files (file_id, conversation_id, storage_uri, exploration_summary) VALUES ('file_0000000000000001', 1, '/nowhere/x', hex(zeroblob(200000)))")
	testreplica.Add(t, server, "laptop", path)
	testreplica.Execute(t, server, "INSERT INTO lcm.orders (source_id, principal, origin, title, plan) SELECT source_id, 'ann', 'lcm-tui', 'dissolve sum_1', '' FROM lcm.sources WHERE name = 'laptop'")
	testreplica.Execute(t, server, "INSERT INTO lcm.orders (source_id, principal, origin, title, plan, state, answer, answered_at) SELECT source_id, 'ann', 'lcm-tui', 'compact 1', '', 'refused', 'stale', now() FROM lcm.sources WHERE name = 'laptop'")
	testreplica.Execute(t, server, "INSERT INTO lcm.findings (source_id, fault, severity, finding, found_at) SELECT source_id, 'M01', 'error', '{}', now() FROM lcm.sources, generate_series(1, 3) WHERE name = 'laptop'")

	all, err := reading.Overviews(t.Context(), address)
	testdb.Must(t, err)
	if len(all) != 2 || all[0].Name != "box" || all[1].Name != "laptop" {
		t.Fatalf("the sources are %+v", all)
	}
	box, laptop := all[0], all[1]
	if len(box.Orders) != 0 || len(box.Sizes) != 1 || box.CheckedAt.IsZero() {
		t.Errorf("of box it says %+v", box)
	}
	if o := laptop.Orders; len(o) != 2 || o[0].State != "refused" || o[0].Answer != "stale" || o[1].State != "waiting" || o[1].Title != "dissolve sum_1" {
		t.Errorf("the plans are %+v", o)
	}
	if len(laptop.Sizes) != 2 || laptop.Sizes[0].Bytes <= laptop.Sizes[1].Bytes || laptop.Sizes[0].Bytes != laptop.Bytes {
		t.Errorf("the sizes are %+v, the last is %d", laptop.Sizes, laptop.Bytes)
	}
	found := 0
	for _, f := range laptop.Faults {
		if f.Fault == "M01" && f.Severity == "error" {
			found = f.Count
		}
	}
	if found != 3 {
		t.Errorf("M01 was found %d times: %+v", found, laptop.Faults)
	}
}
