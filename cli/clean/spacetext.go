package clean

import (
	"strconv"

	"lcm-tui/cli"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/space"
	"lcm-tui/ui"
)

// spaceBarWidth is how wide the bars are, and spaceGroups how many groups are printed where
// nobody says.
const (
	spaceBarWidth = 24
	spaceGroups   = 25
)

func (r *spaceResult) Print(p *cli.Printer) {
	p.Title(ui.Line(r.Path))
	if r.isServer {
		p.Fact("size", ui.Size(r.FileBytes)+r.estimateText())
	} else {
		p.Fact("file", ui.Size(r.FileBytes)+r.afterText())
		p.Fact("-wal", ui.Size(r.WALBytes))
		p.Fact("free pages", ui.Size(r.FreeBytes))
	}
	p.Line("")
	r.groupText(p)
	r.copiesText(p)
	r.besideText(p)
	r.leversText(p)
}

// estimateText says what the sizes of tables are made from where they weren't counted.
func (r *spaceResult) estimateText() string {
	if !r.Estimated {
		return ", with indexes"
	}
	return ", that of the file on its machine, shared by the bytes of rows"
}

// afterText says how large the file will be without its free space.
func (r *spaceResult) afterText() string {
	about := ""
	if r.Estimated {
		about = "about "
	}
	return ", " + about + ui.Size(r.AfterBytes) + " once its free space is given back"
}

// groupText prints the groups with bars.
func (r *spaceResult) groupText(p *cli.Printer) {
	shown := r.Groups
	if !r.limited && len(shown) > spaceGroups {
		shown = shown[:spaceGroups]
	}
	total := max(1, r.FileBytes)
	var rows [][]string
	for _, g := range shown {
		share := float64(g.Bytes) / float64(total)
		rows = append(rows, []string{idOf(g), ui.Line(r.nameOf(g)), ui.Num(g.Rows), ui.Size(g.Bytes), ui.Percent(share), ui.Bar(spaceBarWidth, share)})
	}
	columns := []cli.Column{
		{Title: "id", Right: true}, {Title: r.By, Grows: true}, {Title: "rows", Right: true, Spare: true}, {Title: "size", Right: true}, {Title: "share", Right: true}, {Title: "", Spare: true},
	}
	if space.By(r.By) != space.ByConversation {
		columns = columns[1:]
		for i := range rows {
			rows[i] = rows[i][1:]
		}
	}
	p.Table(columns, rows)
	if left := len(r.Groups) - len(shown); left > 0 {
		p.Muted(plural.Count(left, "more", "more") + ": --limit " + ui.Num(int64(len(r.Groups))))
	}
	r.More(p)
}

// idOf returns the id of the conversation that a group is; empty where it is none.
func idOf(g spaceGroup) string {
	if g.Conversation == nil {
		return ""
	}
	return strconv.FormatInt(*g.Conversation, 10)
}

// nameOf returns what a group is called.
func (r *spaceResult) nameOf(g spaceGroup) string {
	if g.Name == nil {
		return space.NameOfNone(space.By(r.By))
	}
	if g.Archived != nil && *g.Archived {
		return *g.Name + " (archived)"
	}
	return *g.Name
}

func (r *spaceResult) copiesText(p *cli.Printer) {
	c := r.Copies
	if c.Messages == 0 && c.Parts == 0 {
		return
	}
	p.Line("")
	p.Title("copies of each text of a message")
	sizes := [][]string{{"messages.content", ui.Size(c.Messages)}, {"message_parts.text_content", ui.Size(c.Parts)}}
	if !r.isServer {
		sizes = append(sizes, []string{"message_parts.metadata, raw", ui.Size(c.Raw)}, []string{"messages_fts", ui.Size(c.Search)})
	}
	p.Table([]cli.Column{{Title: "column"}, {Title: "texts", Right: true}}, sizes)
}

func (r *spaceResult) besideText(p *cli.Printer) {
	b := r.Beside
	var rows [][]string
	for _, f := range []struct {
		name string
		spaceFiles
	}{
		{"large files", b.LargeFiles},
		{"large files that no row names", b.Unnamed},
		{"backups", b.Backups},
		{"trash", b.Trash},
		{"cached answers of models", b.Cache},
		{"left by commands that were killed", b.Leftovers},
	} {
		if f.Files > 0 {
			rows = append(rows, []string{f.name, ui.Num(f.Files), ui.Size(f.Bytes)})
		}
	}
	if len(rows) == 0 {
		return
	}
	p.Line("")
	p.Title("beside the file")
	p.Table([]cli.Column{{Title: "what"}, {Title: "files", Right: true}, {Title: "size", Right: true}}, rows)
	for _, path := range b.Paths {
		p.Line("  left: " + ui.Line(path))
	}
}

func (r *spaceResult) leversText(p *cli.Printer) {
	var rows [][]string
	for _, l := range r.Levers {
		if l.Bytes > 0 {
			about, n := space.Lever{Verb: l.Verb}, "–"
			if l.Rows > 0 {
				n = ui.Num(l.Rows)
			}
			rows = append(rows, []string{cli.Program + " " + l.Verb, n, ui.Size(l.Bytes), about.Explain()})
		}
	}
	p.Line("")
	if r.isServer {
		p.Muted("only files are cleaned")
		return
	}
	if len(rows) == 0 {
		p.Muted("no cleaning would give anything back")
		r.refusedText(p)
		return
	}
	p.Title("what cleaning gives back")
	p.Table([]cli.Column{{Title: "command"}, {Title: "rows or files", Right: true, Spare: true}, {Title: "size", Right: true}, {Title: "what it does", Grows: true}}, rows)
	r.refusedText(p)
	p.Muted("prune also takes what to prune, such as --older-than 90d or --archived, and first shows what would change")
}

// refusedText says what each cleaning leaves as it is in a file of a host of 1.0, and why.
func (r *spaceResult) refusedText(p *cli.Printer) {
	for _, l := range r.Levers {
		if !r.anchored {
			return
		}
		for _, f := range l.Refused {
			p.Muted(l.Verb + " leaves " + plural.Count(len(f.Conversations), "conversation", "conversations") + ": " + f.Reason)
		}
	}
}
