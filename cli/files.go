package cli

import (
	"context"
	"encoding/base64"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/ui"
)

// fileList is the result of files without a file's id.
type fileList struct {
	Conversation int64           `json:"conversation_id"`
	Files        []lcm.LargeFile `json:"files"`
	nextPage
	warningList
}

// fileContent is the result of files with one: its row, and what is in it. What
// isn't UTF-8 is in base64.
type fileContent struct {
	lcm.LargeFile
	Content   *string `json:"content"`
	Base64    *string `json:"content_base64,omitempty"`
	Truncated bool    `json:"truncated"`
	warningList
	body []byte
	raw  bool
}

// fileFlags is how a file is read.
type fileFlags struct {
	head   *integerFlag
	raw    bool
	paging paging
}

func (a *app) files() *cobra.Command {
	r := fileFlags{head: atLeast(1, "BYTES").preset(1 << 20)}
	cmd := a.command(groupBrowse, "files CONV [FILE_ID]", "List large files, or print one", r.run)
	cmd.Long = `Lists the large files of a conversation: payloads that the host moved out of messages. With
a FILE_ID it prints the content of one, with control characters made visible. --raw prints
the bytes as they are, and all of them unless --head is given.

Writes nothing.`
	cmd.Example = "  lcm-tui files 12\n  lcm-tui files 12 file_0123456789abcdef --head 2000\n  lcm-tui files 12 file_0123456789abcdef --raw > picture.png"
	cmd.Flags().Var(r.head, "head", "only the first bytes of the content")
	cmd.Flags().BoolVar(&r.raw, "raw", false, "print the bytes as they are")
	r.paging.bind(cmd)
	return cmd
}

func (r *fileFlags) run(ctx context.Context, c *invocation) (result, error) {
	db, conv, err := c.openConversation(ctx)
	if err != nil {
		return nil, err
	}
	all, err := lcm.LargeFiles(ctx, db, conv.ID)
	if err != nil {
		return nil, err
	}
	if len(c.args) == 1 {
		l := &fileList{Conversation: conv.ID}
		all, l.Next, err = pageOf(&r.paging, all, func(f lcm.LargeFile) string { return f.ID })
		l.Files = append([]lcm.LargeFile{}, all...)
		return l, err
	}
	for _, f := range all {
		if f.ID == c.args[1] {
			return r.read(f, c.locations.FilesDir)
		}
	}
	return nil, &data.NotFoundError{What: "file", ID: c.args[1], Path: db.Path()}
}

func (r *fileFlags) read(f lcm.LargeFile, folder string) (result, error) {
	limit := r.head.value
	if r.raw && !r.head.IsSet {
		limit = 1 << 40
	}
	body, more, err := lcm.ReadLargeFile(f, folder, limit)
	if err != nil {
		return nil, err
	}
	c := &fileContent{LargeFile: f, Truncated: more, body: body, raw: r.raw}
	if utf8.Valid(body) {
		c.Content = new(string(body))
	} else {
		c.Base64 = new(base64.StdEncoding.EncodeToString(body))
	}
	return c, nil
}

func (c *fileContent) Print(p *printer) {
	if c.raw {
		p.raw = c.body
		return
	}
	p.write(endLine(ui.Sanitize(string(c.body))))
	if c.Truncated {
		p.muted("… " + ui.Size(int64(len(c.body))) + " of it; --head BYTES shows more, --raw all")
	}
}

func (l *fileList) Print(p *printer) {
	if len(l.Files) == 0 {
		p.none("large files", "")
		return
	}
	rows := make([][]string, len(l.Files))
	for i, f := range l.Files {
		rows[i] = []string{
			ui.LineN(f.ID, 40), ui.Size(f.Bytes), ui.LineN(f.MIME, 30), when(f.CreatedAt), ui.LineN(f.Name, 40), preview(f.Exploration),
		}
	}
	p.table([]column{
		{title: "id"},
		{title: "size", right: true},
		{title: "type", spare: true},
		{title: "at", style: p.styles.Muted, spare: true},
		{title: "name", grows: true},
		{title: "what the model sees", grows: true},
	}, rows)
	l.more(p)
}
