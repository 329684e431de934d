package proof

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/columntexts"
	"lcm-tui/engine/search"
)

// explain says why a place has something, and what to do about it.
func (p *Place) explain() {
	if p.Why != "" {
		return
	}
	switch p.Kind {
	case MessagePlace:
		p.Why = "another message has words of them"
		if p.Words {
			p.Why = "the query finds it"
		}
		p.Next = "lcm-tui trace " + p.Where + " says where it stands; forget it too, with a query that finds it"
	case SummaryPlace:
		p.Why, p.Next = "a summary says the same", "lcm-tui edit "+p.Where+" --file FILE puts your own text in its place"
		if p.depth > 0 {
			p.Next = fmt.Sprintf("change the summaries below it first; then lcm-tui rewrite %d %s --apply makes it again from them, or lcm-tui edit %s --file FILE", p.Conversation, p.Where, p.Where)
		}
	case FocusPlace:
		p.Why, p.Next = "a focus brief says the same", "let the host make a new focus; no command of lcm-tui changes one"
	case MemoryPlace:
		p.Why, p.Next = "an entry of memory says the same", "lcm-tui memory edit "+p.Where+" --file FILE puts your own text in its place"
	case LargeFile:
		p.Why, p.Next = "a large file or its description has it", "delete the file once no message needs it: its row stays, and a model learns that it is gone"
	case RecordPlace:
		p.Why, p.Next = "a record of lcm-tui keeps it, so that its change can be undone", "lcm-tui prune history --older-than 1d --apply removes records a day later"
	case PagePlace:
		p.Why, p.Next = "free space of the file has it, of rows that were changed earlier", "stop the host and give the space back: lcm-tui reclaim"
	case WALPlace:
		p.Why, p.Next = "another program keeps the -wal from being emptied", "stop it and empty the -wal: lcm-tui reclaim --wal"
	case TrashPlace:
		p.Why, p.Next = "the trash keeps it, so that it can be undone", "lcm-tui trash lists its files; lcm-tui trash empty TRASH --apply deletes one for good"
	default:
		p.explainFile()
	}
}

// OnScreen returns what to do about it for who reads it on a screen, where no command can be typed.
func (p *Place) OnScreen() string {
	switch p.Kind {
	case MessagePlace:
		return "forget it too, with a query that finds it"
	case SummaryPlace:
		if p.depth > 0 {
			return "change the summaries below it first; then rewrite it, which makes it again from them, or edit it"
		}
		return "edit it, and put your own text in its place"
	case MemoryPlace:
		return "edit it among the entries of promoted memory, and put your own text in its place"
	case FocusPlace:
		return "let the host make a new focus: nothing else changes one"
	case RowPlace:
		return "nothing here changes it; look at it with SQLite"
	case RecordPlace:
		return "prune the history a day later: the screen Space has it under Cleaning"
	case PagePlace:
		return "stop the host, and give the space back: the screen Space has it under Cleaning"
	case WALPlace:
		return "stop it, and empty the -wal: the screen Space has it under Cleaning"
	case TrashPlace:
		return "the screen Trash lists its files, and deletes one for good"
	case BackupPlace:
		return "delete the copy, or open it and forget it there, too"
	default:
		return p.Next
	}
}

// explainFile says it of files beside the database and of other rows.
func (p *Place) explainFile() {
	switch p.Kind {
	case BackupPlace:
		p.Why, p.Next = "a copy of the database has it", "delete the copy, or forget it there too: lcm-tui --db FILE prune text --matching QUERY"
	case SessionPlace:
		p.Why, p.Next = "the host's own session file has it, which lcm-tui leaves alone", "let the host delete the session, or delete the file once its session has ended"
	case CachePlace:
		p.Why, p.Next = "an answer of a model is kept for the next time", "delete the file: it costs a call of the model when it is needed again"
	case SearchPlace:
		p.Why, p.Next = "the words that were searched are kept", "take the line out of the file"
	case RowPlace:
		p.Why, p.Next = "a row of another table has it", "no command of lcm-tui changes it; look at it with SQLite"
	default:
		p.Why, p.Next = "a file beside the database has it", "delete the file, if nothing needs it"
	}
}

// messageID returns the id by which a message is called in queries.
func messageID(id int64) string { return search.Hit{Kind: search.MessageKind, Message: id}.ID() }

// kindsByTable are what the rows of tables are.
var kindsByTable = map[string]Kind{
	"messages": MessagePlace, "message_parts": MessagePlace, "summaries": SummaryPlace, "large_files": LargeFile, "focus_briefs": FocusPlace, "promoted": MemoryPlace,
}

// placeOf names the place of a cell.
func placeOf(ctx context.Context, db *data.DB, cell columntexts.Cell) (p Place, message int64, err error) {
	at, err := columntexts.Locate(ctx, db, cell)
	if err != nil {
		return p, 0, err
	}
	p = Place{Kind: RowPlace, Conversation: at.Conversation, Columns: []string{cell.Table.Name + "." + cell.Column}}
	name, column := cell.Table.Name, ""
	switch {
	case at.Message != 0:
		p.Kind, p.Where = MessagePlace, messageID(at.Message)
		return p, at.Message, nil
	case cell.Table.Search == data.MessageIndex: // A row of the index alone.
		p.Kind = RowPlace
	case cell.Table.Search != "" && cell.Table.Has("c0"):
		p.Kind, column = SummaryPlace, "c0"
	case strings.HasPrefix(name, "lcm_tui_"):
		p.Kind = RecordPlace
	case kindsByTable[name] != "":
		p.Kind = kindsByTable[name]
	}
	if key := db.Schema().Key(name); column == "" && p.Kind != RowPlace && len(key) > 0 {
		column = key[0] // By it commands name the row.
	}
	p.Where = name + " " + cell.KeyText()
	if column == "" || !cell.Table.HasNumbers() || !cell.Table.Has(column) {
		return p, 0, nil
	}
	var id data.Text
	query := "SELECT " + data.QuoteName(column) + " FROM " + data.QuoteName(name) + " WHERE rowid = ?"
	if _, err := data.One(ctx, db, "read "+name, query, cell.Key, &id); err != nil {
		return p, 0, err
	}
	if id != "" {
		p.Where = string(id)
	}
	if p.Kind == RecordPlace {
		p.Where = "record " + p.Where
	}
	if p.Kind == SummaryPlace {
		_, err = data.One(ctx, db, "read summaries", "SELECT depth FROM summaries WHERE summary_id = ?", []any{p.Where}, (*data.Integer)(&p.depth))
	}
	return p, 0, err
}

// placeList collects places, each once.
type placeList struct {
	list []Place
	at   map[string]int
}

// find returns the place like p, which it adds where there is none.
func (l *placeList) find(p Place) *Place {
	if l.at == nil {
		l.at = map[string]int{}
	}
	key := string(p.Kind) + "\x00" + p.Where
	i, known := l.at[key]
	if !known {
		i = len(l.list)
		l.at[key] = i
		l.list = append(l.list, p)
		return &l.list[i]
	}
	old := &l.list[i]
	for _, c := range p.Columns {
		if !slices.Contains(old.Columns, c) {
			old.Columns = append(old.Columns, c)
		}
	}
	return old
}
