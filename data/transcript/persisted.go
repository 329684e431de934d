package transcript

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/lazyregexp"
)

// persistedOutput is what Claude Code writes in place of a result that is too long for a line: where the whole is,
// and how it begins.
var persistedOutput = lazyregexp.New(`^<persisted-output>\n[^\n]*saved to: ([^\n]+)\n`)

// maxPersisted is how many bytes of such a file are read.
const maxPersisted = 16 << 20

// resultsFolder is the folder, below that of the session, in which Claude Code puts such files.
const resultsFolder = "tool-results"

// withPersisted puts the whole result in place of its beginning, where the session's own folder has it. A result
// keeps its beginning where its file is gone, is too long, isn't text, or lies elsewhere: a transcript may name
// any file.
func (c *claude) withPersisted(output jstext.Value) jstext.Value {
	if !output.IsString() {
		var blocks []jstext.Value
		for b := range output.Elements() {
			if whole, ok := c.readPersisted(b.Field("text").Text()); ok && b.Field("type") == `"text"` {
				b = textBlock(jstext.Quote(whole))
			}
			blocks = append(blocks, b)
		}
		if len(blocks) > 0 {
			return jstext.Array(blocks)
		}
		return output
	}
	if whole, ok := c.readPersisted(output.Text()); ok {
		return jstext.Quote(whole)
	}
	return output
}

// readPersisted reads the file that a result names.
func (c *claude) readPersisted(result string) (whole string, ok bool) {
	found := persistedOutput.FindStringSubmatch(result)
	if found == nil || c.folder == "" {
		return "", false
	}
	_, name, ok := strings.Cut(filepath.ToSlash(found[1]), "/"+resultsFolder+"/")
	if !ok || !filepath.IsLocal(name) {
		return "", false
	}
	root, err := os.OpenRoot(filepath.Dir(c.folder)) // It follows no link out of the project's folder.
	if err != nil {
		return "", false
	}
	defer root.Close()
	name = filepath.Join(filepath.Base(c.folder), resultsFolder, name)
	if info, err := root.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > maxPersisted {
		return "", false
	}
	h, err := root.Open(name)
	if err != nil {
		return "", false
	}
	defer h.Close()
	b, err := io.ReadAll(io.LimitReader(h, maxPersisted))
	return string(b), err == nil && len(b) > 0 && utf8.Valid(b)
}

// sessionFolder returns the folder in which Claude Code keeps more of a session beside its file. That of a helper's
// file is the session's.
func sessionFolder(path string) string {
	folder := filepath.Dir(path)
	if filepath.Base(folder) == "subagents" {
		return filepath.Dir(folder)
	}
	return strings.TrimSuffix(path, ".jsonl")
}
