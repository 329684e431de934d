package ingest

import (
	"encoding/base64"
	"path"
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/engine/explore"
	"lcm-tui/internal/lazyregexp"
)

// attachment matches the note of a channel that names a file which came with a message.
var attachment = lazyregexp.New(`\[media attached(?: \d+/\d+)?: ([^\]\s|]+)`)

// moveImages moves the images out of the content, whatever their size: those that are blocks of it.
func (w *ingestion) moveImages() {
	w.moveBlocks(func(b jstext.Value, name func(jstext.Value) string) jstext.Value {
		if mime, body, ok := nativeImage(b); ok {
			return w.imageBlock(name(b), mime, body)
		}
		return b
	})
}

// moveAllImages moves the images of every form out of the content, also those within blocks, which
// a host leaves where they are.
func (w *ingestion) moveAllImages() {
	var move func(b jstext.Value, name func(jstext.Value) string) jstext.Value
	move = func(b jstext.Value, name func(jstext.Value) string) jstext.Value {
		if inner := b.Field("content"); inner.IsArray() {
			return replace(b, "content", mapElements(inner, func(b jstext.Value) jstext.Value { return move(b, name) }))
		}
		if mime, body, ok := imageOf(b); ok {
			return w.imageBlock(name(b), mime, body)
		}
		return b
	}
	w.moveBlocks(move)
}

// moveBlocks replaces the blocks of a content with images. The name of an image is that in its
// block, or the next that a channel noted in the texts.
func (w *ingestion) moveBlocks(move func(b jstext.Value, name func(jstext.Value) string) jstext.Value) {
	if !strings.Contains(string(w.content), `"image`) && !strings.Contains(string(w.content), "data:image/") {
		return
	}
	var names []string
	for _, m := range attachment.FindAllStringSubmatch(w.contentText(), -1) {
		names = append(names, path.Base(m[1]))
	}
	n := 0
	name := func(b jstext.Value) string {
		name := firstText(b, "fileName", "filename", "name").Text
		if name == "" && n < len(names) {
			name = names[n]
		}
		n++
		return name
	}
	w.eachBlock(func(b jstext.Value) jstext.Value { return move(b, name) })
}

// contentText returns the texts of the content.
func (w *ingestion) contentText() string {
	if w.content.IsString() {
		return w.content.Text()
	}
	var lines []string
	for b := range w.content.Elements() {
		lines = append(lines, b.Field("text").Text())
	}
	return strings.Join(lines, "\n")
}

func mapElements(v jstext.Value, fn func(jstext.Value) jstext.Value) jstext.Value {
	var out []jstext.Value
	for e := range v.Elements() {
		out = append(out, fn(e))
	}
	return jstext.Array(out)
}

// nativeImage returns the image that a block holds in the form of the host's own tools.
func nativeImage(b jstext.Value) (mime, body string, ok bool) {
	if b.Field("type") != `"image"` {
		return "", "", false
	}
	return decodeImage(b.Field("mimeType").Text(), b.Field("data").Text())
}

// imageOf returns the image that a block holds, in one of the forms that hosts and
// providers have.
func imageOf(b jstext.Value) (mime, body string, ok bool) {
	switch b.Field("type").Text() {
	case "image", "image_url", "input_image":
	default:
		return "", "", false
	}
	source := b.Field("source")
	for _, at := range []struct{ data, mime jstext.Value }{
		{b.Field("data"), b.Field("mimeType")},
		{b.Field("data"), b.Field("media_type")},
		{source.Field("data"), source.Field("media_type")},
		{source.Field("url"), ""},
		{b.Field("image_url"), ""},
		{b.Field("image_url").Field("url"), ""},
	} {
		if mime, body, ok = decodeImage(at.mime.Text(), at.data.Text()); ok {
			return mime, body, true
		}
	}
	return "", "", false
}

// decodeImage returns the image in base64, or in a data URL that names its type.
func decodeImage(mime, encoded string) (kind, body string, ok bool) {
	if rest, found := strings.CutPrefix(encoded, "data:"); found {
		mime, encoded, _ = strings.Cut(rest, ";base64,")
	}
	if mime == "" || encoded == "" {
		return "", "", false
	}
	raw, err := base64.StdEncoding.DecodeString(encoded)
	return mime, string(raw), err == nil && len(raw) > 0
}

// imageBlock returns the block in place of an image.
func (w *ingestion) imageBlock(name, mime, body string) jstext.Value {
	who := strings.ToUpper(w.Role[:1]) + w.Role[1:]
	if name == "" {
		name = w.Role + "-image." + extension(mime)
	}
	f := w.addFile(File{Name: name, MIME: mime, Body: body, Exploration: explore.Image(name, mime, len(body))})
	var o jstext.Object
	o.Put("type", `"text"`)
	o.Put("text", jstext.Quote("["+who+" image: "+name+" ("+mime+", "+size(f)+" bytes) | LCM file: "+f.ID+"]"))
	marks{file: f.ID, size: len(body), image: true, reason: "native_image"}.put(&o)
	return o.Value()
}

// extension returns the file extension of a type of images.
func extension(mime string) string {
	switch kind := strings.TrimPrefix(mime, "image/"); kind {
	case "jpeg":
		return "jpg"
	case "svg+xml":
		return "svg"
	default:
		return kind
	}
}

// Base returns the file's name on disk: its id and the extension of its name or type.
func (f File) Base() string { return f.ID + "." + explore.Extension(f.Name, f.MIME) }
