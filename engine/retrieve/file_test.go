package retrieve_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/retrieve"
)

// storedFile returns a database with the file file_a, which lies at path, and the folder where files
// must lie. With a content the file is there.
func storedFile(t *testing.T, path string, content ...string) (db *data.DB, folder string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "lcm-files")
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	if err := errors.Join(os.MkdirAll(folder, 0o700), os.MkdirAll(filepath.Dir(path), 0o700)); err != nil {
		t.Fatal(err)
	}
	for _, c := range content {
		if err := os.WriteFile(path, []byte(c), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	db = alteredSample(t, "UPDATE large_files SET file_id = 'file_a', byte_size = 12345678, storage_uri = '"+path+"'; UPDATE messages SET large_content = NULL")
	return db, folder
}

// fileText returns the text about file_a with its content.
func fileText(t *testing.T, db *data.DB, r retrieve.FileRequest) (text string, truncated bool) {
	t.Helper()
	r.Content = true
	d, err := retrieve.DescribeRequest{ID: "file_a", File: r}.Run(t.Context(), db, retrieve.AllConversations())
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ = strings.Cut(d.Text(), "\n\n## Content\n\n```\n")
	return text, d.File.Truncated
}

func TestTheHeadOfAFileEndsWithAWholeCharacter(t *testing.T) {
	t.Parallel()
	db, folder := storedFile(t, filepath.Join("1", "file_a.txt"))
	for name, c := range map[string]struct {
		content string
		most    int64
		want    string
		more    bool
	}{
		"a small file":                {"all of it\n", 0, "all of it\n", false},
		"exactly the most":            {strings.Repeat("a", 1024), 1024, strings.Repeat("a", 1024), false},
		"one byte more":               {strings.Repeat("a", 1025), 1024, strings.Repeat("a", 1024), true},
		"less than may be asked for":  {strings.Repeat("a", 1025), 1, strings.Repeat("a", 1024), true},
		"more than may be asked for":  {strings.Repeat("a", 512001), 1 << 40, strings.Repeat("a", 512000), true},
		"what is read without a word": {strings.Repeat("a", 32769), 0, strings.Repeat("a", 32768), true},
		"in a character of two":       {strings.Repeat("a", 1023) + "éb", 1024, strings.Repeat("a", 1023), true},
		"behind a character of three": {strings.Repeat("a", 1021) + "日b", 1024, strings.Repeat("a", 1021) + "日", true},
		"in a character of four":      {strings.Repeat("a", 1021) + "😀b", 1024, strings.Repeat("a", 1021), true},
		"no text":                     {"\x89PNG\xe2\x82A\xff\xf0\x9f\x98", 0, "\ufffdPNG\ufffdA\ufffd\ufffd", false},
	} {
		if err := os.WriteFile(filepath.Join(folder, "1", "file_a.txt"), []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		text, more := fileText(t, db, retrieve.FileRequest{Folder: folder, MaxBytes: c.most})
		if !strings.HasPrefix(text, c.want+"\n```") || more != c.more {
			t.Errorf("%s: %d characters, truncated %v: %.60q", name, len(text), more, text)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "1", "file_a.txt"), []byte(strings.Repeat("é", 20000)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestTruncatedContentSaysHowMuch: of how many bytes the shown units are, as JavaScript writes numbers in
// English; a question mark stands for a size that isn't known.
func TestTruncatedContentSaysHowMuch(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ content, size, want string }{
		"grouped":          {strings.Repeat("é", 20000), "12345678", "16,384 of 12,345,678"},
		"units, not bytes": {strings.Repeat("😀", 20000), "80000", "16,384 of 80,000"},
		"size unknown":     {strings.Repeat("a", 40000), "NULL", "32,768 of ?"},
		"size of zero":     {strings.Repeat("a", 40000), "0", "32,768 of 0"},
		"size of one":      {strings.Repeat("a", 40000), "1", "32,768 of 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := filepath.Join(t.TempDir(), "lcm-files")
			path := filepath.Join(folder, "1", "file_a.txt")
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(c.content), 0o600)); err != nil {
				t.Fatal(err)
			}
			db := alteredSample(t, "UPDATE large_files SET file_id = 'file_a', byte_size = "+c.size+", storage_uri = '"+path+"'")
			text, _ := fileText(t, db, retrieve.FileRequest{Folder: folder})
			want := "\n```\n\n*Output truncated to " + c.want + " bytes. Use lcm_grep(scope='files', fileIds=['file_a']) to search the bounded file prefix.*"
			if !strings.HasSuffix(text, want) {
				t.Errorf("it ends with %q", text[max(0, len(text)-200):])
			}
		})
	}
}

func TestLinesOfAFile(t *testing.T) {
	t.Parallel()
	db, folder := storedFile(t, filepath.Join("1", "file_a.txt"), "one\r\ntwo\n\nfour")
	long, longFolder := storedFile(t, filepath.Join("1", "file_a.txt"), strings.Repeat("0123456789\n", 1000))
	for name, c := range map[string]struct {
		db          *data.DB
		folder      string
		first, last int64 // 0 is nothing given.
		want        string
		more        bool
	}{
		"all":                       {db, folder, 1, 0, "one\ntwo\n\nfour", false},
		"from one on":               {db, folder, 2, 0, "two\n\nfour", false},
		"a line before the first":   {db, folder, -7, -7, "", false},
		"one":                       {db, folder, 2, 2, "two", false},
		"an empty one":              {db, folder, 3, 3, "", false},
		"up to the last":            {db, folder, 3, 4, "\nfour", false},
		"beyond the last":           {db, folder, 4, 5, "four", true},
		"behind the last":           {db, folder, 9, 0, "", false},
		"behind the last, to where": {db, folder, 9, 10, "", true},
		"of a part of the file":     {long, longFolder, 93, 94, "0123456789\n0", true},
		"behind the part":           {long, longFolder, 900, 0, "", true},
		"the last without a first":  {db, folder, 0, 2, "one\r\ntwo\n\nfour", false},
	} {
		r := retrieve.FileRequest{Folder: c.folder, MaxBytes: 1024}
		if c.first != 0 {
			r.FirstLine = &c.first
		}
		if c.last != 0 {
			r.LastLine = &c.last
		}
		if text, more := fileText(t, c.db, r); !strings.HasPrefix(text, c.want+"\n```") || more != c.more {
			t.Errorf("%s: truncated %v: %.60q", name, more, text)
		}
	}
	r := retrieve.DescribeRequest{ID: "file_a", File: retrieve.FileRequest{Content: true, Folder: folder, FirstLine: new(int64(3)), LastLine: new(int64(2))}}
	var tool *retrieve.ToolError
	if _, err := r.Run(t.Context(), db, retrieve.AllConversations()); !errors.As(err, &tool) || !strings.Contains(tool.Text(), `"error": "endLine must not be less than startLine."`) {
		t.Error(err)
	}
}

func TestNothingOutsideOfTheFilesFolderIsRead(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(secret, []byte("the key"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := func(t *testing.T, db *data.DB, folder string) string {
		t.Helper()
		at := filepath.Join(folder, "1", "file_a.txt")
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.Symlink(secret, at)); err != nil {
			t.Fatal(err)
		}
		text, _ := contentOf(t, db, folder)
		return text
	}
	for name, path := range map[string]string{
		"a path elsewhere":       secret,
		"a path that leads out":  filepath.Join("1", "..", "..", filepath.Base(secret)),
		"a folder":               "1",
		"a file that isn't":      filepath.Join("1", "file_none.txt"),
		"a path of nothing else": "/",
	} {
		db, folder := storedFile(t, path)
		if text, ok := contentOf(t, db, folder); ok {
			t.Errorf("%s: it reads %q", name, text)
		}
	}
	db, folder := storedFile(t, filepath.Join("1", "file_a.txt"))
	if text := link(t, db, folder); text != "" {
		t.Errorf("a link leads out: %q", text)
	}
}

// contentOf returns the content of file_a, if there is any.
func contentOf(t *testing.T, db *data.DB, folder string) (content string, ok bool) {
	t.Helper()
	d, err := retrieve.DescribeRequest{ID: "file_a", File: retrieve.FileRequest{Content: true, Folder: folder}}.Run(t.Context(), db, retrieve.AllConversations())
	if err != nil {
		t.Fatal(err)
	}
	if d.File.Content == nil {
		if !strings.HasSuffix(d.Text(), "\n\n*File content is not available: the file can't be read from the files folder, and no message holds its text.*") {
			t.Errorf("it ends with %q", d.Text())
		}
		return "", false
	}
	return *d.File.Content, true
}

func TestTheMessageOfAFileThatIsGoneHasItsText(t *testing.T) {
	t.Parallel()
	db := alteredSample(t, `UPDATE large_files SET file_id = 'file_a', conversation_id = 1, storage_uri = '/nowhere';
		UPDATE messages SET large_content = NULL; UPDATE messages SET large_content = 'file_a', content = 'the reference' WHERE message_id = 3`)
	if text, ok := contentOf(t, db, t.TempDir()); !ok || text != "the reference" {
		t.Errorf("%q, %v", text, ok)
	}
}
