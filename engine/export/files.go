package export

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/ingest"
	"lcm-tui/internal/atomicfile"
	"lcm-tui/internal/lazyregexp"
	"lcm-tui/internal/sorting"
)

// maxInline is the size in bytes of the largest file whose content is put into the text.
const maxInline = 32 << 20

// placeFiles puts the contents of large files into a message, in the places of their references,
// where that is wanted.
func (e *exporter) placeFiles(m *message) error {
	if e.o.Files != FilesInline || len(e.now.files) == 0 {
		return nil
	}
	v := m.original
	if v.Field("rawPayloadExternalized") == jstext.True {
		if body, ok := e.body(v.Field("externalizedFileId").Text()); ok {
			m.original = withContent(v, payloadContent(body))
			return nil
		}
	}
	content := v.Field("content")
	switch {
	case content.IsString():
		if text := e.inlineText(content.Text()); text != content.Text() {
			m.original = withContent(v, jstext.Quote(text))
		}
	case content.IsArray():
		var out []jstext.Value
		changed := false
		for b := range content.Elements() {
			n := e.inlineBlock(b, m.role)
			changed = changed || n != b
			out = append(out, n)
		}
		if changed {
			m.original = withContent(v, jstext.Array(out))
		}
	}
	return nil
}

// messageMarks are the members of a message that say where its payloads are.
var messageMarks = []string{
	"rawPayloadExternalized", "externalizedFileId", "externalizedFileIds", "fileBlocksExternalized", "originalByteSize",
	"toolOutputExternalized", "imageExternalized", "externalizationReason",
}

// withContent returns a message with another content, which has its payloads in it.
func withContent(v, content jstext.Value) jstext.Value {
	var o jstext.Object
	for name, f := range v.Without(messageMarks...).Fields() {
		if name == "content" {
			f = content
		}
		o.Put(name, f)
	}
	return o.Value()
}

// payloadContent returns the content of a message that was moved out whole: blocks or a text.
func payloadContent(body string) jstext.Value {
	if v := jstext.Parse(body); v.IsArray() && v != "[]" {
		for b := range v.Elements() {
			if !b.Field("type").IsString() {
				return jstext.Quote(body)
			}
		}
		return v
	}
	return jstext.Quote(body)
}

// inlineBlock returns a block with the content of its file, if it stands for one.
func (e *exporter) inlineBlock(b jstext.Value, role string) jstext.Value {
	id := b.Field("externalizedFileId").Text()
	f := e.now.files[id]
	switch {
	case b.Field("imageExternalized") == jstext.True:
		body, ok := e.bytes(id)
		if !ok {
			return b
		}
		var o jstext.Object
		o.Put("type", `"image"`)
		o.Put("data", jstext.Quote(base64.StdEncoding.EncodeToString(body)))
		o.Put("mimeType", jstext.Quote(f.MIME))
		return o.Value()
	case b.Field("toolOutputExternalized") == jstext.True && role == assemble.RoleToolResult:
		body, ok := e.body(id)
		if !ok {
			return b
		}
		var o jstext.Object
		o.Put("type", `"text"`)
		o.Put("text", jstext.Quote(body))
		return o.Value()
	case b.Field("type") == `"text"`:
		if text := e.inlineText(b.Field("text").Text()); text != b.Field("text").Text() {
			var o jstext.Object
			o.Put("type", `"text"`)
			o.Put("text", jstext.Quote(text))
			return o.Value()
		}
	}
	return b
}

// inlineText returns a user's text with the files that it brought in the places of their references.
func (e *exporter) inlineText(text string) string {
	if !strings.Contains(text, "[LCM File: ") {
		return text
	}
	for _, id := range lcm.MentionedFiles(text) {
		f, ok := e.now.files[id]
		if !ok {
			continue
		}
		reference := e.scrub(fileReference(f))
		if !strings.Contains(text, reference) {
			continue
		}
		if body, ok := e.body(id); ok {
			block := `<file name="` + orUnknown(f.Name) + `" mime="` + orUnknown(f.MIME) + `">` + body + "</file>"
			text = strings.ReplaceAll(text, reference, block)
		}
	}
	return text
}

// fileReference returns what a host writes in the place of a file that a user's text brought.
func fileReference(f lcm.LargeFile) string {
	about := jstext.Trim(f.Exploration)
	if about == "" {
		about = "(no summary available)"
	}
	return "[LCM File: " + f.ID + " | " + orUnknown(f.Name) + " | " + orUnknown(f.MIME) + " | " + grouped(f.Bytes) +
		" bytes]\n\nExploration Summary:\n" + about
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// bytes returns the content of a large file, if it can be read and isn't too large.
func (e *exporter) bytes(id string) ([]byte, bool) {
	f, ok := e.now.files[id]
	if !ok {
		return nil, false
	}
	b, more, err := lcm.ReadLargeFile(f, e.o.FilesFolder, maxInline)
	if err != nil || more {
		e.result.MissingFiles++
		return nil, false
	}
	e.result.Files++
	return b, true
}

// body returns the content of a large file as text.
func (e *exporter) body(id string) (string, bool) {
	b, ok := e.bytes(id)
	if !ok {
		return "", false
	}
	return e.scrub(jstext.Decode(string(b))), true
}

// copyFiles copies the large files of the conversation into the folder beside the export.
func (e *exporter) copyFiles() error {
	if e.o.Files != FilesCopy || len(e.now.files) == 0 {
		return nil
	}
	if err := os.MkdirAll(e.o.CopyTo, 0o700); err != nil {
		return err
	}
	for _, f := range sortedFiles(e.now.files) {
		if err := e.ctx.Err(); err != nil {
			return err
		}
		b, ok := e.bytes(f.ID)
		if !ok {
			continue
		}
		if utf8.Valid(b) {
			b = []byte(e.scrub(string(b)))
		} else if clean := e.scrub(string(b)); clean != string(b) { // Bytes of no text are never changed.
			e.result.MissingFiles++
			e.result.Files--
			continue
		}
		if err := e.copyFile(fileName(f), b); err != nil {
			return err
		}
	}
	return nil
}

// copyFile writes a copied large file into their folder. It follows no link.
func (e *exporter) copyFile(name string, content []byte) error {
	_, err := atomicfile.Fill(filepath.Join(e.o.CopyTo, name), e.o.mayReplace, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
	return err
}

// hostFileID matches the ids that a host gives to large files.
var hostFileID = lazyregexp.New(`^file_[0-9a-f]{16}$`)

// fileName returns the name of a copied large file, another for each id. Any other id than a host's
// has a digest in it, since file systems take different names for one.
func fileName(f lcm.LargeFile) string {
	id := f.ID
	if !hostFileID.MatchString(id) {
		sum := sha256.Sum256([]byte(id))
		id = safeName(id) + "-" + hex.EncodeToString(sum[:8])
	}
	return ingest.File{ID: id, Name: f.Name}.Base()
}

// safeName returns a name with only the characters that every file system takes.
func safeName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < 0x80 && (r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '-' || r == '_' || r == '.') {
			return r
		}
		return '-'
	}, s)
	s = strings.Trim(s, ".-")
	if len(s) > 80 {
		s = s[:80]
	}
	if s == "" {
		return "conversation"
	}
	return s
}

// sortedFiles returns files in the order of their ids.
func sortedFiles(files map[string]lcm.LargeFile) []lcm.LargeFile {
	out := slices.Collect(maps.Values(files))
	sorting.Stable(out, func(a, b *lcm.LargeFile) int { return strings.Compare(a.ID, b.ID) })
	return out
}
