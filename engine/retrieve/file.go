package retrieve

import (
	"context"
	"strings"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
)

// FileRequest says what to read of a large file beside its row.
type FileRequest struct {
	Content   bool   // Read the content.
	Folder    string // The files folder. Nothing outside of it is read.
	MaxBytes  int64  // The most that is read: 1,024 to 512,000; 0 is 32,768.
	FirstLine *int64 // The first line to give, from 1; nil is the head of the file.
	LastLine  *int64 // The last line, with FirstLine; nil is all that follow.
}

// How many bytes of a file are read: what a request may say, and what counts where it says nothing.
const (
	LeastFileBytes   = 1024
	MostFileBytes    = 512000
	defaultFileBytes = 32768
)

// FileDescription is a large file. Where its content was asked for, Content is nil if it can be
// read neither from the file nor from the message that held it.
type FileDescription struct {
	Conversation int64   `json:"conversationId"`
	Name         *string `json:"fileName"`
	MIME         *string `json:"mimeType"`
	Bytes        *int64  `json:"byteSize"`
	Lines        *int64  `json:"lineCount"`
	URI          string  `json:"storageUri"`
	Exploration  *string `json:"explorationSummary"`
	CreatedAt    Instant `json:"createdAt"`
	*fileContent
}

// fileContent is what a request for the content of a file gives.
type fileContent struct {
	Content   *string `json:"content"`
	Truncated bool    `json:"contentTruncated"`
}

func (r DescribeRequest) describeFile(ctx context.Context, db *data.DB, scope Scope, d *Description) error {
	f, err := lcm.ReadLargeFileRow(ctx, db, d.ID)
	if err != nil {
		return err
	}
	if !scope.Contains(f.Conversation) {
		return scope.refuse(f.Conversation, d.ID)
	}
	d.Type = TypeFile
	d.File = &FileDescription{Conversation: f.Conversation, URI: f.URI, CreatedAt: Instant(f.CreatedAt)}
	for _, field := range []struct {
		known bool
		text  string
		to    **string
	}{{f.HasName, f.Name, &d.File.Name}, {f.HasMIME, f.MIME, &d.File.MIME}, {f.Exploration != "", f.Exploration, &d.File.Exploration}} {
		if field.known {
			*field.to = new(jstext.Decode(field.text))
		}
	}
	if f.HasBytes {
		d.File.Bytes = &f.Bytes
	}
	if f.HasLines {
		d.File.Lines = &f.Lines
	}
	if !r.File.Content {
		return nil
	}
	d.File.fileContent, err = r.File.read(ctx, db, f.LargeFile)
	return err
}

// read returns the content that the request asks for.
func (r FileRequest) read(ctx context.Context, db *data.DB, f lcm.LargeFile) (*fileContent, error) {
	if r.FirstLine != nil && r.LastLine != nil && *r.LastLine < *r.FirstLine {
		return nil, &ToolError{Message: "endLine must not be less than startLine.", Advice: "Lines are counted from 1, and endLine is the last line that is given."}
	}
	most := int64(defaultFileBytes)
	if r.MaxBytes != 0 {
		most = min(max(r.MaxBytes, LeastFileBytes), MostFileBytes)
	}
	raw, more, err := lcm.ReadLargeFile(f, r.Folder, most)
	if err != nil {
		text, ok, err := lcm.PayloadText(ctx, db, f)
		if err != nil || !ok {
			return &fileContent{}, err
		}
		return &fileContent{Content: new(jstext.Decode(text))}, nil
	}
	if more || r.FirstLine != nil {
		raw = wholeCharacters(raw)
	}
	c := r.lines(jstext.Decode(string(raw)), more)
	return &c, nil
}

// lines returns the lines of a text that the request asks for; more says that the file goes on behind
// the text.
func (r FileRequest) lines(text string, more bool) fileContent {
	if r.FirstLine == nil {
		return fileContent{Content: &text, Truncated: more}
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	count := int64(len(lines))
	first, last := min(max(1, *r.FirstLine)-1, count), count
	if r.LastLine != nil {
		last = max(first, min(count, *r.LastLine))
		more = more || *r.LastLine > count
	}
	return fileContent{Content: new(strings.Join(lines[first:last], "\n")), Truncated: more}
}

// wholeCharacters returns a piece of a file up to its last whole character, as the reference engine
// cuts it: bytes that continue no character are cut off as well.
func wholeCharacters(b []byte) []byte {
	lead := len(b) - 1
	for lead >= 0 && !utf8.RuneStart(b[lead]) {
		lead--
	}
	if lead < 0 {
		return nil
	}
	size := 1
	switch c := b[lead]; {
	case c >= 0xf0:
		size = 4
	case c >= 0xe0:
		size = 3
	case c >= 0xc0:
		size = 2
	}
	if lead+size > len(b) {
		return b[:lead]
	}
	return b[:lead+size]
}
