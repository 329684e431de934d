package prune_test

import (
	"slices"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/prune"
)

// inFile returns texts as hosts store them of messages with a payload in a file.
func inFile() map[string]string {
	const id = "file_0123456789abcdef"
	f := fakehost.LargeFile{Name: "a.txt"}
	return map[string]string{
		"picture": "look\n[User image: a.png (image/png, 70 bytes) | LCM file: " + id + "]",
		"file":    "read this\n" + f.Reference(id, 30_000),
		"output":  f.Output(id, "exec", 30_000),
		"message": "[LCM Raw Payload: " + id + " | role=user | reason=large_raw_message | 30,000 bytes]",
	}
}

// store makes the text of an old message of conversation 1 another one, as if a host had stored it.
func store(t *testing.T, path, content string) {
	t.Helper()
	role := testdb.Rows(t, path, "SELECT role FROM messages WHERE message_id = 40")[0]
	exec(t, path, "UPDATE messages SET content = '"+strings.ReplaceAll(content, "'", "''")+"', identity_hash = '"+fakehost.IdentityHash(role, content)+"' WHERE message_id = 40")
}

// refusal returns why a plan refuses a conversation; empty where it doesn't.
func refusal(p ops.Plan, conversation int64) string {
	i := slices.IndexFunc(p.RefusedConversations, func(r ops.Refusal) bool { return r.Conversation == conversation })
	if i < 0 {
		return ""
	}
	return p.RefusedConversations[i].Reason
}

// TestTextsStayWhereAReplayWouldStoreThemAgain: a host has no row with the hash of a message whose
// payload it moved into a file, and stores the whole history again once one text is another.
func TestTextsStayWhereAReplayWouldStoreThemAgain(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Fixture(t, "v0.15.3/rich.db")
	exec(t, path, "UPDATE messages SET transcript_entry_id = 'entry' || message_id")
	db := open(t, path)
	check := func(name, want string) {
		for _, verb := range []prune.Verb{prune.Text, prune.Payloads} {
			why := refusal(plan(t, db, prune.Op{Verb: verb, Selector: everything(), Payload: 16}), 1)
			if !strings.Contains(why, want) || want == "" && why != "" {
				t.Errorf("%s, %s: it says %q, want %q", name, verb, why, want)
			}
		}
	}
	check("no payload in a file", "")
	for name, content := range inFile() {
		store(t, path, content)
		check(name, "moved payloads of 1 message into files (the first is number 40)")
	}
}

// TestHostsBringNothingBackBesidePictures: what is pruned beside a picture, a host doesn't store again.
func TestHostsBringNothingBackBesidePictures(t *testing.T) {
	t.Parallel()
	if testlength.Short() {
		t.Skip("a host is played in one goroutine")
	}
	source := testdb.Fixture(t, "hard/tools1.db")
	makeOutputsLong(t, source)
	before := testdb.Host(t, source, true)
	for _, verb := range []prune.Verb{prune.Text, prune.Payloads} {
		after := testdb.Hosted{Path: testdb.Copy(t, source), Sessions: before.Sessions}
		db := open(t, after.Path)
		p := plan(t, db, prune.Op{Verb: verb, Selector: everything(), Payload: 16})
		if !p.Empty() {
			apply(t, db, p)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		testdb.SameForHost(t, before, after)
	}
}
