package clean

import (
	"context"
	"errors"
	"slices"
	"sync"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/space"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// spaceReading is a measuring while it runs. The job puts reports into it, and the screen draws
// the newest.
type spaceReading struct {
	mu     sync.Mutex
	report *space.Report
}

func (r *spaceReading) put(report *space.Report) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report = report
}

// take returns the newest report, once.
func (r *spaceReading) take() *space.Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	report := r.report
	r.report = nil
	return report
}

// spaceMsg is the whole report.
type spaceMsg struct {
	report  *space.Report
	version int64 // Of the file before it was measured.
}

// spaceVersionMsg is the version of the file after a change was noticed.
type spaceVersionMsg struct{ version int64 }

// measure measures the file.
func (v *Space) measure() tea.Cmd {
	db, reading := v.env.DB, &spaceReading{}
	folders := space.Folders{LargeFiles: v.env.Files, Trash: data.TrashFolder(db.Path()), Cache: v.env.Cache}
	v.running, v.endedBy, v.stale = reading, "", false
	v.setRows()
	return v.env.Jobs.Read(v, "measure", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		version, err := db.Version(ctx)
		if err != nil {
			return nil, err
		}
		whole, err := space.Read(ctx, db, folders, func(r *space.Report) {
			reading.put(r)
			report(int(r.Done), int(r.Total), "pages")
		})
		return spaceMsg{whole, version}, err
	})
}

// spaceLeversMsg are the ways of cleaning that remove something, for a report.
type spaceLeversMsg struct {
	report *space.Report
	levers []space.Lever
	marked []int64 // The conversations that they are about; none are all.
}

// readLevers looks for what each way of cleaning would remove, once everything is measured.
func (v *Space) readLevers() tea.Cmd {
	db, report, marked := v.env.DB, v.report, v.env.Marks.IDs()
	request := prune.LeverRequest{StateFolder: v.env.State, FilesFolder: v.env.Files, Of: marked}
	v.leversOf = marked
	return v.env.Jobs.Read(v, "levers", func(ctx context.Context, progress func(int, int, string)) (tea.Msg, error) {
		progress(0, 0, "looking for what may go")
		m := spaceLeversMsg{report: report, marked: marked}
		err := prune.Levers(ctx, db, func() (*space.Measurement, error) { return report.Measurement, nil }, request, func(l space.Lever) { m.levers = append(m.levers, l) })
		return m, err
	})
}

// receiveLevers shows what may go, if nothing was measured since.
func (v *Space) receiveLevers(m spaceLeversMsg) {
	if m.report != v.report || !slices.Equal(m.marked, v.leversOf) {
		return
	}
	v.report.RemoveAdded()
	for _, l := range m.levers {
		v.report.AddLever(l)
	}
	v.setRows()
}

// compareVersion finds out whether the file has changed since it was measured.
func (v *Space) compareVersion() tea.Cmd {
	if v.running != nil || v.report == nil {
		return nil
	}
	db := v.env.DB
	return v.env.Jobs.Quiet(v, "version", views.Read(func(ctx context.Context) (spaceVersionMsg, error) {
		version, err := db.Version(ctx)
		return spaceVersionMsg{version}, err
	}))
}

// receive takes the whole report.
func (v *Space) receive(m spaceMsg) tea.Cmd {
	v.report, v.version, v.running = m.report, m.version, nil
	v.setRows()
	return v.readLevers()
}

// showRunning shows what was measured since the last frame.
func (v *Space) showRunning() {
	if v.running == nil {
		return
	}
	if r := v.running.take(); r != nil {
		v.report = r
		v.setRows()
	}
}

// failed keeps what was measured until a job ended early.
func (v *Space) failed(m ui.FailedMsg) {
	switch m.Name {
	case "measure":
		v.showRunning()
		v.running, v.endedBy = nil, endOf(m.Err)
		v.setRows()
	case "messages":
		v.closeLevel()
	}
}

func isCancelled(err error) bool { return errors.Is(err, context.Canceled) }
