package fleet

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/fleet"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// pulledMsg is what became of machines whose copies were fetched.
type pulledMsg []fleet.Pulled

// pull fetches copies, a few at a time. Esc ends it; copies that came until then stay.
func (v *Fleet) pull(rows []*row) tea.Cmd {
	machines := v.env.Databases.Machines
	states := make([]fleet.State, len(rows))
	for i, r := range rows {
		states[i] = r.State
	}
	return v.env.Jobs.Start(v, "fetch", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		o := machines.Pulling
		o.Report = report
		return pulledMsg(machines.PullEach(ctx, states, fleet.DefaultJobs, o)), nil
	})
}

// status says what was reached, machine by machine where that fits.
func (m pulledMsg) status() ui.StatusMsg {
	var came, same, failed, cancelled []string
	var bytes int64
	for _, p := range m {
		switch {
		case errors.Is(p.Err, context.Canceled):
			cancelled = append(cancelled, p.Name)
		case p.Err != nil:
			failed = append(failed, p.Name)
		case p.Unchanged:
			same = append(same, p.Name)
		default:
			came, bytes = append(came, p.Name), bytes+p.Packed
		}
	}
	var parts []string
	for _, one := range []struct {
		names []string
		text  string
	}{
		{came, fmt.Sprintf("fetched %s of new copies: ", ui.Size(bytes))}, {same, "nothing has changed: "}, {failed, "failed: "}, {cancelled, "cancelled, the copy before stays: "},
	} {
		if len(one.names) > 0 {
			parts = append(parts, one.text+listNames(one.names))
		}
	}
	s := ui.StatusMsg{Text: ui.Line(strings.Join(parts, "; ")), Kind: ui.Done}
	if len(failed)+len(cancelled) > 0 {
		s.Kind = ui.Warn
	}
	return s
}

// mostNames is how many names are listed before only their number is said.
const mostNames = 4

func listNames(names []string) string {
	if len(names) > mostNames {
		return plural.Count(len(names), "machine", "machines")
	}
	return strings.Join(names, ", ")
}

// checkJob is the name of the job that checks copies that the user chose, unaskedJob of the one that checks small ones.
const (
	checkJob   = "check copies"
	unaskedJob = "check"
)

// maxUnasked is how large a copy may be that is checked unasked, in bytes: a second's work.
const maxUnasked = 64 << 20

// healthMsg is what checks of copies found, by the path of the copy.
type healthMsg map[string]fleet.Health

// check checks the copies of rows.
func (v *Fleet) check(rows []*row) tea.Cmd {
	machines := v.env.Databases.Machines
	return v.env.Jobs.Read(v, checkJob, func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		out := healthMsg{}
		for i, r := range rows {
			h, err := machines.Check(ctx, r.State, func(done, total int, note string) {
				const thousand = 1000
				report(i*thousand+thousand*done/max(1, total), len(rows)*thousand, r.Name+": "+note)
			})
			if err != nil {
				return nil, err
			}
			out[r.Path] = h
		}
		return out, nil
	})
}

// checkUnasked checks the next small copy on screen that wasn't checked, one at a time.
func (v *Fleet) checkUnasked() tea.Cmd {
	if v.env.Jobs.Running(v, unaskedJob) || v.env.Jobs.Running(v, checkJob) || v.env.Jobs.Running(v, "load") {
		return nil
	}
	rows := v.List.Visible()
	if len(rows) == 0 { // Nothing was drawn yet.
		rows = v.copies
	}
	for _, r := range rows {
		if r.Path == "" || r.IsSource() || r.Health != nil || r.bytes() > maxUnasked || v.failed[r.Path] {
			continue
		}
		machines, state, path := v.env.Databases.Machines, r.State, r.Path
		v.failed[path] = true // Unless it succeeds.
		return v.env.Jobs.Quiet(v, unaskedJob, views.Read(func(ctx context.Context) (healthMsg, error) {
			h, err := machines.Check(ctx, state, nil)
			if err != nil {
				return nil, ctx.Err() // The machine was removed meanwhile.
			}
			return healthMsg{path: h}, nil
		}))
	}
	return nil
}

// takeHealth shows what checks found.
func (v *Fleet) takeHealth(m healthMsg) {
	for _, r := range v.copies {
		if h, ok := m[r.Path]; ok {
			r.Health = &h
		}
	}
	v.showRows() // An order goes by what is damaged.
}
