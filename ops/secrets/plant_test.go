package secrets_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/rewrite"
)

func noReport(int, int, string) {}

// planted are made-up secrets, put together while the test runs.
type planted struct {
	github, slack, url, likely, pem string
}

// all returns the values of the class sure.
func (p planted) all() []string { return []string{p.github, p.slack, p.url, p.pem} }

func newPlanted() planted {
	random := rand.New(rand.NewPCG(7, 7))
	word := func(n int) string {
		const letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
		b := make([]byte, n)
		for i := range b {
			b[i] = letters[random.IntN(len(letters))]
		}
		return string(b)
	}
	return planted{
		github: "gh" + "p_" + word(36), slack: "xox" + "b-" + "123456789012-" + word(24), url: "q7" + word(14), likely: "k9" + word(28),
		pem: "-----BEGIN PRIV" + "ATE KEY-----\n" + word(64) + "\n" + word(64) + "\n-----END PRIV" + "ATE KEY-----",
	}
}

// plant writes the secrets into every kind of place of a database, and returns the path.
func plant(t *testing.T, p planted) string {
	t.Helper()
	path := testdb.Sample(t, fakehost.Head)
	h, err := fakehost.Open(path)
	check(t, err)
	conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:planted", SessionID: "planted-session", Active: true})
	check(t, err)
	url := "postgres://app:" + p.url + "@db.internal/app"
	first, err := h.Message(conv, fakehost.Message{Role: "user", Content: "my token is " + p.github + ", SERVICE_API_KEY=" + p.likely, EntryID: "e1"})
	check(t, err)
	arguments := `{"cmd":` + string(jstext.Quote("export X=\n"+p.slack+"\n"+p.pem)) + `}`
	second, err := h.Message(conv, fakehost.Message{Role: "assistant", Content: "I connect to " + url, EntryID: "e2", Parts: []fakehost.Part{
		{Type: "text", Text: "I connect to " + url}, {Type: "tool", ToolCallID: "call_1", ToolName: "exec", ToolInput: arguments},
	}})
	check(t, err)
	leaf, err := h.Leaf(conv, []int64{first, second}, "The user gave the token "+p.github+" and the word "+p.likely+" for later.")
	check(t, err)
	third, err := h.Message(conv, fakehost.Message{Role: "user", Content: "and keep\n" + p.pem + strings.Repeat(" and remember where it came from", 9), EntryID: "e3"})
	check(t, err)
	other, err := h.Leaf(conv, []int64{third}, "A key was kept.")
	check(t, err)
	_, err = h.Condense(conv, []string{leaf, other}, "Keys were exchanged: "+p.github)
	check(t, err)
	_, err = h.Message(conv, fakehost.Message{Role: "user", Content: "last words", EntryID: "e4"})
	check(t, err)
	check(t, h.Exec("UPDATE conversations SET title = ? WHERE conversation_id = ?", "keys "+p.slack, conv))
	check(t, h.Exec("INSERT INTO messages_fts (rowid, content) VALUES (987654, ?)", "only the index has "+p.slack))
	check(t, h.Close())
	db := testdb.Open(t, path)
	testdb.WithoutHost(db)
	edit := &rewrite.Op{Conversation: conv, Pick: rewrite.Pick{Summary: other}, Texts: map[string]string{other: "A key was kept: " + p.github + " " + strings.Repeat("and so on ", 8)}}
	plan, err := edit.Plan(t.Context(), db, noReport)
	check(t, err)
	_, err = ops.Apply(t.Context(), db, plan)
	check(t, err)
	check(t, db.Close())
	return path
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// open opens a planted file that no host has open.
func open(t *testing.T, path string) *data.DB {
	t.Helper()
	db := testdb.Open(t, path)
	testdb.WithoutHost(db)
	return db
}

// forms returns the ways in which a value may stand in bytes.
func forms(value string) []string {
	once := strings.Trim(string(jstext.Quote(value)), `"`)
	return []string{value, once, strings.Trim(string(jstext.Quote(once)), `"`)}
}

// checkNowhere fails where a value is in one of the files of a folder.
func checkNowhere(t *testing.T, folder string, values ...string) {
	t.Helper()
	check(t, filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		for i, value := range values {
			for _, form := range forms(value) {
				if strings.Contains(string(text), form) {
					t.Errorf("value %d is in %s", i, filepath.Base(path))
				}
			}
		}
		return err
	}))
}

// encoded returns a value as JSON.
func encoded(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	check(t, err)
	return string(b)
}

// execute changes a file as another program would.
func execute(t *testing.T, path, statement string) {
	t.Helper()
	h, err := fakehost.Open(path)
	check(t, err)
	check(t, h.Exec(statement))
	check(t, h.Close())
}
