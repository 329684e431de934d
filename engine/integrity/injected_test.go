package integrity_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testdb"
)

// injections are the faults that can be done to a sample: the script, the fault that
// it is to be found as, and the rows that must be named. What follows from it may be
// found besides.
var injections = []injection{
	{"missing-optional-tables", "S03", "messages_fts"},
	{"dangling-edges", "S02", "sum_eeeeeeeeeeeeeeee sum_dddddddddddddddd"},
	{"counter-behind", "S04", "conversations"},
	{"context-missing-summary", "C01", "0"},
	{"context-missing-message", "C01", "4"},
	{"cross-conversation", "C02", "4"},
	{"context-duplicate", "C03", "17"},
	{"negative-ordinal", "C04", "-5 -6"},
	{"ordinal-gaps", "C05", "0"},
	{"context-double", "C06", "901"},
	{"context-double", "C07", "900"},
	{"context-disorder", "C08", "6 8"},
	{"uncovered-message", "C09", "51"},
	{"context-empty", "C10", "1"},
	{"host-race", "C11", "39"},
	{"no-sources", "L01", "sum_19efce1160eed294"},
	{"no-sources", "L02", "sum_37fdcb590c19b92a"},
	{"dangling-edges", "L03", "sum_37f814a5afbec780 sum_eeeeeeeeeeeeeeee sum_0b09b01c9d232372 sum_dddddddddddddddd"},
	{"cross-conversation", "L04", "sum_0b09b01c9d232372"},
	{"cycle", "L05", "sum_37f814a5afbec780 sum_4047233931efe86e"},
	{"self-loop", "L05", "sum_37fdcb590c19b92a"},
	{"depth-mismatch", "L06", "sum_37f814a5afbec780 sum_19efce1160eed294"},
	{"kind-mismatch", "L07", "sum_19efce1160eed294"},
	{"context-missing-summary", "L08", "sum_4047233931efe86e"},
	{"orphan-summary", "L09", "sum_0bad0bad0bad0bad"},
	{"overlap", "L10", "1"},
	{"diamond", "L11", "sum_0b09b01c9d232372"},
	{"link-gaps", "L12", "sum_19efce1160eed294"},
	{"counters-drift", "L13", "sum_4047233931efe86e"},
	{"counters-drift", "L14", "sum_19efce1160eed294"},
	{"message-double", "M01", "9001 9002"},
	{"message-decorated", "M01", "9201"},
	{"message-masked", "M01", "9302"},
	{"message-replay", "M02", "9107"},
	{"entry-double", "M03", "9"},
	{"tool-result-double", "M04", "41"},
	{"tool-unpaired", "M05", "3"},
	{"tool-unpaired", "M06", "4"},
	{"tool-nameless", "M07", "39"},
	{"tool-columns-empty", "M08", ""},
	{"partless", "M09", "7"},
	{"empty-message", "M10", "3"},
	{"malformed-json", "M11", "sum_19efce1160eed294"},
	{"bad-values", "M11", "6 8 9"},
	{"part-gaps", "M12", "3"},
	{"uncounted", "M13", "7 8"},
	{"bad-values", "M13", "10 11"},
	{"undercounted", "M14", "7 9"},
	{"bad-hash", "M15", "2 7"},
	{"seq-gaps", "M16", "1"},
	{"time-backwards", "M17", "7"},
	{"import-stamped", "M18", "20"},
	{"future", "M19", "7"},
	{"bad-values", "M19", "3 5"},
	{"inline-media", "M20", ""},
	{"compaction-notes", "M21", "9401"},
	{"heartbeat", "M22", "7"},
	{"injected", "M23", "51"},
	{"oversized-message", "M24", "7"},
	{"role-mismatch", "M25", "8"},
	{"marker-fallback", "Q01", "sum_19efce1160eed294"},
	{"marker-old", "Q01", "sum_19efce1160eed294"},
	{"marker-truncated", "Q01", "sum_19efce1160eed294"},
	{"emergency-model", "Q01", "sum_19efce1160eed294"},
	{"summary-empty", "Q02", "sum_19efce1160eed294"},
	{"summary-larger", "Q03", "sum_19efce1160eed294"},
	{"summary-oversized", "Q04", "sum_19efce1160eed294"},
	{"summary-capped", "Q05", "sum_19efce1160eed294"},
	{"summary-thinking", "Q06", "sum_19efce1160eed294"},
	{"summary-double", "Q07", "sum_19efce1160eed294"},
	{"time-range", "Q08", "sum_19efce1160eed294"},
	{"summary-time", "Q09", "sum_37f814a5afbec780"},
	{"summary-miscounted", "Q10", "sum_19efce1160eed294"},
	{"model-unknown", "Q11", "sum_19efce1160eed294"},
	{"summary-file-missing", "Q12", "sum_19efce1160eed294"},
	{"summary-id-odd", "Q13", "odd_1"},
	{"file-row-missing", "G01", "37"},
	{"payload-row-missing", "G02", "7"},
	{"file-missing", "G03", "file_0123456789abcdef"},
	{"file-unreferenced", "G04", "file_00000000feedbeef"},
	{"double-active-key", "V01", "1"},
	{"double-active-session", "V02", "1"},
	{"archived-contradiction", "V03", "1"},
	{"rollover-split", "V04", "1"},
	{"conversation-empty", "V05", "1 900"},
	{"subagent", "V06", "1"},
	{"conversation-empty", "V07", "900"},
	{"frozen", "V08", "901"},
	{"never-compacted", "V09", "902"},
	{"fts-out-of-sync", "X01", "7"},
	{"fts-out-of-sync", "X02", "777777"},
	{"bad-values", "X03", "8 9"},
	{"fts-out-of-sync", "X04", "sum_0b09b01c9d232372"},
	{"fts-out-of-sync", "X05", "sum_19efce1160eed294"},
	{"cjk-out-of-sync", "X05", "sum_21b77ddfe6ff0d74"},
	{"fts-damaged", "X06", "messages_fts"},
	{"checkpoint-wrong", "A01", "1"},
	{"transcript-shared", "A02", "1"},
	{"compaction-stuck", "A03", "1"},
	{"compaction-owed", "A04", "2"},
	{"compaction-failing", "A05", "1"},
	{"focus-double", "A06", "focus_ffffffffffffffff"},
	{"note-homeless", "A07", "7777"},
}

type injection struct{ script, fault, rows string }

// sampleCache makes each sample once.
var sampleCache samples.Cache

// broken is a copy of the sample with a fault done to it.
func broken(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := sampleCache.Sample(path, fakehost.Head); err != nil {
		t.Fatal(err)
	}
	if script != "" {
		if err := faults.Break(path, script); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// check is the diagnosis of a file.
func check(t *testing.T, path string, r integrity.Request) integrity.Diagnosis {
	t.Helper()
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if r.FilesDir == "" {
		r.FilesDir = filepath.Join(filepath.Dir(path), "lcm-files")
	}
	d, err := integrity.Check(t.Context(), db, r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// rowsOf are the rows of a fault.
func rowsOf(d integrity.Diagnosis, fault string) (rows []string) {
	for _, f := range d.Findings {
		if f.Fault == fault {
			rows = append(rows, f.Row)
		}
	}
	return rows
}

// TestInjected: every fault that is done to a file is found under its id and names
// its rows.
func TestInjected(t *testing.T) {
	t.Parallel()
	byScript := map[string][]injection{}
	for _, in := range injections {
		byScript[in.script] = append(byScript[in.script], in)
	}
	for script, list := range byScript {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			var r integrity.Request
			for _, in := range list {
				r.Faults = append(r.Faults, in.fault)
			}
			d := check(t, broken(t, script), r)
			for _, in := range list {
				found(t, d, in.fault, in.rows)
			}
		})
	}
}

// found wants a fault among the findings, at these rows.
func found(t *testing.T, d integrity.Diagnosis, fault, rows string) {
	t.Helper()
	got := rowsOf(d, fault)
	if len(got) == 0 {
		t.Errorf("%s wasn't found", fault)
	}
	for _, want := range strings.Fields(rows) {
		if !slices.Contains(got, want) {
			t.Errorf("%s: rows %v, want %s among them", fault, got, want)
		}
	}
}

func TestEveryFaultIsInjected(t *testing.T) {
	t.Parallel()
	covered := map[string]bool{"S01": true} // A damaged page is no script.
	for _, in := range injections {
		covered[in.fault] = true
		if !slices.Contains(faults.Names(), in.script) {
			t.Errorf("there is no script %s", in.script)
		}
	}
	for _, f := range integrity.Faults() {
		if !covered[f.ID] {
			t.Errorf("nothing injects %s", f.ID)
		}
	}
}

// query takes the catalogue of queries apart.
var query = regexp.MustCompile(`(?s)-- (\w\d\d) \[\w+\][^\n]*\n(.*?);\n`)

// queries are those of the catalogue by fault, but for pragmas, writes, and the list
// of all files.
var queries = sync.OnceValues(func() (faults, queries []string) {
	b, err := os.ReadFile(filepath.Join("testdata", "faults.sql"))
	if err != nil {
		panic(err)
	}
	for _, m := range query.FindAllStringSubmatch(string(b)+"\n", -1) {
		if m[1] != "S01" && m[1] != "S02" && m[1] != "X06" && m[1] != "G03" {
			faults, queries = append(faults, m[1]), append(queries, m[2])
		}
	}
	return faults, queries
})

// queried are the faults that the catalogue's queries find in a file.
func queried(t *testing.T, path string) (found []string) {
	t.Helper()
	faults, queries := queries()
	counts, err := testdb.CountRows(path, queries)
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range counts {
		if n > 0 {
			found = append(found, faults[i])
		}
	}
	return found
}

// excused are the faults that a query finds for want of a caution which the
// catalogue itself gives, by script.
var excused = map[string]string{
	"bad-values":         "L14 M14 M24 Q03 Q04", // Text compares above every number.
	"context-duplicate":  "C08",                 // The second place is told of as that.
	"cross-conversation": "C08 L14 Q08",         // So is the row of another conversation.
	"cycle":              "C07",
	"self-loop":          "L06 L13",
	"dangling-edges":     "L10", // One of the two leaves doesn't exist.
	"kind-mismatch":      "L02 L06 L13",
	"orphan-summary":     "L08", // L09 tells more.
	"marker-quoted":      "Q01",
	"summary-empty":      "Q01",
	"import-stamped":     "M01", // Blank tool rows with different calls.
	"tool-columns-empty": "M06", // The metadata knows the call.
	"uncounted":          "L14 M14",
}

// TestNothingIsMissedThatQueriesFind breaks files in many ways each: what a query of
// the catalogue finds in one is found by the check.
func TestNothingIsMissedThatQueriesFind(t *testing.T) {
	t.Parallel()
	scripts := slices.DeleteFunc(faults.Names(), func(s string) bool {
		return slices.Contains([]string{"empty-file", "not-sqlite", "truncated-file", "no-fts", "missing-optional-tables", "huge-cell", "hostile-text"}, s)
	})
	for group := range slices.Chunk(scripts, 12) {
		t.Run(group[0], func(t *testing.T) {
			t.Parallel()
			path := broken(t, "")
			excuses := ""
			for _, s := range group {
				if err := faults.Break(path, s); err != nil {
					t.Fatal(err)
				}
				excuses += " " + excused[s]
			}
			d := check(t, path, integrity.Request{})
			for _, fault := range queried(t, path) {
				if len(rowsOf(d, fault)) == 0 && !slices.Contains(strings.Fields(excuses), fault) {
					t.Errorf("after %v a query finds %s, the check doesn't", group, fault)
				}
			}
		})
	}
}

func TestHealthyFilesOfAllLevels(t *testing.T) {
	t.Parallel()
	for _, level := range append(fakehost.Levels(), fakehost.Beta, fakehost.Fork) {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "lcm.db")
			if err := samples.Write(path, level); err != nil {
				t.Fatal(err)
			}
			if bad := check(t, path, integrity.Request{}).AtLeast(integrity.Warn).Findings; len(bad) > 0 {
				t.Errorf("found in a healthy file: %+v", bad)
			}
		})
	}
}

// TestOneConversation: what is found in a conversation alone is what is found there
// in the whole file, but for what only the whole file shows.
func TestOneConversation(t *testing.T) {
	t.Parallel()
	for _, script := range []string{"context-double", "dangling-edges", "orphan-summary", "message-replay", "fts-out-of-sync", "transcript-shared", "double-active-key", "diamond"} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			path := broken(t, script)
			var whole []string
			for _, f := range check(t, path, integrity.Request{}).Findings {
				if f.Conversation == 1 && f.Fault != "S02" {
					whole = append(whole, f.Fault+" "+f.Row)
				}
			}
			var alone []string
			for _, f := range check(t, path, integrity.Request{Conversation: 1}).Findings {
				if f.Fault != "S02" {
					alone = append(alone, f.Fault+" "+f.Row)
				}
			}
			for _, w := range whole {
				if !slices.Contains(alone, w) {
					t.Errorf("%s is found in the whole file only", w)
				}
			}
		})
	}
}

func TestFaultsAskedForOnly(t *testing.T) {
	t.Parallel()
	d := check(t, broken(t, "context-double"), integrity.Request{Faults: []string{"C06"}})
	if len(d.Findings) != 1 || d.Findings[0].Fault != "C06" || d.Counts != (integrity.Counts{Error: 1}) {
		t.Errorf("%+v", d)
	}
}
