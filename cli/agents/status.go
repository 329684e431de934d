package agents

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/clients"
	"lcm-tui/clients/install"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/openclaw"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/follow"
	"lcm-tui/ui"
	"lcm-tui/work"
)

// memoryStatus is the result of status.
type memoryStatus struct {
	Database    databaseState `json:"database"`
	Host        hostState     `json:"host"`
	Clients     []clientState `json:"clients"`
	Follow      followState   `json:"follow"`
	Work        workState     `json:"work"`
	LastImport  *string       `json:"last_import"`
	LastCompact *string       `json:"last_compact"`
	LastPromote *string       `json:"last_promote"`
	cli.WarningList
}

// databaseState is the database that hooks write into.
type databaseState struct {
	Path   string  `json:"path"`
	Found  bool    `json:"found"`
	Kind   *string `json:"kind"`
	Bytes  int64   `json:"bytes"`
	Reason *string `json:"not_writable_because"`
}

// hostState is what the configuration of OpenClaw says about its memory.
type hostState struct {
	State   string `json:"state"` // A word of those below.
	Enabled *bool  `json:"plugin_enabled"`
	Slot    string `json:"slot"`
}

// The states of a host.
const (
	hostAbsent     = "absent"     // There is no openclaw.json.
	hostUnreadable = "unreadable" // It can't be understood.
	hostOff        = "off"        // The plugin is turned off, or another one is in its slot.
	hostOn         = "on"
)

// clientState is what a client has of this program.
type clientState struct {
	Client string            `json:"client"`
	Hooks  string            `json:"hooks"`
	Trust  *string           `json:"trust"`
	MCP    bool              `json:"mcp"`
	Last   map[string]string `json:"last_firing"` // By event.
}

// followState is how far session files are imported.
type followState struct {
	Files int    `json:"files"`    // That were imported, and are still there.
	Dying int    `json:"dying_7d"` // That their client deletes within seven days, and that aren't imported as a whole.
	Lag   *int64 `json:"lag_s"`    // The age of the oldest write that isn't imported; null where all is.
}

// workState is what hooks asked for, and what it cost today.
type workState struct {
	Queued  int        `json:"queued"`  // Due.
	Running int        `json:"running"` // 1 while a process does what waits.
	Blocked int        `json:"blocked"` // Waits for a later time, after a failure or at the limit of the day.
	Paused  bool       `json:"paused"`
	Spend   work.Spend `json:"spend_today"`
}

func statusCommand(a *cli.App) *cobra.Command {
	cmd := a.Command(cli.GroupAgents, "status", "Show whether the memory of coding agents works", readMemoryStatus)
	cmd.Long = `Shows whether coding agents are remembered: the database, the host, the hooks and tools that
each client has, when each hook ran last, and how far session files are imported. It counts
no rows, so that it is quick on a large file; lcm-tui stats counts, and lcm-tui info shows
which database this is.

Writes nothing.`
	cmd.Example = "  lcm-tui status\n  lcm-tui status --json"
	return cmd
}

func readMemoryStatus(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	c.OwnDatabase = true
	l, err := c.Locate()
	if err != nil {
		return nil, err
	}
	r := &memoryStatus{Database: databaseState{Path: l.Database}, Host: readHost(l)}
	var offsets map[string]int64
	if l.Database != "" && cli.DatabaseExists(l.Database) {
		if offsets, err = r.readDatabase(ctx, c); err != nil {
			return nil, err
		}
	}
	last := map[string]map[string]string{}
	if state := openclaw.OwnState(c.Sys.Env); state != "" && l.Database != "" {
		notes, err := work.OpenToRead(ctx, work.Folder(state, l.Database))
		if err != nil {
			return nil, err
		}
		if notes != nil {
			last, err = r.readNotes(ctx, notes)
			if r.Work.Running = 0; (work.Locks{State: state}).CheckPass(ctx, l.Database) != nil {
				r.Work.Running = 1
			}
			if err = errors.Join(err, notes.Close()); err != nil {
				return nil, err
			}
		}
	}
	program, err := c.Sys.ProgramPath()
	if err != nil {
		return nil, err
	}
	look := install.Inspection{Environment: c.Clients(), Program: program, Database: l.Database}
	for _, s := range look.Statuses() {
		one := clientState{Client: s.Client.Name, Hooks: s.Hooks, Trust: cli.OrNull(s.Trust), MCP: s.MCP, Last: last[s.Client.Name]}
		if one.Last == nil {
			one.Last = map[string]string{}
		}
		r.Clients = append(r.Clients, one)
	}
	r.Follow = readFollowState(ctx, c, offsets)
	return r, ctx.Err()
}

// readHost returns what the configuration of the host says.
func readHost(l openclaw.Locations) hostState {
	h := hostState{State: hostOn, Slot: l.Host.Slot}
	switch {
	case l.HostErr != nil:
		h.State = hostUnreadable
		return h
	case !l.Host.Found:
		h.State = hostAbsent
		return h
	case l.Host.IsDisabled, !l.Host.IsSelected(), !l.Host.IsAllowed():
		h.State = hostOff
	}
	enabled := !l.Host.IsDisabled
	h.Enabled = &enabled
	return h
}

// readDatabase notes what the database is, and returns how far transcripts were imported. It counts no rows.
func (r *memoryStatus) readDatabase(ctx context.Context, c *cli.Invocation) (map[string]int64, error) {
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	r.Database = databaseState{Path: db.Path(), Found: true, Kind: cli.OrNull(db.Kind().String()), Bytes: db.Size()}
	if err := db.Writable(); err != nil {
		r.Database.Reason = cli.OrNull(err.Error())
	}
	compacted, err := lcm.LastInserted(ctx, db, "summaries")
	if err != nil {
		return nil, err
	}
	promoted, err := lcm.LastInserted(ctx, db, "promoted")
	if err != nil {
		return nil, err
	}
	r.LastCompact, r.LastPromote = cli.OrNull(compacted), cli.OrNull(promoted)
	return cli.ImportedOffsets(ctx, c, db)
}

// readNotes notes the last import, and returns when hooks ran last, by client and event.
func (r *memoryStatus) readNotes(ctx context.Context, notes *work.Sidecar) (last map[string]map[string]string, err error) {
	receipts, err := notes.Receipts(ctx)
	if err != nil {
		return nil, err
	}
	last = map[string]map[string]string{}
	for _, one := range receipts {
		if last[one.Client] == nil {
			last[one.Client] = map[string]string{}
		}
		last[one.Client][one.Event] = one.At
	}
	at, err := notes.LastImport(ctx)
	r.LastImport = cli.OrNull(at)
	return last, errors.Join(err, r.readWork(ctx, notes))
}

// readWork reads what waits and what it cost.
func (r *memoryStatus) readWork(ctx context.Context, notes *work.Sidecar) error {
	jobs, err := notes.Jobs(ctx, 0)
	if err != nil {
		return err
	}
	now := time.Now()
	for _, j := range jobs {
		if j.NotBefore > data.FormatTimeMillis(now) {
			r.Work.Blocked++
		} else {
			r.Work.Queued++
		}
	}
	since, err := notes.Paused(ctx)
	if err != nil {
		return err
	}
	r.Work.Paused = since != ""
	r.Work.Spend, err = notes.Today(ctx, now)
	return err
}

// readFollowState looks how far the session files that were imported before are imported now.
func readFollowState(ctx context.Context, c *cli.Invocation, offsets map[string]int64) (f followState) {
	claude, retention := clients.ClaudeCode.Sessions(c.Sys.Env), c.Clients().RetentionOf(string(clients.ClaudeCode))
	found, _ := follow.List(ctx, slices.DeleteFunc(clients.SessionFolders(c.Sys.Env), func(folder string) bool { return !cli.FileExists(folder) }))
	ignored := cli.KeepsNothingOf(ctx, c.Sys.Env)
	for _, s := range found { // Those that were written longest ago first.
		offset, ok := offsets[s.Path]
		if offset < s.Size && strings.HasPrefix(s.Path, claude) && retention.DiesWithin(dyingDays, s.ModTime, time.Now()) && !ignored(s.Path) {
			f.Dying++
		}
		if !ok {
			continue
		}
		if f.Files++; offset < s.Size && f.Lag == nil {
			age := max(int64(time.Since(s.ModTime)/time.Second), 0)
			f.Lag = &age
		}
	}
	return f
}

// Print implements cli.Result.
func (r *memoryStatus) Print(p *cli.Printer) {
	text := func(s *string, none string) string {
		if s == nil {
			return none
		}
		return ui.Line(*s)
	}
	switch d := r.Database; {
	case !d.Found:
		p.Fact("database", ui.Line(strings.TrimSpace(d.Path+" is not there; lcm-tui init makes it")))
	case d.Reason != nil:
		p.Fact("database", ui.Line(d.Path+" can't be written: "+*d.Reason))
	default:
		p.Fact("database", ui.Line(d.Path)+", "+ui.Size(d.Bytes))
	}
	host := r.Host.State
	if r.Host.Slot != "" {
		host += ", its slot has " + r.Host.Slot
	}
	p.Fact("host", ui.Line(host))
	p.Fact("imported", text(r.LastImport, "never"))
	p.Fact("compacted", text(r.LastCompact, "never"))
	if r.LastPromote != nil {
		p.Fact("promoted", text(r.LastPromote, ""))
	}
	behind := "all is imported"
	if r.Follow.Lag != nil {
		behind = "behind for " + (time.Duration(*r.Follow.Lag) * time.Second).String()
	}
	waits := plural.Count(r.Work.Queued, "job waits", "jobs wait")
	if r.Work.Blocked > 0 {
		waits += ", " + plural.Count(r.Work.Blocked, "is", "are") + " put off"
	}
	if r.Work.Paused {
		waits += ", paused"
	}
	p.Fact("work", fmt.Sprintf("%s; today %s of models, $%.4f", waits, plural.Count(r.Work.Spend.Calls, "call", "calls"), r.Work.Spend.Dollars))
	if r.Follow.Dying > 0 {
		behind += ", " + plural.Count(r.Follow.Dying, "dies", "die") + " unsaved within seven days"
	}
	p.Fact("session files", plural.Count(r.Follow.Files, "file", "files")+" followed, "+behind)
	p.Line("")
	var rows [][]string
	for _, c := range r.Clients {
		tools := "no"
		if c.MCP {
			tools = "yes"
		}
		var last []string
		for _, event := range slices.Sorted(maps.Keys(c.Last)) {
			last = append(last, fmt.Sprintf("%s %s", event, c.Last[event]))
		}
		rows = append(rows, []string{c.Client, c.Hooks, text(c.Trust, "-"), tools, ui.Line(strings.Join(last, ", "))})
	}
	p.Table([]cli.Column{{Title: "client"}, {Title: "hooks"}, {Title: "trust"}, {Title: "tools"}, {Title: "last calls", Grows: true}}, rows)
}
