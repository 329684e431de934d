package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// reads are commands that only read, and previews, with what they are asked of the sample.
var reads = [][]string{
	{"info"},
	{"conversations", "--json"},
	{"messages", "1"},
	{"summaries", "1"},
	{"context", "1"},
	{"assemble", "1", "--budget", "4000"},
	{"files", "1"},
	{"focus", "1"},
	{"search", "ledger kind:message,part,summary,file,focus"},
	{"describe", "sum_4047233931efe86e", "--all"},
	{"expand", "sum_4047233931efe86e", "--all", "--messages", "--full"},
	{"history"},
	{"doctor"},
	{"repair", "1"},
	{"transplant", "2", "1"},
}

// pendingReads are those commands that read the tables that came with 1.0.
var pendingReads = [][]string{
	{"info"},
	{"conversations", "--json"},
	{"context", "1"},
	{"pending"},
	{"pending", "--json"},
	{"doctor"},
	{"repair", "1"},
}

// TestReadsOfAlteredFiles: whatever table or column a file lacks, and whatever stands
// in its cells, every command shows what there is, names what is missing, and never
// fails by a statement of its own.
func TestReadsOfAlteredFiles(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	work := make(chan testdb.Alteration)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for a := range work {
				path, ok := testdb.Altered(t, a)
				if !ok {
					continue
				}
				commands := reads
				if a.Level == fakehost.Beta {
					commands = pendingReads
				}
				for _, args := range commands {
					if problem := readAltered(t, path, a, args); problem != "" {
						t.Errorf("%s: lcm-tui %s: %s", a.Name, strings.Join(args, " "), problem)
					}
				}
				_ = os.RemoveAll(filepath.Dir(path))
			}
		})
	}
	for _, a := range testdb.Alterations(t) {
		work <- a
	}
	close(work)
	wg.Wait()
}

// readAltered runs a command on an altered file and says what is wrong with its answer.
func readAltered(t *testing.T, path string, a testdb.Alteration, args []string) (problem string) {
	defer func() {
		if p := recover(); p != nil {
			problem = fmt.Sprintf("panic: %v", p)
		}
	}()
	exit, out, errs := run(t, path, args...)
	output := out + errs
	name := strings.TrimPrefix(a.Table+"."+a.Column, ".")
	preview := slices.Contains([]string{"repair", "transplant"}, args[0])
	switch {
	case strings.Contains(output, "refused the statement"), strings.Contains(output, "the disk reported"), strings.Contains(output, "internal error"):
		return output
	case a.Required() && !strings.Contains(output, strings.TrimSuffix(name, ".")):
		return "what is missing isn't named: " + output
	case !preview && out == "" && !strings.Contains(errs, "no conversation 1 in") && !strings.Contains(errs, "read conversation 1 of") &&
		!strings.Contains(errs, ": no summary sum_") && !strings.Contains(errs, ": read summary sum_"):
		return "nothing is shown: " + errs
	case exit != 0 && errs == "" && out == "":
		return fmt.Sprintf("exit code %d without a word", exit)
	}
	return ""
}

// TestReadsOfFlippedBytes: bytes that are wrong anywhere in the file end no command
// otherwise than by a sentence.
func TestReadsOfFlippedBytes(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	if err := faults.Alter(path, "SELECT 1"); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(20) {
		if !testlength.Runs(int(seed)) { //nolint:gosec // It is below 20.
			continue
		}
		spoiled := filepath.Join(t.TempDir(), "lcm.db")
		if err := os.WriteFile(spoiled, faults.FlipBytes(whole, seed, 10<<(seed%8)), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range reads {
			func() {
				defer func() {
					if p := recover(); p != nil {
						t.Errorf("seed %d: lcm-tui %s: panic: %v\n%s", seed, strings.Join(args, " "), p, debug.Stack())
					}
				}()
				exit, out, errs := run(t, spoiled, args...)
				if output := out + errs; strings.Contains(output, "internal error") || exit != 0 && output == "" {
					t.Errorf("seed %d: lcm-tui %s: exit code %d: %s", seed, strings.Join(args, " "), exit, output)
				}
			}()
		}
		if left, _ := filepath.Glob(spoiled + "-*"); len(left) > 0 {
			t.Errorf("seed %d: left behind: %q", seed, left)
		}
	}
}

// TestLongListsAreWholeLetters: a letter of many bytes is never cut where a piece of
// the output ends.
func TestLongListsAreWholeLetters(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	demo, err := formatValue()
	if err != nil {
		t.Fatal(err)
	}
	path := testdb.Copy(t, demo)
	if err := faults.Alter(path, "UPDATE messages SET content = replace(hex(zeroblob(100)), '00', '桜の') || message_id"); err != nil {
		t.Fatal(err)
	}
	for pad := range 3 {
		_, out, errs := run(t, path, "messages", "2", "--limit", fmt.Sprint(640+pad))
		if len(out) < 1<<16 {
			t.Fatalf("%d bytes: %s", len(out), errs)
		}
		if !utf8.ValidString(out) {
			t.Errorf("a list of %d bytes holds half of a letter", len(out))
		}
	}
}

// TestTheNextStepOfALostConversation is a repair of the whole file, as no other gets to its rows.
func TestTheNextStepOfALostConversation(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	if err := faults.Alter(path, "PRAGMA foreign_keys = OFF; UPDATE context_items SET conversation_id = 9999 WHERE conversation_id = 2"); err != nil {
		t.Fatal(err)
	}
	_, out, errs := run(t, path, "doctor", "--fault", "S02")
	if !strings.Contains(out, "→ lcm-tui repair --all --fault S02") {
		t.Errorf("doctor says %s%s", out, errs)
	}
}
