package commands_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// hostWithSecret returns a host whose database, large file and session file have a made-up token, with the paths of
// the two files.
func hostWithSecret(t *testing.T) (h testdb.Hosted, token, large, session string) {
	t.Helper()
	token = "gh" + "p_" + "Q7w2E9r4T1y6U3i8O5p0A7s2D9f4G1h6J3k8"
	path := testdb.Sample(t, fakehost.Head)
	changeRows(t, path, "UPDATE messages SET content = content || ' use "+token+"' WHERE message_id IN (1, 2); UPDATE message_parts SET text_content = text_content || ' use "+token+"' WHERE message_id IN (1, 2) AND text_content <> ''")
	h = testdb.Host(t, path, true)
	large = filepath.Join(filepath.Dir(path), "lcm-files", "notes.txt")
	if err := os.MkdirAll(filepath.Dir(large), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(large, []byte("first line\nthe token is "+token+"\n"), 0o664); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(large, 0o664); err != nil {
		t.Fatal(err)
	}
	for _, s := range h.Sessions {
		if text, err := os.ReadFile(s.Transcript.Path); err == nil && strings.Contains(string(text), token) {
			session = s.Transcript.Path
		}
	}
	if session == "" {
		t.Fatal("no session file has the token")
	}
	return h, token, large, session
}

func changeRows(t *testing.T, path, statement string) {
	t.Helper()
	w, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

func holds(t *testing.T, path, text string) bool {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(b), text)
}

// TestSecretsEverywhereAreReplaced: rows, large files and session files, after the backup that was asked
// for; files keep their permissions and times.
func TestSecretsEverywhereAreReplaced(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	h, token, large, session := hostWithSecret(t)
	kept := filepath.Join(t.TempDir(), "kept.db")
	exit, out, errs := testcli.Run(t, h.Path, "secrets", "--transcripts", "--files", "--keep-backup", kept, "--apply", "--irreversible")
	if exit != 0 || !strings.Contains(out, "rewritten: "+session) || !strings.Contains(out, "rewritten: "+large) || strings.Contains(out+errs, token) {
		t.Errorf("exit %d: %s%s", exit, out, errs)
	}
	for _, path := range []string{h.Path, large, session} {
		if holds(t, path, token) {
			t.Errorf("%s holds the token", filepath.Base(path))
		}
	}
	if info, err := os.Stat(large); err != nil || info.Mode().Perm() != 0o664 {
		t.Errorf("the large file is %v, %v", info.Mode(), err)
	}
	if !holds(t, kept, token) || !holds(t, session, "[REDACTED:github-token#1]") || !holds(t, large, "[REDACTED:github-token#1]") {
		t.Error("the backup has other texts, or the files others than the rows")
	}
	if exit, _, errs = testcli.Run(t, h.Path, "secrets", "--transcripts", "--files", "--apply", "--irreversible"); exit != 3 {
		t.Errorf("again: exit %d: %s", exit, errs)
	}
	measure := testdb.Host(t, testdb.Copy(t, h.Path), true) // A host that never had the token.
	after := testdb.Hosted{Path: h.Path, Sessions: slices.Clone(measure.Sessions)}
	for i := range after.Sessions {
		after.Sessions[i].Transcript.Path = h.Sessions[i].Transcript.Path
	}
	testdb.SameForHost(t, measure, after)
}

// TestSecretsOfAHostWhoseFolderHasBracketsAreReplaced: its path stands for itself, and for no other folders.
func TestSecretsOfAHostWhoseFolderHasBracketsAreReplaced(t *testing.T) {
	t.Parallel()
	h, token, _, _ := hostWithSecret(t)
	state := filepath.Join(t.TempDir(), "state [1]")
	session := filepath.Join(state, "agents", "main", "sessions", "closed.jsonl.deleted.1")
	if err := os.MkdirAll(filepath.Dir(session), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(session, []byte(`{"type":"message","id":"1","message":{"role":"user","content":"it is `+token+`"}}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	exit, out, errs := testcli.Run(t, h.Path, "secrets", "--state-dir", state, "--transcripts", "--apply", "--irreversible")
	if exit != 0 || !strings.Contains(out, "rewritten: "+session) || holds(t, session, token) {
		t.Errorf("exit %d: %s%s", exit, out, errs)
	}
}

// TestSecretsOfALockedDatabaseStay, in files as well; and session files are left alone beside a host.
func TestSecretsOfALockedDatabaseStay(t *testing.T) {
	t.Parallel()
	h, token, large, session := hostWithSecret(t)
	w, err := fakehost.Open(h.Path)
	if err != nil {
		t.Fatal(err)
	}
	before := testdb.Dump(t, h.Path)
	exit, _, errs := testcli.Run(t, h.Path, "secrets", "--transcripts", "--files", "--apply", "--irreversible")
	if exit != 1 || !strings.Contains(errs, "open") || testdb.Dump(t, h.Path) != before {
		t.Errorf("beside a host: exit %d: %s", exit, errs)
	}
	if err := w.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	exit, out, errs := testcli.Run(t, h.Path, "secrets", "--files", "--apply", "--irreversible", "--wait", "0")
	if exit != 75 || strings.Contains(out, "rewritten") {
		t.Errorf("locked: exit %d after %v: %s%s", exit, time.Since(began), out, errs)
	}
	if err := errors.Join(w.Exec("ROLLBACK"), w.Close()); err != nil {
		t.Fatal(err)
	}
	if !holds(t, large, token) || !holds(t, session, token) || testdb.Dump(t, h.Path) != before {
		t.Error("something was changed")
	}
}

// TestSecretsBesideAHostAreFinishedLater: the rows are replaced, the file isn't rewritten, and everything
// says so until the same command is given without the host.
func TestSecretsBesideAHostAreFinishedLater(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	h, token, _, _ := hostWithSecret(t)
	w, err := fakehost.Open(h.Path)
	if err != nil {
		t.Fatal(err)
	}
	exit, out, errs := testcli.Run(t, h.Path, "secrets", "--apply", "--irreversible")
	if exit != 1 || !strings.Contains(errs, "the file isn't rewritten") || !strings.Contains(errs, "record 1 is written and stays") || strings.Contains(errs, "undo 1") {
		t.Errorf("beside a host: exit %d: %s%s", exit, out, errs)
	}
	for _, args := range [][]string{{"secrets"}, {"secrets", "--json"}, {"secrets", "--apply", "--irreversible"}} {
		if exit, _, errs := testcli.Run(t, h.Path, args...); exit != 1 || !strings.Contains(errs, "rewritten") {
			t.Errorf("%v: exit %d: %s", args, exit, errs)
		}
	}
	for _, args := range [][]string{{"history"}, {"doctor", "--fault", "S08"}} {
		if _, out, errs := testcli.Run(t, h.Path, args...); !strings.Contains(out+errs, "rewritten") {
			t.Errorf("%v: %s%s", args, out, errs)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	exit, out, errs = testcli.Run(t, h.Path, "secrets", "--apply", "--irreversible", "--json")
	var finished struct {
		Records []int64 `json:"rewritten_since_records"`
	}
	if err := json.Unmarshal([]byte(out), &finished); exit != 0 || err != nil || len(finished.Records) != 1 {
		t.Errorf("finished: exit %d: %s%s", exit, out, errs)
	}
	if exit, _, errs := testcli.Run(t, h.Path, "secrets"); exit != 0 {
		t.Errorf("afterwards: exit %d: %s", exit, errs)
	}
	if exit, _, errs := testcli.Run(t, h.Path, "secrets", "--apply", "--irreversible"); exit != 3 {
		t.Errorf("again: exit %d: %s", exit, errs)
	}
	if holds(t, h.Path, token) {
		t.Error("the file holds the token")
	}
}

// TestSecretThatIsASessionKeyStaysAndIsNamed: exit 1 each time, with the place, and no advice to undo.
func TestSecretThatIsASessionKeyStaysAndIsNamed(t *testing.T) {
	t.Parallel()
	h, token, _, _ := hostWithSecret(t)
	changeRows(t, h.Path, "UPDATE conversations SET session_id = '"+token+"' WHERE conversation_id = 2")
	for range 2 {
		exit, out, errs := testcli.Run(t, h.Path, "secrets", "--apply", "--irreversible")
		if exit != 1 || !strings.Contains(out+errs, "conversations.session_id") || strings.Contains(errs, "lcm-tui undo") || strings.Contains(out+errs, token) {
			t.Errorf("exit %d: %s%s", exit, out, errs)
		}
	}
	if rows := testdb.Rows(t, h.Path, "SELECT count(*) FROM messages WHERE instr(content, '"+token+"')"); rows[0] != "0" {
		t.Error("a message has the token")
	}
}
