package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/engine/explore"
	"lcm-tui/engine/identity"
	"lcm-tui/internal/lazyregexp"
)

// externalize moves payloads into files, and puts references in their places.
func (w *ingestion) externalize() {
	if w.rules.First {
		w.moveFileBlocks()
		w.marks = marks{}
		return
	}
	if w.rules.AllImages {
		w.moveAllImages()
	} else {
		w.moveImages()
	}
	if !w.mayBeLarge(len(w.content)) {
		return
	}
	w.moveFileBlocks()
	if w.Role == "tool" {
		w.moveOutputs()
		return
	}
	w.movePayload()
}

// addFile gives a payload the id of a file, and adds it to the files of the message.
func (w *ingestion) addFile(f File) File {
	h := sha256.New()
	identity.WriteText(h, w.salt+"\x00"+strconv.Itoa(len(w.Files))+"\x00")
	identity.WriteText(h, f.Body)
	f.ID = "file_" + hex.EncodeToString(h.Sum(nil))[:16]
	w.Files = append(w.Files, f)
	return f
}

// addTextFile works as addFile for a text, with a description of its content.
func (w *ingestion) addTextFile(name, mime, body string) File {
	return w.addFile(File{Name: name, MIME: mime, Body: body, Exploration: explore.Describe(name, mime, body), Lines: explore.Lines(body)})
}

// mayBeLarge reports whether a payload of so many bytes may go into a file. No byte counts more
// than two tokens.
func (w *ingestion) mayBeLarge(bytes int) bool {
	return w.least > 0 || w.rules.Threshold > 0 && 2*int64(bytes) >= w.rules.Threshold
}

// isLarge reports whether a payload goes into a file.
func (w *ingestion) isLarge(s string) bool {
	if w.least > 0 {
		return int64(len(s)) >= w.least
	}
	if !w.mayBeLarge(len(s)) {
		return false
	}
	return w.rules.Estimator.Count(s) >= w.rules.Threshold
}

// fileBlock is a file within a user's text, and attribute one of the attributes of its tag.
var (
	fileBlock = lazyregexp.New(`(?is)<file\b([^>]*)>(.*?)</file>`)
	attribute = lazyregexp.New(`([A-Za-z_:][\w:.-]*)[` + jstext.SpaceClass + `]*=[` + jstext.SpaceClass + `]*(?:"([^"]*)"|'([^']*)'|([^` + jstext.SpaceClass + `"'>]+))`)
)

// moveFileBlocks moves the large files in a user's texts. The content of blocks of text alone
// becomes one text then.
func (w *ingestion) moveFileBlocks() {
	if w.Role != "user" {
		return
	}
	if text, ok := w.userText(); ok {
		if s := w.moveFilesOf(text); s != text {
			w.content = jstext.Quote(s)
		}
		return
	}
	w.eachBlock(func(b jstext.Value) jstext.Value {
		if b.Field("type") != `"text"` {
			return b
		}
		text := b.Field("text").Text()
		if s := w.moveFilesOf(text); s != text {
			return replace(b, "text", jstext.Quote(s))
		}
		return b
	})
}

// moveFilesOf moves the large files in a text, and returns it with references to them.
func (w *ingestion) moveFilesOf(s string) string {
	if !strings.Contains(s, "</") || !w.isLarge(s) {
		return s
	}
	return fileBlock.ReplaceAllStringFunc(s, func(block string) string {
		m := fileBlock.FindStringSubmatch(block)
		if !w.isLarge(m[2]) {
			return block
		}
		about := attributes(m[1])
		f := w.addTextFile(about["name"], about["mime"], m[2])
		w.marks.files = append(w.marks.files, f.ID)
		w.marks.fileBlocks, w.marks.reason = true, "large_file_block"
		return "[LCM File: " + f.ID + " | " + orUnknown(f.Name) + " | " + orUnknown(f.MIME) + " | " + size(f) + " bytes]" + f.explorationText()
	})
}

// attributes returns the attributes of a tag that aren't blank, by their names in small letters.
func attributes(tag string) map[string]string {
	out := map[string]string{}
	for _, a := range attribute.FindAllStringSubmatch(tag, -1) {
		if value := jstext.Trim(a[2] + a[3] + a[4]); value != "" {
			out[strings.ToLower(a[1])] = value
		}
	}
	return out
}

// eachBlock replaces the blocks of the content.
func (w *ingestion) eachBlock(fn func(jstext.Value) jstext.Value) {
	var blocks []jstext.Value
	changed := false
	for b := range w.content.Elements() {
		n := fn(b)
		changed = changed || n != b
		blocks = append(blocks, n)
	}
	if changed {
		w.content = jstext.Array(blocks)
	}
}

// replace returns an object with another value for one of its members.
func replace(v jstext.Value, name string, with jstext.Value) jstext.Value {
	var o jstext.Object
	for n, f := range v.Fields() {
		if n == name {
			f = with
		}
		o.Put(n, f)
	}
	return o.Value()
}

// moveOutputs moves the large results of tools.
func (w *ingestion) moveOutputs() {
	tool := firstText(w.message, "toolName", "tool_name").Text
	if tool == "lcm_describe" {
		return // Its result is the content of a file.
	}
	if w.content.IsString() {
		if s := w.content.Text(); w.isLarge(s) {
			w.content = jstext.Array([]jstext.Value{w.outputBlock(`{"type":"tool_result"}`, tool, s)})
		}
		return
	}
	w.eachBlock(func(b jstext.Value) jstext.Value {
		if s := outputText(b); s != "" && w.isLarge(s) {
			return w.outputBlock(b, tool, s)
		}
		return b
	})
}

// outputText returns the text of a result's block, or its JSON where it has no text.
func outputText(b jstext.Value) string {
	for _, name := range []string{"text", "output", "content"} {
		switch v := b.Field(name); {
		case v.IsString():
			return v.Text()
		case v.IsArray() || v.IsObject():
			if s := textIn(v, 0); s != "" {
				return s
			}
			return string(v)
		}
	}
	return ""
}

// resultTypes are the types of blocks that hold a result.
var resultTypes = []string{"tool_result", "toolResult", "function_call_output"}

// outputBlock returns the block in place of a result.
func (w *ingestion) outputBlock(b jstext.Value, tool, body string) jstext.Value {
	f := w.addTextFile(orUnknown(tool)+".txt", "text/plain", body)
	kind := b.Field("type").Text()
	if !slices.Contains(resultTypes, kind) {
		kind = "tool_result"
	}
	var o jstext.Object
	o.Put("type", jstext.Quote(kind))
	o.Put("text", jstext.Quote("[LCM Tool Output: "+f.ID+" | tool="+orUnknown(tool)+" | "+size(f)+" bytes]"+f.explorationText()+
		"\n\nCall lcm_describe(id=\"<file_id above>\", expandFile=true) to fetch the full output content from disk."))
	o.Put("rawType", jstext.Quote(kind))
	marks{file: f.ID, size: len(body), output: true, reason: "large_tool_result"}.put(&o)
	id := firstText(b, "tool_use_id", "call_id", "toolCallId").Text
	if id == "" {
		id = callIDOf(w.message).Text
	}
	name := "tool_use_id"
	if kind == "function_call_output" {
		name = "call_id"
	}
	putText(&o, name, orNull(id))
	if failed := w.message.Field("isError"); failed.IsBool() {
		o.Put("isError", failed)
	}
	putText(&o, "name", orNull(tool))
	return o.Value()
}

// movePayload moves the whole content of a large message into a file. Messages with tool calls
// or reasoning stay, since a model needs those in its context.
func (w *ingestion) movePayload() {
	for b := range w.content.Elements() {
		if isMuted(b) {
			return
		}
	}
	body, ext, mime := w.content.Text(), ".txt", "text/plain"
	if text, ok := w.userText(); ok && w.content.IsArray() {
		body = text
	} else if !w.content.IsString() {
		body, ext, mime = string(w.content), ".json", "application/json"
	}
	if !w.isLarge(body) {
		return
	}
	f := w.addTextFile("raw-"+w.Role+"-payload"+ext, mime, body)
	w.marks.raw, w.marks.file, w.marks.size, w.marks.reason = true, f.ID, len(body), "large_raw_message"
	w.content = jstext.Quote("[LCM Raw Payload: " + f.ID + " | role=" + w.Role + " | reason=large_raw_message | " + size(f) + " bytes]" + f.explorationText() +
		"\n\nCall lcm_describe(id=\"<file_id above>\", expandFile=true) to fetch the full payload content from disk.")
}

// userText returns the text of a user's message that is a text, or has blocks of text alone.
func (w *ingestion) userText() (text string, ok bool) {
	some := w.content.IsString()
	for b := range w.content.Elements() {
		if some = b.Field("type") == `"text"` && b.Field("text").IsString(); !some {
			break
		}
	}
	switch {
	case w.Role != "user" || !some:
		return "", false
	case w.rules.First:
		return w.firstContent(), true
	}
	return w.text(), true
}

// explorationText returns the description of the file in the text that refers to it.
func (f File) explorationText() string {
	about := jstext.Trim(f.Exploration)
	if about == "" {
		about = "(no summary available)"
	}
	return "\n\nExploration Summary:\n" + about
}

func size(f File) string { return explore.Grouped(len(f.Body)) }

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}
