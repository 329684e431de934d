package read

import (
	"strings"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/ui"
)

// databaseInfo is the result of info.
type databaseInfo struct {
	Path     string           `json:"path"`
	Kind     string           `json:"kind"`
	Level    *string          `json:"level"`
	Relative bool             `json:"relative"`
	Note     *string          `json:"note"`
	Bytes    int64            `json:"bytes"`
	Writable bool             `json:"writable"`
	Why      *string          `json:"read_only_because"`
	Rows     map[string]int64 `json:"rows"`
	Coverage *coverage        `json:"coverage"`
	Host     hostInfo         `json:"host"`
	Tables   []string         `json:"tables"`
	Missing  []string         `json:"missing_tables"`
	Search   []string         `json:"search_tables"`
	Broken   []string         `json:"broken_search_tables"`
	Triggers []data.Trigger   `json:"triggers,omitempty"`
	infoPlaces
	generationInfo
	cli.WarningList
	kind data.Kind
}

// infoPlaces is where a database was looked for, and what stands beside it.
type infoPlaces struct {
	State  string          `json:"state_dir"`
	Files  string          `json:"files_dir"`
	Looked []searchedPath  `json:"looked"`
	Others []otherDatabase `json:"other_databases"`
}

// searchedPath is a place that was asked for the database.
type searchedPath struct {
	Where string  `json:"where"`
	Path  *string `json:"path"`
}

func (i *databaseInfo) Print(p *cli.Printer) {
	p.Fact("database", ui.Line(i.Path))
	p.Fact("written by", ui.Line(i.kind.String()))
	if i.Note != nil {
		p.Fact("", ui.Line(*i.Note))
	}
	i.generationInfo.Print(p)
	p.Fact("size", ui.Size(i.Bytes))
	for _, t := range []string{"conversations", "messages", "summaries", "context_items", "large_files"} {
		p.Fact(strings.ReplaceAll(t, "_", " "), ui.Num(i.Rows[t]))
	}
	i.Coverage.print(p)
	i.Host.print(p)
	if i.Writable {
		p.Fact("changes", "can be written")
	} else {
		p.Fact("changes", "read-only: "+ui.Line(*i.Why))
	}
	p.Fact("search tables", orDash(i.Search))
	if len(i.Broken) > 0 {
		p.Fact("", cli.Styled(p.Styles.Warn, "broken: "+orDash(i.Broken)))
	}
	for _, t := range i.Triggers {
		p.Fact("trigger", cli.Styled(p.Styles.Warn, ui.Line(t.Name+" on "+t.Table)))
	}
	if len(i.Missing) > 0 {
		p.Fact("missing", cli.Styled(p.Styles.Warn, orDash(i.Missing)))
	}
	p.Fact("state folder", ui.Line(i.State))
	p.Fact("large files", ui.Line(i.Files))
	for n, at := range i.Looked {
		name := ""
		if n == 0 {
			name = "looked in"
		}
		p.Fact(name, searchedLine(at))
	}
	i.others(p)
}

// otherDatabase is a database of this machine that isn't the one that is open.
type otherDatabase struct {
	Path    string  `json:"path"`
	Program *string `json:"program"`
	Project *string `json:"project"`
}

// maxOthers is how many of them are printed.
const maxOthers = 10

// others prints which other databases are on this machine.
func (i *databaseInfo) others(p *cli.Printer) {
	for n, other := range i.Others {
		name := ""
		if n == 0 {
			name = "others"
		}
		if n == maxOthers {
			p.Fact(name, "and "+ui.Num(int64(len(i.Others)-n))+" more: "+cli.Program+" databases lists them")
			return
		}
		text := ui.Line(other.Path)
		if other.Project != nil {
			text += ", of " + ui.Line(*other.Project)
		}
		p.Fact(name, text)
	}
}

func searchedLine(at searchedPath) string {
	if at.Path == nil {
		return ui.Line(at.Where) + ": not set"
	}
	return ui.Line(at.Where) + ": " + ui.Line(*at.Path)
}

func orDash(names []string) string {
	if len(names) == 0 {
		return "–"
	}
	return ui.Line(strings.Join(names, ", "))
}
