package integrity_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/testdb"
)

// afterTheFixtures is a day and a minute after the last lease of the fixtures ran out.
var afterTheFixtures = time.Date(2026, 10, 3, 17, 0, 0, 0, time.UTC)

// pendingInFixtures are the conversations or rows of which something is found in the files of
// hosts of 1.0, all of it.
var pendingInFixtures = map[string]string{
	"small.db": "P13 1",
	"rich.db": `P01 5 pcb_a4ab05d65d2922d4_2b16e1f9b3553bd6
		P01 7 pcb_d690ce731b1ebc75_a6bf1f60ea9efd2b
		P02 14 psn_7800f966592df977-leaf-10-17
		P04b 11 psn_b9cc93066c6ea4b3_142900f71652a10e-leaf-36-36
		P04b 12 psn_c488cfa54b418afb_15b5635fb2e7cf0b-leaf-9-9
		P05 11 P05 12 P05 13
		P13 3 P13 9`,
	"upgraded.db":       "P13 1 P13 3 P13 5",
	"upgraded-small.db": "P13 1",
}

// TestPendingFaultsOfFixtures: nothing but that is found, in healthy batches that wait for
// weeks, keep their texts after they were given up, or have none after they were published.
func TestPendingFaultsOfFixtures(t *testing.T) {
	t.Parallel()
	for name, want := range pendingInFixtures {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := pendingWords(checkPending(t, testdb.Fixture(t, "v1.0/"+name), afterTheFixtures))
			if want := strings.Join(strings.Fields(want), " "); got != want {
				t.Errorf("found %s, want %s", got, want)
			}
		})
	}
}

// pendingWords returns faults with the rows that they were found in, in one line.
func pendingWords(found map[integrity.FaultID][]string) string {
	var words []string
	for _, id := range pendingIDs {
		for _, row := range found[id] {
			words = append(words, string(id)+" "+strings.TrimSpace(row))
		}
	}
	return strings.Join(words, " ")
}

// TestPendingFaultsOfDamagedFixtures: each file has what was done to it, and of what hosts
// prepare nothing else but the old batches of the file that was damaged. An older batch
// without nodes is incomplete too.
func TestPendingFaultsOfDamagedFixtures(t *testing.T) {
	t.Parallel()
	for _, path := range testdb.FixtureFiles(t, "v1.0/faults/*.db") {
		name := strings.TrimSuffix(filepath.Base(path), ".db")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var made struct {
				CheckerShouldReport []integrity.FaultID `json:"checkerShouldReport"`
			}
			b, err := os.ReadFile(strings.TrimSuffix(path, ".db") + ".json")
			if err == nil {
				err = json.Unmarshal(b, &made)
			}
			if err != nil {
				t.Fatal(err)
			}
			want := slices.DeleteFunc(made.CheckerShouldReport, func(id integrity.FaultID) bool { return id.Area() != integrity.PendingArea })
			want = append(want, integrity.PendingBatchExpired)
			if name == "pending-two-active" {
				want = append(want, integrity.PendingRangeUncovered)
			}
			found := checkPending(t, testdb.Copy(t, path), afterTheFixtures)
			for _, id := range pendingIDs {
				if slices.Contains(want, id) != (len(found[id]) > 0) {
					t.Errorf("%s is found in %q; what was made is %q", id, found[id], want)
				}
			}
		})
	}
}
