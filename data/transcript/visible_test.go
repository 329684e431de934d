package transcript_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/agentdb"
	"lcm-tui/data/transcript"
	"lcm-tui/internal/testdb"
)

// visible is an entry as the host shows it to its plugins.
type visible struct {
	EntryID   string  `json:"entryId"`
	ParentID  *string `json:"parentId"`
	Seq       int64   `json:"seq"`
	Role      string  `json:"role"`
	CreatedAt string  `json:"createdAt"`
}

// visibleOf are the entries of a transcript as the host would show them.
func visibleOf(t testing.TB, f *transcript.File) (out []visible) {
	t.Helper()
	for e, err := range f.Entries(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		v := visible{EntryID: e.ID, Seq: e.Line, Role: e.Message.Field("role").Text(), CreatedAt: e.Written.Format("2006-01-02T15:04:05.000Z")}
		if e.Parent != "" {
			v.ParentID = &e.Parent
		}
		out = append(out, v)
	}
	return out
}

func openFile(t testing.TB, path string) *transcript.File {
	t.Helper()
	f, err := transcript.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestVisiblePathOfTheHost: the same entries as the host itself shows, from the session files
// and from the databases of every version.
func TestVisiblePathOfTheHost(t *testing.T) {
	t.Parallel()
	root := filepath.Join(testdb.Fixtures(t), "v1.0")
	for sessions, states := range map[string][]string{
		"sessions-rich":           {"state-rich"},
		"sessions-small":          {"state-small", "state-small-schema19", "state-small-schema9"},
		"sessions-upgraded":       {"state-upgraded"},
		"sessions-upgraded-small": {"state-upgraded-small"},
	} {
		b, err := os.ReadFile(filepath.Join(root, sessions, "visible.json"))
		if err != nil {
			t.Fatal(err)
		}
		var all map[string][]visible
		if err := json.Unmarshal(b, &all); err != nil || len(all) == 0 {
			t.Fatal(err)
		}
		copies := map[string]string{}
		copied := func(path string) string {
			if copies[path] == "" {
				copies[path] = testdb.Copy(t, path)
			}
			return copies[path]
		}
		for name, want := range all {
			t.Run(sessions+"/"+name, func(t *testing.T) {
				file := openFile(t, filepath.Join(root, sessions, name+".jsonl"))
				if diff := cmp.Diff(want, visibleOf(t, file)); diff != "" {
					t.Errorf("the session file: -want +got\n%s", diff)
				}
				agent, session, _ := strings.Cut(name, "/")
				for _, state := range states {
					stored := openFile(t, transcript.Address(copied(filepath.Join(root, state, "agents", agent, "agent", agentdb.FileName)), session))
					if diff := cmp.Diff(want, visibleOf(t, stored)); diff != "" {
						t.Errorf("%s: -want +got\n%s", state, diff)
					}
					compareFiles(t, file, stored, !strings.Contains(state, "schema"))
				}
			})
		}
	}
}

// compareFiles: a session is the same in a file and in a database, message by message. Older
// hosts wrote other members.
func compareFiles(t *testing.T, file, stored *transcript.File, same bool) {
	t.Helper()
	if stored.Kind != transcript.OpenClaw || stored.Session.ID != file.Session.ID || same && !stored.Session.Started.Equal(file.Session.Started) {
		t.Errorf("session %+v of the database, %+v of the file", stored.Session, file.Session)
	}
	if !same {
		return
	}
	entries := func(f *transcript.File) (out []transcript.Entry) {
		for e, err := range f.Entries(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, e)
		}
		return out
	}
	if diff := cmp.Diff(entries(file), entries(stored)); diff != "" || stored.Size != file.Size {
		t.Errorf("%d bytes of the database, %d of the file; -file +database\n%s", stored.Size, file.Size, diff)
	}
}
