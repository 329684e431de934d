package agents

import (
	"slices"

	"lcm-tui/cli"
	"lcm-tui/clients/install"
	"lcm-tui/ui"
)

// installResult is the result of install and uninstall.
type installResult struct {
	Client  string          `json:"client"`
	Scope   install.Scope   `json:"scope"`
	Changes []installedFile `json:"changes"`
	Notes   []string        `json:"notes,omitempty"` // What has nothing to do.
	Applied bool            `json:"applied"`
	// Database is one that was created for the hooks.
	Database string `json:"created_database,omitempty"`
	cli.WarningList
}

// installedFile is what becomes of one file.
type installedFile struct {
	Part    install.Part `json:"part"`
	Path    string       `json:"path"`
	Target  *string      `json:"target,omitempty"` // Behind links.
	Diff    string       `json:"diff"`
	Removes bool         `json:"removes"` // The file goes.
	Notes   []string     `json:"notes,omitempty"`
	Backup  *string      `json:"backup"`

	change *install.Change
}

func (r *installResult) Print(p *cli.Printer) {
	for _, note := range r.Notes {
		p.Muted(ui.Line(note))
	}
	for _, row := range r.Changes {
		if r.Applied {
			row.outcome(p)
			continue
		}
		p.Write(cli.Styled(p.Styles.Muted, ui.Line(row.Path)) + "\n")
		p.Unified(row.Diff)
		for _, note := range row.Notes {
			p.Block("note: " + ui.Line(note))
		}
	}
	if r.Database != "" {
		p.Fact("created", ui.Line(r.Database))
	}
	if !r.Applied {
		p.Muted("nothing was written; --apply writes it")
	}
}

// outcome says what was written.
func (f *installedFile) outcome(p *cli.Printer) {
	verb := "wrote"
	if f.Removes {
		verb = "removed"
	}
	p.Fact(verb, ui.Line(f.Path))
	if f.Target != nil {
		p.Fact("behind links", ui.Line(*f.Target))
	}
	if f.Backup != nil {
		p.Fact("backup", ui.Line(*f.Backup))
	}
	for _, note := range slices.Concat(f.Notes, f.change.NextSteps()) {
		p.Block("note: " + ui.Line(note))
	}
}

// snippetResult is the result of install for a client whose configuration isn't written.
type snippetResult struct {
	Client  string         `json:"client"`
	Server  install.Server `json:"server"`
	Snippet string         `json:"snippet"`
	cli.WarningList

	title string
}

func (r *snippetResult) Print(p *cli.Printer) {
	p.Muted("nothing was written; add this to the configuration of " + r.title)
	p.Write(ui.Sanitize(r.Snippet))
}
