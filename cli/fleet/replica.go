package fleet

import (
	"context"
	"strings"

	"lcm-tui/cli"
	"lcm-tui/data/postgres"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/replica"
	"lcm-tui/ui"
)

// initialize runs the action init: the schema of the replica is made or migrated.
func (f *fleetFlags) initialize(ctx context.Context) (cli.Result, error) {
	address, err := f.target.address(f.app)
	if err != nil {
		return nil, err
	}
	conn, err := address.Connect(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	done, err := conn.Initialize(ctx, origin(f.app))
	if err != nil {
		return nil, err
	}
	return &initialized{Replica: conn.Place(), From: done.From, To: done.To, Applied: append([]string{}, done.Applied...), NoRoles: done.NoRoles}, nil
}

// initialized is the result of fleet init.
type initialized struct {
	Replica string   `json:"replica"`
	From    int      `json:"from_version"` // 0 is no schema.
	To      int      `json:"to_version"`
	Applied []string `json:"migrations"`
	NoRoles bool     `json:"without_roles"`
	cli.WarningList
}

// Print implements cli.Result.
func (r *initialized) Print(p *cli.Printer) {
	switch {
	case len(r.Applied) == 0:
		p.Linef("%s has the schema of version %d already", ui.Line(r.Replica), r.To)
	case r.From == 0:
		p.Linef("made the schema lcm, version %d, in %s", r.To, ui.Line(r.Replica))
	default:
		p.Linef("brought the schema lcm in %s from version %d to %d", ui.Line(r.Replica), r.From, r.To)
	}
	if r.NoRoles {
		p.Line("the roles lcm_owner, lcm_sync, lcm_read and lcm_metrics don't exist, and this user may not create them: only the user can use the schema")
		return
	}
	p.Line("let a user sync with: GRANT lcm_sync TO …; let one read with lcm_read, or only counts with lcm_metrics")
}

// sources runs the action sources: which databases a replica has.
func (f *fleetFlags) sources(ctx context.Context) (cli.Result, error) {
	conn, err := f.target.connect(ctx, f.app, false)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	all, err := replica.Sources(ctx, conn)
	return &sourceList{Replica: conn.Place(), Sources: append([]replica.Source{}, all...), app: f.app}, err
}

// sourceList is the result of fleet sources.
type sourceList struct {
	Replica string           `json:"replica"`
	Sources []replica.Source `json:"sources"`
	cli.WarningList

	app *cli.App
}

// Print implements cli.Result.
func (r *sourceList) Print(p *cli.Printer) {
	if len(r.Sources) == 0 {
		p.Line("the replica has no database yet; lcm-tui sync --apply on a machine sends its own")
		return
	}
	var rows [][]string
	var filtered []string
	for _, s := range r.Sources {
		synced := "never whole"
		if s.SyncedAt != nil {
			synced = ui.Ago(*s.SyncedAt, r.app.Now())
		}
		level := string(s.Level)
		if s.Redacted {
			level += ", redacted"
		}
		if s.DeletedOf != 0 {
			level += ", deleted rows"
		} else if !s.Filter.IsEmpty() {
			level += ", some conversations"
			filtered = append(filtered, ui.Line(s.Name)+" has only "+ui.Line(s.Filter.String()))
		}
		rows = append(rows, []string{ui.Line(s.Name), ui.Line(s.Host), ui.Line(s.Path), ui.Size(s.Bytes), level, synced})
	}
	p.Table([]cli.Column{{Title: "source"}, {Title: "host"}, {Title: "file", Grows: true}, {Title: "size", Right: true}, {Title: "level", Spare: true}, {Title: "equal", Right: true}}, rows)
	for _, line := range filtered {
		p.Line(line)
	}
	p.Line(plural.Count(len(r.Sources), "database", "databases"))
}

// forget runs the action forget: everything that a replica has of a database is deleted.
func (f *fleetFlags) forget(ctx context.Context, name string) (cli.Result, error) {
	conn, err := f.target.connect(ctx, f.app, true)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	rows, names, err := replica.Forget(ctx, conn, name, postgres.Principal(), origin(f.app))
	if err != nil {
		return nil, err
	}
	return &forgotten{Replica: conn.Place(), Source: name, Sources: names, Rows: rows}, nil
}

// forgotten is the result of fleet forget.
type forgotten struct {
	Replica string   `json:"replica"`
	Source  string   `json:"source"`
	Sources []string `json:"forgotten"` // It, and the one with what was deleted from it.
	Rows    int64    `json:"deleted_rows"`
	cli.WarningList
}

// Print implements cli.Result.
func (r *forgotten) Print(p *cli.Printer) {
	p.Linef("deleted %s of %s from %s; the database on the machine itself stays as it is, and so does the audit", plural.Count(r.Rows, "row", "rows"), ui.Line(strings.Join(r.Sources, " and ")), ui.Line(r.Replica))
}

// restore runs the action restore: a database of a replica is written into a new file.
func (f *fleetFlags) restore(ctx context.Context, c *cli.Invocation, name, to string) (cli.Result, error) {
	conn, err := f.target.connect(ctx, f.app, false)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	r, err := replica.Restore(ctx, conn, replica.RestoreOptions{Source: name, To: to, Principal: postgres.Principal(), Origin: origin(f.app), Report: c.Progress()})
	if err != nil {
		return nil, err
	}
	return &restored{Restored: *r}, nil
}

// restored is the result of fleet restore.
type restored struct {
	replica.Restored
	cli.WarningList
}

// Print implements cli.Result.
func (r *restored) Print(p *cli.Printer) {
	p.Linef("wrote %s with %s of %s, %s", ui.Line(r.Path), plural.Count(r.Rows, "row", "rows"), ui.Line(r.Source), ui.Size(r.Bytes))
	if !r.Filter.IsEmpty() {
		p.Line("the replica has only " + ui.Line(r.Filter.String()))
	}
	for _, name := range r.Skipped {
		p.Linef("left out: %s", ui.Line(name))
	}
}
