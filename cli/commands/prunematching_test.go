package commands_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// fileWithTopic makes a file with an archived conversation in which two messages are about a topic, and a summary
// that says so; it returns the ids of the messages.
func fileWithTopic(t *testing.T) (path string, messages []int64) {
	t.Helper()
	path = testdb.Sample(t, fakehost.Head)
	w, err := fakehost.Open(path)
	testdb.Must(t, err)
	conv, err := w.Conversation(fakehost.Conversation{SessionKey: "agent:main:topic", SessionID: "topic-session", Active: true})
	testdb.Must(t, err)
	for i, text := range []string{
		"the pelican nests behind the third lighthouse of the island", "nothing of note, only a summer garden", "pelicans again: the fifth lighthouse burnt down",
	} {
		id, err := w.Message(conv, fakehost.Message{Role: "user", Content: text, EntryID: fmt.Sprint("p", i)})
		testdb.Must(t, err)
		messages = append(messages, id)
	}
	_, err = w.Leaf(conv, messages, "A pelican was seen.")
	testdb.Must(t, err)
	testdb.Must(t, w.Exec("UPDATE conversations SET active = 0, archived_at = '2026-01-20 10:00:00', updated_at = '2026-01-20 10:00:00' WHERE conversation_id = ?", conv))
	testdb.Must(t, w.Close())
	return path, []int64{messages[0], messages[2]}
}

// receipt is what the JSON of a receipt says.
type receipt struct {
	Messages []struct {
		ID int64 `json:"message_id"`
	}
	Checks []struct {
		State string
		Left  []struct{ Kind, Where, Next string }
	}
}

// ids returns the messages of a receipt.
func (r receipt) ids() (ids []int64) {
	for _, m := range r.Messages {
		ids = append(ids, m.ID)
	}
	return ids
}

// TestATopicIsForgottenWithAReceiptThatIsVerifiedLater: shown first, then written, with a receipt; verified after the
// trash was emptied; and the summary that is left is named with the next step.
func TestATopicIsForgottenWithAReceiptThatIsVerifiedLater(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path, messages := fileWithTopic(t)
	file := filepath.Join(t.TempDir(), "gone.json")
	shown := run(t, path, 0, "prune", "text", "--matching", "pelican", "--receipt", file)
	for _, want := range []string{"pelican finds 2 messages", "the pelican nests behind", "lcm-tui edit sum_", "nothing was written"} {
		if !strings.Contains(shown, want) {
			t.Errorf("it doesn't say %q:\n%s", want, shown)
		}
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a receipt was written, and nothing else")
	}
	printed := run(t, path, 0, "prune", "text", "--matching", "pelican", "--receipt", file, "--apply")
	for _, want := range []string{"forgotten: 2 messages", "no piece of them was found outside of the trash", "the query still finds 1 place", "applied as record 1"} {
		if !strings.Contains(printed, want) {
			t.Errorf("it doesn't say %q:\n%s", want, printed)
		}
	}
	info, err := os.Stat(file)
	testdb.Must(t, err)
	text, err := os.ReadFile(file)
	testdb.Must(t, err)
	if info.Mode().Perm() != 0o600 || strings.Contains(string(text), "elican") || strings.Contains(string(text), "lighthouse") {
		t.Errorf("the receipt has the mode %o, and says %s", info.Mode().Perm(), text)
	}
	run(t, path, 0, "prune", "verify", file)
	run(t, path, 5, "prune", "verify", file, "--matching", "pelican")
	run(t, path, 2, "prune", "verify", file, "--matching", "lighthouse")
	run(t, path, 0, "trash", "empty", "1", "--apply")
	again := filepath.Join(t.TempDir(), "again.json")
	var r receipt
	testdb.Must(t, json.Unmarshal([]byte(run(t, path, 0, "prune", "verify", file, "--receipt", again, "--json")), &r))
	if !slices.Equal(r.ids(), messages) || len(r.Checks) != 2 || r.Checks[0].State != "left" || r.Checks[1].State != "gone" {
		t.Errorf("it says %+v", r)
	}
	run(t, path, 0, "prune", "verify", again)
	run(t, path, 1, "undo", "1", "--apply")
	other := testdb.Sample(t, fakehost.V0_13)
	changeRows(t, other, "UPDATE conversations SET created_at = '2020-01-01 00:00:00'")
	run(t, other, 1, "prune", "verify", file)
}

// run runs a command, which ends with an exit code, and returns what it prints.
func run(t *testing.T, path string, exit int, args ...string) string {
	t.Helper()
	got, out, errs := testcli.Run(t, path, args...)
	if got != exit {
		t.Fatalf("%v: exit %d, not %d: %s%s", args, got, exit, out, errs)
	}
	return out
}

// TestAReceiptIsMadeOfARecord later, and of none that forgot no texts.
func TestAReceiptIsMadeOfARecord(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path, messages := fileWithTopic(t)
	run(t, path, 0, "prune", "text", "--matching", "pelican", "--apply")
	var r receipt
	testdb.Must(t, json.Unmarshal([]byte(run(t, path, 0, "prune", "prove", "1", "--json")), &r))
	if !slices.Equal(r.ids(), messages) || r.Checks[0].State != "in the trash" {
		t.Errorf("it says %+v", r)
	}
	run(t, path, 0, "undo", "1", "--apply")
	testdb.Must(t, json.Unmarshal([]byte(run(t, path, 0, "prune", "prove", "1", "--json")), &r))
	if len(r.Messages) != 0 {
		t.Errorf("after undo it says %+v", r)
	}
}

// TestAPlanFileOfATopicIsApplied, and refused once the query finds another text.
func TestAPlanFileOfATopicIsApplied(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path, _ := fileWithTopic(t)
	plan := filepath.Join(t.TempDir(), "plan.json")
	run(t, path, 0, "prune", "text", "--matching", "pelican", "--plan-out", plan)
	other := testdb.Copy(t, path)
	changeRows(t, other, "UPDATE messages SET content = 'the pelican nests behind the ninth lighthouse of the island' WHERE content LIKE 'the pelican nests%'")
	run(t, other, 4, "apply", plan)
	if out := run(t, path, 0, "apply", plan); !strings.Contains(out, "forgotten: 2 messages") {
		t.Errorf("it says %s", out)
	}
}

// TestNothingIsForgottenWithoutItsReceipt: where the receipt that is asked for can't be written, nothing is removed.
func TestNothingIsForgottenWithoutItsReceipt(t *testing.T) {
	t.Parallel()
	path, _ := fileWithTopic(t)
	before, err := testdb.DumpTables(path)
	testdb.Must(t, err)
	for _, file := range []string{filepath.Join(t.TempDir(), "missing", "gone.json"), filepath.Join(path, "gone.json"), strings.Repeat("n", 300)} {
		run(t, path, 1, "prune", "text", "--matching", "pelican", "--receipt", file, "--apply")
		if after, err := testdb.DumpTables(path); err != nil || after != before {
			t.Errorf("%.80s: the rows are others (%v)", file, err)
		}
	}
}
