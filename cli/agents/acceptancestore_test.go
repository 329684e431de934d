//go:build unix

package agents_test

import (
	"encoding/json"
	"os"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testhome"
)

// acceptedStore is a file of a host, or a home with its conversations.
type acceptedStore struct {
	t   *testing.T
	env map[string]string // With which commands find it.
	db  *data.DB
}

// acceptedStores make a store of a file.
var acceptedStores = map[string]func(t *testing.T, path string) *acceptedStore{
	"file": func(t *testing.T, path string) *acceptedStore {
		t.Helper()
		return &acceptedStore{t, map[string]string{"LCM_DATABASE_PATH": path, "HOME": t.TempDir()}, testdb.Open(t, path)}
	},
	"home": func(t *testing.T, path string) *acceptedStore {
		t.Helper()
		address := testhome.New(t)
		testhome.Fill(t, address, path)
		return &acceptedStore{t, map[string]string{"LCM_DATABASE_URL": address, "HOME": t.TempDir()}, testhome.Open(t, address)}
	},
}

// onEachStore runs a test of files and of homes. fill makes a store of a file.
func onEachStore(t *testing.T, test func(t *testing.T, fill func(path string) *acceptedStore)) {
	t.Helper()
	for name, make := range acceptedStores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, func(path string) *acceptedStore { return make(t, path) })
		})
	}
}

// otherMachine returns the environment of a machine that keeps notes of its own, where that is possible: at a home.
func (s *acceptedStore) otherMachine() map[string]string {
	if !s.db.IsHome() {
		return s.env
	}
	return map[string]string{"LCM_DATABASE_URL": s.env["LCM_DATABASE_URL"], "HOME": s.t.TempDir()}
}

// often returns how often something is done: more with LCM_TEST_ALL.
func often(usually, whole int) int {
	if os.Getenv("LCM_TEST_ALL") != "" {
		return whole
	}
	return usually
}

// object returns the JSON object that a command prints.
func (s *acceptedStore) object(args ...string) (v map[string]any) {
	s.t.Helper()
	exit, out, errs := testcli.RunIn(s.t, s.env, append(args, "--json")...)
	if exit != 0 && out == "" {
		s.t.Fatalf("%v: exit %d: %s", args, exit, errs)
	}
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		s.t.Fatalf("%v: %v", args, err)
	}
	return v
}

// rows returns the first column of a query as texts.
func (s *acceptedStore) rows(query string, args ...any) (out []string) {
	s.t.Helper()
	err := data.Each(s.t.Context(), s.db, "read", query, args, func(scan data.RowScanner) error {
		var cell any
		err := scan(&cell)
		out = append(out, data.CellText(cell))
		return err
	})
	testdb.Must(s.t, err)
	return out
}

// count returns the one number that a query gives.
func (s *acceptedStore) count(query string, args ...any) int {
	s.t.Helper()
	var n data.Integer
	_, err := data.One(s.t.Context(), s.db, "count", query, args, &n)
	testdb.Must(s.t, err)
	return int(n)
}

// appender returns a function that appends a message as the host of the store does: at a home it is this program.
func (s *acceptedStore) appender() func(conversation int64, text string) error {
	s.t.Helper()
	if s.db.IsHome() {
		return func(conversation int64, text string) error {
			_, err := testhome.AppendWhole(s.t.Context(), s.db, conversation, text)
			return err
		}
	}
	h, err := fakehost.Start(s.env["LCM_DATABASE_PATH"], fakehost.Defaults())
	testdb.Must(s.t, err)
	s.t.Cleanup(func() { testdb.Must(s.t, h.Close()) })
	return func(conversation int64, text string) error {
		_, err := h.Append(conversation, fakehost.Message{Role: "user", Content: text})
		return err
	}
}
