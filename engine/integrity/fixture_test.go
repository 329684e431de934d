package integrity_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

var fixture = testdb.Fixture

// genuine are the markers that the reference engine's own doctor finds in its files,
// and what else is really in them and shown to a model: a call that nothing answers,
// a result that nobody asked for, one without an id, an empty answer, and a memory
// that leaked into a message.
var genuine = map[string]string{
	"v0.1.0/small.db": "Q01 sum_08d097c5ff0f47b2 Q01 sum_2205f00fdfb33aac Q01 sum_cc3fde2738e7a473 Q01 sum_e14a9a923752d6c7",
	"v0.15.3/small.db": "Q01 sum_1b98603ed91a35d0 Q01 sum_94bc21f7718923c1 Q01 sum_fcb1363e85c850c6 " +
		"Q01 sum_00c8e9d415f1d774 Q01 sum_9bf2bf872c93fc17",
	"v0.15.3/rich.db": "Q01 sum_dec5b968e311bcba Q01 sum_87ebd4b8c677ebb1 Q01 sum_c78b2ed024269f4f Q01 sum_3d96a158368d65e4 " +
		"Q01 sum_111ac2263336c988 Q01 sum_f3f059aaf10ffc63 M05 3410 M06 3411 M07 3414 M23 3423",
	"faults/baseline.db":                   "= v0.15.3/small.db",
	"faults/legit-after-new.db":            "= v0.15.3/small.db",
	"compaction/before.db":                 "M05 58 M06 64 M07 67 M10 2 M23 84",
	"compaction/full-sweep/after.db":       "",
	"compaction/leaf-incremental/after.db": "",
	"compaction/until-under/after.db":      "",
}

func TestHealthyDatabases(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, want := range genuine {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if same, ok := strings.CutPrefix(want, "= "); ok {
				want = genuine[same]
			}
			var got []string
			for _, f := range check(t, fixture(t, name), integrity.Request{}).AtLeast(integrity.Warn).Findings {
				got = append(got, string(f.Fault)+" "+f.Row)
				if !strings.Contains(want, string(f.Fault)+" "+f.Row) {
					t.Errorf("found in a healthy file: %+v", f)
				}
			}
			if len(got)*2 != len(strings.Fields(want)) {
				t.Errorf("found %v, want %s", got, want)
			}
		})
	}
}

// seeded is how often a fault is really in other files of the reference engine, and nothing
// else that may be damage: its own fallbacks (Q01); what it stored a second time after a
// restart (M01, M02, and M17 for that) or at an import (M18); calls without a result,
// results without a call, without an id and without anything (M05, M06, M07, M10); memory
// that leaked (M23); a context that it couldn't compact (V09); a lease that ran out and failures in
// the background (P02, P05).
var seeded = map[string]string{
	"v1.0/rich.db":             "M01 13 M02 1 M05 6 M10 1 M17 5 M23 3 P02 1 P05 3 T01 2 T08 1 T10 1 V09 1",
	"v1.0/small.db":            "M01 4 M05 3 M10 1 M17 1 M23 1 T01 1",
	"v1.0/upgraded.db":         "M01 26 M02 2 M17 1 Q01 6 T01 26 T12 1",
	"v1.0/upgraded-small.db":   "M01 13 M02 1 M17 2 Q01 5 T01 13 T12 1",
	"hard/briefs1.db":          "Q01 2",
	"hard/cjk1.db":             "M05 2 M06 1 M10 2 M23 1 Q01 1",
	"hard/deep1.db":            "Q01 5",
	"hard/files1.db":           "M01 1 M05 8 M17 4",
	"hard/mixed1.db":           "M05 5 M07 2 M10 1 M18 4 M23 1 Q01 3",
	"hard/resets1.db":          "M05 3 M06 1 M10 2 M17 1 Q01 1",
	"hard/stubs1.db":           "M01 2 M05 1 M06 1 M07 1 M17 1 M23 1",
	"hard/thinking1.db":        "Q01 2",
	"hard/tools1.db":           "M01 1 M05 10 M10 1 M17 2 M18 5",
	"hard/compaction/cjk.db":   "",
	"hard/compaction/deep.db":  "M05 1 M17 3 Q01 13 Q07 2",
	"hard/compaction/stubs.db": "M01 1 M05 7 M07 1 M10 2",
	"hard/compaction/tools.db": "M01 2 M05 1 M06 2 M07 1 M17 6 M18 4 M23 1",
}

func TestSeededDatabases(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, want := range seeded {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			counts := map[integrity.FaultID]int{}
			for _, f := range check(t, fixture(t, name), integrity.Request{}).AtLeast(integrity.Warn).Findings {
				counts[f.Fault]++
			}
			var got []string
			for fault, n := range counts {
				got = append(got, fmt.Sprintf("%s %d", fault, n))
			}
			slices.Sort(got)
			if strings.Join(got, " ") != want {
				t.Errorf("found %v, want %s", got, want)
			}
		})
	}
}

// damaged are databases with damage done to them, and what must be found.
var damaged = map[string]string{
	"context-duplicate-ref":   "C03 18 C03 12",
	"context-missing-summary": "C01 0 L08 sum_b4f8213d4eaa430f",
	"dangling-edges":          "L03 sum_c4e6968095a5fd54 L03 sum_eeeeeeeeeeeeeeee L03 sum_fcb1363e85c850c6 L03 sum_dddddddddddddddd",
	"depth-mismatch":          "L06 sum_b4f8213d4eaa430f L06 sum_94bc21f7718923c1 L07 sum_d8493d9eeadbb7a3",
	"duplicate-messages":      "M01 200001 M01 200002",
	"fts-out-of-sync":         "X05 sum_f691b884bb7dc82a X04 sum_00c8e9d415f1d774 X05 sum_0008222c80489a46 X02 777777",
	"large-file-missing":      "G03 file_7bd9513734f94c95 G03 file_d216fa4876964b26 G01 63",
	"marker-start":            "Q01 sum_7d193aab84b9ddfc",
	"optional-tables-missing": "S03 messages_fts",
	"parents-cycle":           "L05 sum_b4f8213d4eaa430f L05 sum_c4e6968095a5fd54 L05 sum_d8493d9eeadbb7a3",
	"summary-no-sources":      "L01 sum_fcb1363e85c850c6 L02 sum_c4e6968095a5fd54",
	"token-count-wrong":       "Q10 sum_fcb1363e85c850c6 Q10 sum_0008222c80489a46 M13 59 M14 61",
	"bad-values":              "M19 59 M19 sum_fcb1363e85c850c6 M11 62 M11 66 M11 118 Q10 sum_0008222c80489a46 C04 -4",
}

func TestDamagedDatabases(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, want := range damaged {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := check(t, fixture(t, "faults/"+name+".db"), integrity.Request{})
			words := strings.Fields(want)
			for pair := range slices.Chunk(words, 2) {
				if rows := rowsOf(d, integrity.FaultID(pair[0])); !slices.Contains(rows, pair[1]) {
					t.Errorf("%v not found; rows %v", pair, rows)
				}
			}
		})
	}
}

func TestQuotedMarkersAreNone(t *testing.T) {
	t.Parallel()
	got := rowsOf(check(t, fixture(t, "faults/marker-mid.db"), integrity.Request{}), integrity.SummaryFallback)
	for _, id := range []string{"sum_7d193aab84b9ddfc", "sum_bdf3e90cd6503def", "sum_4c934aebaafca2e5"} {
		if slices.Contains(got, id) {
			t.Errorf("%s only quotes a marker", id)
		}
	}
	if len(got) != 5 {
		t.Errorf("%v, want the five genuine ones", got)
	}
}

func TestDamagedPages(t *testing.T) {
	t.Parallel()
	d := check(t, fixture(t, "faults/sqlite-truncated.db"), integrity.Request{})
	if d.Counts.Fatal == 0 || len(rowsOf(d, integrity.PagesDamaged)) == 0 {
		t.Error(fmt.Sprint("not found: ", d.Counts))
	}
}
