package read

import (
	"context"
	"encoding/base64"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/ui"
)

// fileList is the result of files without a file's id.
type fileList struct {
	Conversation int64           `json:"conversation_id"`
	Files        []lcm.LargeFile `json:"files"`
	cli.NextPage
	cli.WarningList
}

// fileContent is the result of files with one: its row, and what is in it. What
// isn't UTF-8 is in base64.
type fileContent struct {
	lcm.LargeFile
	Content   *string `json:"content"`
	Base64    *string `json:"content_base64,omitempty"`
	Truncated bool    `json:"truncated"`
	cli.WarningList
	body []byte
	raw  bool
}

// fileFlags is how a file is read.
type fileFlags struct {
	head   *cli.IntegerFlag
	raw    bool
	paging cli.Paging
	describing
}

func filesCommand(a *cli.App) *cobra.Command {
	r := fileFlags{head: cli.AtLeast(1, "BYTES").Preset(1 << 20)}
	cmd := a.Command(cli.GroupBrowse, "files CONV [FILE_ID]", "List large files, or print one", r.run)
	cmd.Long = `Lists the large files of a conversation: payloads that the host moved out of messages. With
a FILE_ID it prints the content of one, with control characters made visible. --raw prints
the bytes as they are, and all of them unless --head is given.

--describe has a model describe large text files, also the one that FILE_ID names. Alone it
says what the calls would cost and calls nobody; with --generate it calls the model and shows
what differs; with --apply it writes the descriptions. The model is that of the settings
largeFileSummaryProvider and largeFileSummaryModel, or the one that the flags name. Structured
data, code and images are described without a model.

Writes nothing without --apply.`
	cmd.Example = "  lcm-tui files 12\n  lcm-tui files 12 file_0123456789abcdef --head 2000\n  lcm-tui files 12 file_0123456789abcdef --raw > picture.png\n  lcm-tui files 12 --describe\n  lcm-tui files 12 --describe --provider extractive --generate"
	cmd.Flags().Var(r.head, "head", "only the first bytes of the content")
	cmd.Flags().BoolVar(&r.raw, "raw", false, "print the bytes as they are")
	r.paging.Bind(cmd)
	r.describing.bind(cmd)
	return cmd
}

func (r *fileFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	db, conv, err := c.OpenConversation(ctx)
	if err != nil {
		return nil, err
	}
	if r.requested {
		return r.perform(ctx, c, conv.ID)
	}
	all, err := lcm.LargeFiles(ctx, db, conv.ID)
	if err != nil {
		return nil, err
	}
	if len(c.Args) == 1 {
		l := &fileList{Conversation: conv.ID}
		all, l.Next, err = cli.PageOf(&r.paging, all, func(f lcm.LargeFile) string { return f.ID })
		l.Files = append([]lcm.LargeFile{}, all...)
		return l, err
	}
	for _, f := range all {
		if f.ID == c.Args[1] {
			return r.read(f, c.Locations.FilesDir)
		}
	}
	return nil, &data.NotFoundError{What: "file", ID: c.Args[1], Path: db.Path()}
}

func (r *fileFlags) read(f lcm.LargeFile, folder string) (cli.Result, error) {
	limit := r.head.Value
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

func (c *fileContent) Print(p *cli.Printer) {
	if c.raw {
		p.Raw = c.body
		return
	}
	p.Write(cli.EndLine(ui.Sanitize(string(c.body))))
	if c.Truncated {
		p.Muted("… " + ui.Size(int64(len(c.body))) + " of it; --head BYTES shows more, --raw all")
	}
}

func (l *fileList) Print(p *cli.Printer) {
	if len(l.Files) == 0 {
		p.None("large files", "")
		return
	}
	rows := make([][]string, len(l.Files))
	for i, f := range l.Files {
		rows[i] = []string{
			ui.LineN(f.ID, 40), ui.Size(f.Bytes), ui.LineN(f.MIME, 30), cli.When(f.CreatedAt), ui.LineN(f.Name, 40), cli.Preview(f.Exploration),
		}
	}
	p.Table([]cli.Column{
		{Title: "id"},
		{Title: "size", Right: true},
		{Title: "type", Spare: true},
		{Title: "at", Style: p.Styles.Muted, Spare: true},
		{Title: "name", Grows: true},
		{Title: "what the model sees", Grows: true},
	}, rows)
	l.More(p)
}
