package planfile_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/planfile"
	"lcm-tui/ops/sessionkey"
)

// unarchiving returns the bytes of a small plan file, the database it is of, and its end.
func unarchiving(t testing.TB) (body []byte, database string) {
	t.Helper()
	database = sample(t)
	_, path := write(t, open(t, database), &sessionkey.Unarchive{Conversation: 2})
	body, err := os.ReadFile(path)
	must(t, err)
	return body, database
}

// ending is the digest at the end of a plan file.
var ending = regexp.MustCompile(`,"sha256":"[0-9a-f]{64}"}\n$`)

// signed returns a body with its own digest, as somebody who edits files would make it.
func signed(body string) []byte {
	sum := sha256.Sum256([]byte(body))
	return []byte(body + `,"sha256":"` + hex.EncodeToString(sum[:]) + "\"}\n")
}

// TestAnyChangedByteIsRefused: in all bytes of the beginning and the end, and in some of the others.
func TestAnyChangedByteIsRefused(t *testing.T) {
	t.Parallel()
	b, _ := unarchiving(t)
	if _, err := planfile.Parse(b); err != nil {
		t.Fatal(err)
	}
	for at := range b {
		if at > 64 && at < len(b)-100 && at%7 != 0 {
			continue
		}
		for _, flip := range []byte{1, 0x20, 0xff} {
			changed := append([]byte(nil), b...)
			changed[at] ^= flip
			if _, err := planfile.Parse(changed); err == nil {
				t.Fatalf("byte %d of %d changed by %#x is taken", at, len(b), flip)
			}
		}
	}
	for _, length := range []int{0, 1, 100, len(b) / 2, len(b) - 1} {
		if _, err := planfile.Parse(b[:length]); err == nil {
			t.Errorf("cut off after %d bytes it is taken", length)
		}
	}
}

// TestEditedFileIsRefused: with a digest that fits, what stands in a file is not trusted.
func TestEditedFileIsRefused(t *testing.T) {
	t.Parallel()
	b, database := unarchiving(t)
	body := ending.ReplaceAllString(string(b), "")
	if string(signed(body)) != string(b) {
		t.Fatal("the digest isn't of the bytes before it")
	}
	db := open(t, database)
	for name, c := range map[string]struct{ old, new, why string }{
		"a byte order mark":    {`{"note":`, "\xef\xbb\xbf{\"note\":", "byte order mark"},
		"another JSON":         {`{"note":`, `{"other":`, "no plan"},
		"a newer version":      {`"lcm_tui_plan":1`, `"lcm_tui_plan":2`, "version 2"},
		"a huge version":       {`"lcm_tui_plan":1`, `"lcm_tui_plan":99999999999999999999999`, "version 9999"},
		"no version":           {`"lcm_tui_plan":1`, `"lcm_tui_plan":0`, "no plan"},
		"a name twice":         {`"op":`, `"op":"repair","op":`, "stands twice"},
		"in another case":      {`"op":`, `"OP":"repair","op":`, "stands twice"},
		"a row's name twice":   {`"active":1`, `"active":1,"active":0`, "stands twice"},
		"an unknown name":      {`"op":`, `"more":1,"op":`, "unknown field"},
		"one in a change":      {`{"table":`, `{"more":1,"table":`, "unknown field"},
		"one in the impact":    {`"items_before":`, `"more":1,"items_before":`, "unknown field"},
		"a number too large":   {`"active":1`, `"active":99999999999999999999`, "out of range"},
		"a fraction":           {`"active":1`, `"active":1.5`, "invalid syntax"},
		"an unknown type":      {`"active":1`, `"active":{"$int":"1"}`, "unknown tag"},
		"two types":            {`"active":1`, `"active":{"$real":"1","$blob":"AA=="}`, "unexpected value"},
		"a list for a cell":    {`"active":1`, `"active":[1]`, "unexpected value"},
		"too deep":             {`"active":1`, `"active":` + strings.Repeat("[", 40) + strings.Repeat("]", 40), "too deep"},
		"text after it":        {`"warnings":`, `"x":1} {"warnings":`, "can't be read"},
		"bytes that aren't":    {`"op":"key`, "\"op\":\"key\xff", "UTF-8"},
		"our own table":        {`"table":"conversations"`, `"table":"lcm_tui_undo"`, "from a file"},
		"SQLite's table":       {`"table":"conversations"`, `"table":"sqlite_sequence"`, "from a file"},
		"a search table":       {`"table":"conversations"`, `"table":"messages_fts"`, "from a file"},
		"no column":            {`"after":{`, `"after":{"no_column":1,`, "no column"},
		"another key":          {`"key":["conversation_id"]`, `"key":["active"]`, "not by its key"},
		"no key":               {`"key":["conversation_id"]`, `"key":[]`, "names no row"},
		"no row":               {`"key":["conversation_id"]`, `"key":["other"]`, "of its key"},
		"another search table": {`"notes":`, `"rebuild":["messages"],"notes":`, "search table"},
		"a file elsewhere":     {`"files":[]`, `"files":[{"file_id":"f","name":"../../x","storage_uri":"/x","bytes":0,"sha256":"` + emptyDigest + `","content":""}]`, "which isn't in"},
		"a file of others":     {`"files":[]`, `"files":[{"file_id":"f","name":"2/x","storage_uri":"/x","bytes":1,"sha256":"` + emptyDigest + `","content":""}]`, "digest"},
		"another operation":    {`"op":"key unarchive"`, `"op":"nothing"`, "no operation"},
		"another request":      {`{"Conversation":2}`, `{"Conversation":2,"More":1}`, "request"},
		"rows of its own":      {`"archived_at":null`, `"archived_at":"2020-01-01"`, "would become another"},
		"a change less":        {`"archived_at":null,`, ``, "would become another"},
	} {
		changed := strings.Replace(body, c.old, c.new, 1)
		if changed == body && c.old != c.new {
			t.Errorf("%s: the file has no %s: %s", name, c.old, body)
			continue
		}
		f, err := planfile.Parse(signed(changed))
		if err == nil {
			_, err = f.Prepare(t.Context(), db, planfile.Options{Codecs: codecs, FilesDir: "/files", Exact: true, Report: quiet})
		}
		if err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s is refused with %v", name, err)
		}
	}
	if _, err := planfile.Parse(append(b, '\n')); err == nil {
		t.Error("a byte after the end is taken")
	}
}

const emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// TestRowsOfAFileAreWrittenWhereThatIsAsked: without planning again, the rows of a file count.
func TestRowsOfAFileAreWrittenWhereThatIsAsked(t *testing.T) {
	t.Parallel()
	b, database := unarchiving(t)
	body := ending.ReplaceAllString(strings.Replace(string(b), `"archive_cause":null`, `"archive_cause":"by hand"`, 1), "")
	f, err := planfile.Parse(signed(body))
	must(t, err)
	db := open(t, testdb.Copy(t, database))
	if _, err := f.Prepare(t.Context(), db, planfile.Options{Codecs: codecs, Exact: true, Report: quiet}); err == nil || !strings.Contains(err.Error(), "isn't what its request comes to") {
		t.Errorf("planned again: %v", err)
	}
	ready, err := f.Prepare(t.Context(), db, planfile.Options{Codecs: codecs, Report: quiet})
	must(t, err)
	if _, err := ops.Apply(t.Context(), db, ready.Plan); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(testdb.Dump(t, db.Path()), "by hand") {
		t.Error("the rows of the file aren't written")
	}
}

// TestOpenRefusesWhatOthersCouldHaveWritten: shared files, folders, devices and what isn't there.
func TestOpenRefusesWhatOthersCouldHaveWritten(t *testing.T) {
	t.Parallel()
	b, _ := unarchiving(t)
	folder := t.TempDir()
	shared := filepath.Join(folder, "shared")
	must(t, os.WriteFile(shared, b, 0o600))
	must(t, os.Chmod(shared, 0o620))
	if _, err := planfile.Open(shared, false); err != nil {
		t.Errorf("shown: %v", err)
	}
	for _, path := range []string{shared, folder, "/dev/zero", filepath.Join(folder, "missing")} {
		if _, err := planfile.Open(path, true); hint.Of(err) == "" {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// FuzzParse: whatever stands in a file, with a digest that fits or not, is read or refused.
func FuzzParse(f *testing.F) {
	b, _ := unarchiving(f)
	body := ending.ReplaceAllString(string(b), "")
	for _, seed := range []string{body, body[:len(body)/2], "", "{", `{"note":"","lcm_tui_plan":1`, `{"note":"","lcm_tui_plan":1,"changes":[{"before":{"a":{"$real":"x"}}}]`, "\x1f\x8b", `{"note":[[[{"a":{}}]]]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, b := range [][]byte{body, signed(string(body))} {
			if p, err := planfile.Parse(b); (p == nil) == (err == nil) && err == nil {
				t.Errorf("neither a plan nor an error: %q", b)
			}
		}
	})
}
