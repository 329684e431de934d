package cli

import (
	"strconv"

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

func (r *spaceResult) Print(p *printer) {
	p.title(ui.Line(r.Path))
	p.fact("file", ui.Size(r.FileBytes)+r.afterText())
	p.fact("-wal", ui.Size(r.WALBytes))
	p.fact("free pages", ui.Size(r.FreeBytes))
	p.line("")
	r.groupText(p)
	r.copiesText(p)
	r.besideText(p)
	r.leversText(p)
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
func (r *spaceResult) groupText(p *printer) {
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
	columns := []column{
		{title: "id", right: true}, {title: r.By, grows: true}, {title: "rows", right: true, spare: true}, {title: "size", right: true}, {title: "share", right: true}, {title: "", spare: true},
	}
	if space.By(r.By) != space.ByConversation {
		columns = columns[1:]
		for i := range rows {
			rows[i] = rows[i][1:]
		}
	}
	p.table(columns, rows)
	if left := len(r.Groups) - len(shown); left > 0 {
		p.muted(plural.Count(left, "more", "more") + ": --limit " + ui.Num(int64(len(r.Groups))))
	}
	r.more(p)
}

// idOf is the id of the conversation that a group is; empty where it is none.
func idOf(g spaceGroup) string {
	if g.Conversation == nil {
		return ""
	}
	return strconv.FormatInt(*g.Conversation, 10)
}

// nameOf is what a group is called.
func (r *spaceResult) nameOf(g spaceGroup) string {
	if g.Name == nil {
		return space.NameOfNone(space.By(r.By))
	}
	if g.Archived != nil && *g.Archived {
		return *g.Name + " (archived)"
	}
	return *g.Name
}

func (r *spaceResult) copiesText(p *printer) {
	c := r.Copies
	if c.Messages == 0 && c.Parts == 0 {
		return
	}
	p.line("")
	p.title("copies of each text of a message")
	sizes := [][]string{
		{"messages.content", ui.Size(c.Messages)},
		{"message_parts.text_content", ui.Size(c.Parts)},
		{"message_parts.metadata, raw", ui.Size(c.Raw)},
		{"messages_fts", ui.Size(c.Search)},
	}
	p.table([]column{{title: "column"}, {title: "texts", right: true}}, sizes)
}

func (r *spaceResult) besideText(p *printer) {
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
	p.line("")
	p.title("beside the file")
	p.table([]column{{title: "what"}, {title: "files", right: true}, {title: "size", right: true}}, rows)
	for _, path := range b.Paths {
		p.line("  left: " + ui.Line(path))
	}
}

func (r *spaceResult) leversText(p *printer) {
	var rows [][]string
	for _, l := range r.Levers {
		if l.Bytes > 0 {
			about, n := space.Lever{Verb: l.Verb}, "–"
			if l.Rows > 0 {
				n = ui.Num(l.Rows)
			}
			rows = append(rows, []string{program + " " + l.Verb, n, ui.Size(l.Bytes), about.Explain()})
		}
	}
	p.line("")
	if len(rows) == 0 {
		p.muted("no cleaning would give anything back")
		return
	}
	p.title("what cleaning gives back")
	p.table([]column{{title: "command"}, {title: "rows or files", right: true, spare: true}, {title: "size", right: true}, {title: "what it does", grows: true}}, rows)
	p.muted("prune also takes what to prune, such as --older-than 90d or --archived, and first shows what would change")
}
