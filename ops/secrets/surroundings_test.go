package secrets_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/secrets"
)

// TestTerminalTextIsReplaced: a token in a colour, within one, in a link, divided between lines and in base64, in
// a message and in the JSON of a part. The colours stay, and no byte of the token does.
func TestTerminalTextIsReplaced(t *testing.T) {
	t.Parallel()
	p := newPlanted()
	path := plant(t, p)
	texts := map[string]string{
		"\x1b[32m" + p.github + "\x1b[0m":                                "\x1b[32m[REDACTED:github-token#1]\x1b[0m",
		"x\x1b[1m" + p.github[:9] + "\x1b[31m" + p.github[9:] + "\x1b[m": "x\x1b[1m[REDACTED:github-token#1]\x1b[31m\x1b[m",
		"\x1b]8;;https://x/?t=" + p.github + "\x1b\\here\x1b]8;;\x1b\\":  "\x1b]8;;https://x/?t=[REDACTED:github-token#1]\x1b\\here\x1b]8;;\x1b\\",
		"MY_" + p.github + " _" + p.github + "_":                         "MY_[REDACTED:github-token#1] _[REDACTED:github-token#1]_",
		"it is\n" + p.github[:20] + "\n    " + p.github[20:] + "\nthere": "it is\n[REDACTED:github-token#1]\nthere",
	}
	i := 0
	for text := range texts {
		i++
		execute(t, path, "INSERT INTO message_parts (part_id, message_id, session_id, part_type, ordinal, text_content, metadata) SELECT 'coloured-"+string(rune('0'+i))+"', min(message_id), 's', 'text', 90+"+string(rune('0'+i))+", '"+text+"', '"+`{"raw":`+string(jstext.Quote(text))+`}`+"' FROM messages")
	}
	execute(t, path, "INSERT INTO message_parts (part_id, message_id, session_id, part_type, ordinal, text_content) SELECT 'encoded', min(message_id), 's', 'text', 80, '"+base64.StdEncoding.EncodeToString([]byte("u:"+p.github))+"' FROM messages")
	db := open(t, path)
	op := &secrets.Op{ProveLater: true}
	_, err := apply(t, db, op)
	check(t, err)
	check(t, finish(t, db, op).Close())
	if !op.Result.Gone() {
		t.Errorf("the proof is %+v", op.Result.Proof)
	}
	got := testdb.Rows(t, path, "SELECT text_content FROM message_parts WHERE part_id LIKE 'coloured-%'")
	for _, want := range texts {
		if !slices.Contains(got, want) {
			t.Errorf("%q isn't in %q", want, got)
		}
	}
	checkNowhere(t, filepath.Dir(path), append(p.all(), p.github[20:])...)
}

// TestLargeFilesAreReplacedPartByPart: wherever the value stands, also where two parts of the file meet, and in one
// line without an end; the rest stays byte for byte.
func TestLargeFilesAreReplacedPartByPart(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	p := newPlanted()
	path := plant(t, p)
	folder := filepath.Join(filepath.Dir(path), "large")
	check(t, os.Mkdir(folder, 0o700))
	const line = "some words that stand in every line of the file\n"
	fillers := map[string]string{"lines": line, "one-line": strings.ReplaceAll(line, "\n", " "), "json-lines": `{"text":"some words"}` + "\n"}
	for name, filler := range fillers {
		var b strings.Builder
		for _, at := range []int{0, 200_000, secrets.PartSize - 70_000, secrets.PartSize - 65_536 - 20, secrets.PartSize - 10, secrets.PartSize + 300_000, 2*secrets.PartSize - 65_600} {
			for b.Len() < at {
				b.WriteString(filler)
			}
			value := p.github
			if name == "json-lines" {
				value = `{"token":"` + value + `","key":` + string(jstext.Quote(p.pem)) + "}\n"
			} else {
				value += " " + p.pem + " "
			}
			b.WriteString(value)
		}
		check(t, os.WriteFile(filepath.Join(folder, name), []byte(b.String()), 0o640))
	}
	before := map[string]string{}
	for name := range fillers {
		text, err := os.ReadFile(filepath.Join(folder, name))
		check(t, err)
		before[name] = string(text)
	}
	db := open(t, path)
	op := &secrets.Op{Request: secrets.Request{FilesDir: folder}}
	_, err := apply(t, db, op)
	check(t, err)
	if len(op.Result.Files) != len(fillers) {
		t.Errorf("rewritten were %q", op.Result.Files)
	}
	number := map[string]string{}
	for _, f := range op.Result.Proof {
		number[f.Rule] = "[REDACTED:" + f.Rule + "#" + string(rune('0'+f.Number)) + "]"
	}
	for name, text := range before {
		once := strings.Trim(string(jstext.Quote(p.pem)), `"`)
		want := strings.NewReplacer(p.github, number["github-token"], p.pem, number["private-key"], once, number["private-key"]).Replace(text)
		if got, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(got) != want {
			t.Errorf("%s has other texts (%d bytes, want %d; %v)", name, len(got), len(want), err)
		}
	}
	checkNowhere(t, folder, p.all()...)
}
