package transcript_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/transcript"
	"lcm-tui/internal/testlength"
)

// written returns a file with these lines.
func written(t testing.TB, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "session.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// reading is what was read: the messages' ids with their text, and the lines that are bad.
type reading struct {
	Entries []string
	Bad     []int64
}

func read(t testing.TB, path string) (*transcript.File, reading) {
	t.Helper()
	f, err := transcript.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	var out reading
	for e, err := range f.Entries(t.Context()) {
		var bad *transcript.LineError
		if errors.As(err, &bad) {
			out.Bad = append(out.Bad, bad.Line)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		outline := e.ID
		if e.Continues {
			outline = "+" + outline
		}
		if e.OutsideContext {
			outline = "!" + outline
		}
		out.Entries = append(out.Entries, outline+" "+string(e.Message))
	}
	return f, out
}

const header = `{"type":"session","version":3,"id":"s1","timestamp":"2026-01-05T09:00:00.000Z","cwd":"/w"}`

// claw returns an entry of OpenClaw's.
func claw(id, parent, text string) string {
	p := "null"
	if parent != "" {
		p = strconv.Quote(parent)
	}
	return `{"type":"message","id":"` + id + `","parentId":` + p + `,"timestamp":"2026-01-05T09:00:01.000Z","message":{"role":"user","content":"` + text + `"}}`
}

func user(id, text string) string { return id + ` {"role":"user","content":"` + text + `"}` }

func TestOpenClaw(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  reading
	}{
		"a chain": {[]string{header, claw("a", "", "1"), claw("b", "a", "2")}, reading{Entries: []string{user("a", "1"), user("b", "2")}}},
		"a branch that was left": {
			[]string{header, claw("a", "", "1"), claw("b", "a", "left"), claw("c", "b", "left"), claw("d", "a", "2"), claw("e", "d", "3")},
			reading{Entries: []string{user("a", "1"), user("d", "2"), user("e", "3")}},
		},
		"entries that are no messages are on the way": {
			[]string{header, claw("a", "", "1"), `{"type":"model_change","id":"m","parentId":"a"}`, claw("b", "m", "2")},
			reading{Entries: []string{user("a", "1"), user("b", "2")}},
		},
		"a bad line costs only itself": {
			[]string{header, claw("a", "", "1"), `{"type":"message","id":"b","parentId":"a","message":{"role":`, `no JSON`, claw("c", "b", "3")},
			reading{Entries: []string{user("a", "1"), user("c", "3")}, Bad: []int64{3, 4}},
		},
		"a parent on a bad line": {
			[]string{header, claw("a", "", "1"), `{"type":"mess`, claw("c", "b", "3")},
			reading{Entries: []string{user("a", "1"), user("c", "3")}, Bad: []int64{3}},
		},
		"a bad line beside a branch": {
			[]string{header, claw("a", "", "1"), claw("b", "a", "left"), "{]", claw("c", "a", "2")},
			reading{Entries: []string{user("a", "1"), user("c", "2")}, Bad: []int64{4}},
		},
		"no ids, as of old": {
			[]string{header, `{"type":"message","message":{"role":"user","content":"1"}}`, "", `{"type":"message","message":{"role":"user","content":"2"}}`},
			reading{Entries: []string{user("line:2", "1"), user("line:4", "2")}},
		},
		"an entry that is its own parent": {[]string{header, claw("a", "a", "1"), claw("b", "a", "2")}, reading{Entries: []string{user("a", "1"), user("b", "2")}}},
		"a message without a role":        {[]string{header, claw("a", "", "1"), `{"type":"message","id":"b","parentId":"a","message":7}`}, reading{Entries: []string{user("a", "1")}, Bad: []int64{3}}},
		"white space":                     {[]string{header, ` { "type" : "message" , "id":"a", "parentId" : null, "message": {"role":"user", "content":"1"} } ` + "\r"}, reading{Entries: []string{user("a", "1")}}},
		"a cut last line":                 {[]string{header, claw("a", "", "1"), `{"type":"message","id":"b","parentId":"a","mess`}, reading{Entries: []string{user("a", "1")}, Bad: []int64{3}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, got := read(t, written(t, c.lines...))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if f.Kind != transcript.OpenClaw || f.Session.ID != "s1" || f.Session.CWD != "/w" || f.Session.Started.Year() != 2026 {
				t.Errorf("session %+v of kind %s", f.Session, f.Kind)
			}
		})
	}
}

// TestGrowing: only what stood in the file when it was opened is read, and a line
// that is being written not at all.
func TestGrowing(t *testing.T) {
	t.Parallel()
	path := written(t, header, claw("a", "", "1"))
	add := func(s string) {
		h, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			_, err = h.WriteString(s)
		}
		if err = errors.Join(err, h.Close()); err != nil {
			t.Fatal(err)
		}
	}
	add(`{"type":"message","id":"b","parentId":"a","mess`)
	f, err := transcript.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	add(`age":{"role":"user","content":"2"}}`)
	n := 0
	for _, err := range f.Entries(t.Context()) {
		if err != nil {
			t.Error(err)
		}
		n++
	}
	if n != 1 {
		t.Errorf("%d messages of the file as it was, want 1", n)
	}
	if _, got := read(t, path); len(got.Entries) != 2 {
		t.Errorf("of the whole file were read %v", got)
	}
}

func TestUnknown(t *testing.T) {
	t.Parallel()
	var unknown *transcript.UnknownError
	for name, content := range map[string]string{"other JSON": `{"hello":"world"}` + "\n", "text": "a diary\n", "binary": "\x00\xff\x7fELF", "array": "[1,2]\n"} {
		path := filepath.Join(t.TempDir(), "x.jsonl")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := transcript.Open(t.Context(), path); !errors.As(err, &unknown) {
			t.Errorf("%s: %v", name, err)
		}
	}
	empty := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := transcript.Open(t.Context(), empty); !errors.Is(err, transcript.ErrEmpty) {
		t.Errorf("empty: %v", err)
	}
	if _, err := transcript.Open(t.Context(), t.TempDir()); err == nil {
		t.Error("a folder was taken for a transcript")
	}
}

// TestLongLine: a line of 10 MB is a line like any other.
func TestLongLine(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	long := strings.Repeat("x", 10<<20)
	_, got := read(t, written(t, header, claw("a", "", long), claw("b", "a", "2")))
	if len(got.Entries) != 2 || len(got.Entries[0]) < len(long) {
		t.Errorf("read %d messages", len(got.Entries))
	}
}

func TestTimes(t *testing.T) {
	t.Parallel()
	at := func(entry, message string) string {
		path := written(t, header, `{"type":"message","id":"a","parentId":null,"timestamp":`+entry+`,"message":{"role":"user","content":"","timestamp":`+message+`}}`)
		f, err := transcript.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		for e, err := range f.Entries(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if e.At.IsZero() {
				return ""
			}
			return e.At.Format(time.RFC3339)
		}
		return "nothing"
	}
	for _, c := range [][3]string{
		{`"2026-01-05T10:00:00+01:00"`, `null`, "2026-01-05T09:00:00Z"},
		{`"2026-01-05T10:00:00Z"`, `1767603675999`, "2026-01-05T09:01:15Z"},
		{`"yesterday"`, `1e300`, ""},
		{`null`, `-5`, ""},
		{`7`, `"x"`, "1970-01-01T00:00:00Z"},
	} {
		if got := at(c[0], c[1]); got != c[2] {
			t.Errorf("entry %s, message %s: %s, want %s", c[0], c[1], got, c[2])
		}
	}
}

func fuzz(f *testing.F, lines ...string) {
	f.Helper()
	f.Add([]byte(strings.Join(lines, "\n")))
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := transcript.OpenBytes(t.Context(), b)
		if err != nil {
			return
		}
		n := int64(bytes.Count(b, []byte("\n")) + 1)
		for e, err := range file.Entries(t.Context()) {
			var bad *transcript.LineError
			if err != nil && (!errors.As(err, &bad) || bad.Line < 1 || bad.Line > n) {
				t.Fatal(err)
			}
			if err == nil && (e.ID == "" || !e.Message.IsObject() || !e.Message.Field("role").IsString() || e.Line > n || e.End > int64(len(b))) {
				t.Fatalf("%+v", e)
			}
		}
	})
}

func FuzzOpenClaw(f *testing.F) {
	fuzz(f, header, claw("a", "", "1"), claw("b", "a", "2"), claw("c", "a", "3"), `{"type":"message","message":{"role":"user"}}`)
}
