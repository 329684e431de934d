package transcript_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/sessiondb"
	"lcm-tui/data/transcript"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// visible is an entry as the host shows it to its plugins.
type visible struct {
	EntryID   string  `json:"entryId"`
	ParentID  *string `json:"parentId"`
	Seq       int64   `json:"seq"`
	Role      string  `json:"role"`
	CreatedAt string  `json:"createdAt"`
}

// visibleOf returns the entries of a transcript as the host would show them.
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
	testlength.Long(t)
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
			file := openFile(t, filepath.Join(root, sessions, name+".jsonl"))
			if diff := cmp.Diff(want, visibleOf(t, file)); diff != "" {
				t.Errorf("%s, the session file %s: -want +got\n%s", sessions, name, diff)
			}
			agent, session, _ := strings.Cut(name, "/")
			for _, state := range states {
				stored := openFile(t, transcript.Address(copied(filepath.Join(root, state, "agents", agent, "agent", sessiondb.FileName)), session))
				if diff := cmp.Diff(want, visibleOf(t, stored)); diff != "" {
					t.Errorf("%s, the session %s: -want +got\n%s", state, name, diff)
				}
				compareFiles(t, file, stored, !strings.Contains(state, "schema"))
			}
		}
	}
}

// compareFiles holds a session in a file against the same in a database, message by message.
// Older hosts wrote other members.
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
			e.SplitByHost = false // Of lines in files only.
			out = append(out, e)
		}
		return out
	}
	if diff := cmp.Diff(entries(file), entries(stored)); diff != "" || stored.Size != file.Size {
		t.Errorf("%d bytes of the database, %d of the file; -file +database\n%s", stored.Size, file.Size, diff)
	}
}

// TestVisiblePathOfManyShapes: testdata/visible.jsonl has transcripts of every shape with the
// answer of OpenClaw 2026.9.6, as ID<PARENT@SEQ: leaf and side entries, resets, parents that
// aren't there, entries without a parent and of unknown types.
func TestVisiblePathOfManyShapes(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(filepath.Join("testdata", "visible.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		var c struct {
			Events  []json.RawMessage
			Visible []string
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, e := range c.Events {
			text += string(e) + "\n"
		}
		f, err := transcript.OpenBytes(t.Context(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for e, err := range f.Entries(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(e.ID, "line:") { // Entries without an id are for older hosts.
				continue
			}
			got = append(got, fmt.Sprintf("%s<%s@%d", e.ID, e.Parent, e.Line))
		}
		if diff := cmp.Diff(c.Visible, got); diff != "" {
			t.Errorf("-want +got\n%s\n%s", diff, text)
		}
	}
}

// TestVisiblePath: the rules by which the host finds the way.
func TestVisiblePath(t *testing.T) {
	t.Parallel()
	entry := func(typ, id, more string) string { return `{"type":"` + typ + `","id":"` + id + `"` + more + `}` }
	body := `,"message":{"role":"user","content":""}`
	message := func(id, parent string) string { return entry("message", id, `,"parentId":`+parent+body) }
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"an entry without a parent follows the leaf": {
			[]string{message("a", "null"), entry("message", "b", body), message("c", `"b"`)}, "a b c",
		},
		"a parent that isn't there gives way to the leaf": {
			[]string{message("a", "null"), message("b", `"gone"`)}, "a b",
		},
		"a branch that was left isn't on the way": {
			[]string{message("a", "null"), message("left", `"a"`), message("b", `"a"`)}, "a b",
		},
		"a leaf entry goes back": {
			[]string{message("a", "null"), message("left", `"a"`), entry("leaf", "l", `,"parentId":"left","targetId":"a"`), message("b", `"l"`)}, "a b",
		},
		"a leaf entry is the last": {
			[]string{message("a", "null"), message("left", `"a"`), entry("leaf", "l", `,"parentId":"left","targetId":"a"`)}, "a",
		},
		"a leaf entry that names nothing empties the transcript": {
			[]string{message("a", "null"), entry("leaf", "l", `,"parentId":"a","targetId":null`)}, "",
		},
		"a leaf entry that names an entry which isn't there moves nothing": {
			[]string{message("a", "null"), message("b", `"a"`), entry("leaf", "l", `,"parentId":"b","targetId":"gone"`), message("c", `"b"`)}, "a b c",
		},
		"a leaf entry hides entries and what is appended goes behind them": {
			[]string{message("a", "null"), message("left", `"a"`), entry("leaf", "l", `,"parentId":"left","targetId":"a","appendParentId":"left"`), message("b", `"left"`)}, "a b",
		},
		"a side entry doesn't become the leaf": {
			[]string{message("a", "null"), entry("message", "side", `,"parentId":"a","appendMode":"side"`+body), message("b", `"side"`)}, "a b",
		},
		"a side entry is the last": {
			[]string{message("a", "null"), entry("message", "side", `,"parentId":"a"`+body+`,"appendMode":"side"`)}, "a",
		},
		"nothing goes back before a reset": {
			[]string{message("a", "null"), message("b", `"a"`), entry("reset", "r", `,"parentId":"b","reason":"new"`), message("c", `"a"`), message("d", "null")}, "a b c d",
		},
		"a leaf entry doesn't go back before a reset": {
			[]string{message("a", "null"), entry("reset", "r", `,"parentId":"a","reason":"new"`), message("b", `"r"`), entry("leaf", "l", `,"parentId":"b","targetId":"a"`), message("c", `"l"`)}, "a b c",
		},
		"entries of unknown types are on the way": {
			[]string{message("a", "null"), entry("from the future", "f", `,"parentId":"a"`), message("b", `"f"`)}, "a b",
		},
		"a circle is no way, so that all is shown": {
			[]string{message("a", `"b"`), message("b", `"a"`)}, "a b",
		},
		"a parent that is no id takes the entry off": {
			[]string{message("a", "null"), message("odd", `7`), message("b", `"a"`)}, "a b",
		},
		"an id means the last entry that has it, and in a circle all is shown": {
			[]string{message("a", "null"), message("b", `"a"`), message("a", `"b"`), message("c", `"b"`), message("d", `"a"`)}, "a b a c d",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for e, err := range openFile(t, written(t, append([]string{header}, c.lines...)...)).Entries(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, e.ID)
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("%q, want %q", s, c.want)
			}
		})
	}
}

// FuzzVisiblePath: whatever entries say of their parents, reading them ends, and each is
// read once.
func FuzzVisiblePath(f *testing.F) {
	f.Add([]byte("mab rba lab sab m\x00b"))
	f.Add([]byte("maa laa lba mab mba"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var lines strings.Builder
		types := []string{"message", "leaf", "reset", "custom", "odd", "session"}
		for i := 0; i+3 < len(b); i += 4 {
			ref := func(c byte) string {
				if c%9 == 0 {
					return "null"
				}
				return fmt.Sprintf(`"%d"`, c%32)
			}
			fmt.Fprintf(&lines, `{"type":%q,"id":"%d","parentId":%s,"targetId":%s,"message":{"role":"user"}`, types[int(b[i]>>3)%len(types)], b[i+1]%32, ref(b[i+2]), ref(b[i+3]))
			if b[i]&1 != 0 {
				fmt.Fprintf(&lines, `,"appendParentId":%s`, ref(b[i+3]>>1))
			}
			if b[i]&2 != 0 {
				lines.WriteString(`,"appendMode":"side"`)
			}
			lines.WriteString("}\n")
		}
		file, err := transcript.OpenBytes(t.Context(), []byte(lines.String()))
		if err != nil {
			return
		}
		seen := map[int64]bool{}
		for e, err := range file.Entries(t.Context()) {
			if err != nil || seen[e.Line] {
				t.Fatalf("line %d comes again, or fails: %v", e.Line, err)
			}
			seen[e.Line] = true
		}
	})
}
