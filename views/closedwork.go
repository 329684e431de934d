package views

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/destination"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/reclaim"
	"lcm-tui/ops/salvage"
	"lcm-tui/ui"
)

// ClosedWork is work on the database for which no handle may be open on it: it runs between the end of
// the screens and their next start.
type ClosedWork struct {
	Name string // What is done.
	// Run does it and says what was done.
	Run func(ctx context.Context, report data.Report) (done string, err error)
}

// WhyNotClosed says why no work can be done while the file is closed, or is empty.
func (e *Env) WhyNotClosed() string {
	return FirstNonEmpty(TextWhen(e.WhileClosed == nil, "it needs the program to be started for this file"), e.ReadOnly())
}

// RestartFor ends the screens, does some work, and starts them again.
func (e *Env) RestartFor(question, verb string, w ClosedWork) tea.Cmd {
	return ui.Say(ui.RestartMsg{Question: question, Verb: verb, Before: func() { e.WhileClosed(w) }})
}

// ReclaimCommand gives unused space back to the disk, or only empties the -wal.
func (e *Env) ReclaimCommand(onlyWAL bool) ui.Command {
	c := ui.Command{Name: "give unused space back", Kind: "File", Word: "reclaim", Why: e.WhyNotClosed()}
	doing := "giving unused space back"
	ask := ui.AskMsg{
		Title: "Give unused space back?", Verb: "give it back",
		Text: "The screens end while the file is compacted, and start again. No row changes. While a host has the file open, only its search tables are merged and the -wal is emptied.",
	}
	if onlyWAL {
		c.Name, c.Word, doing = "empty the -wal", "wal", "emptying the -wal"
		ask = ui.AskMsg{Title: "Empty the -wal?", Verb: "empty it", Text: "The screens end while what stands in the -wal is written into the file, and start again. No row changes. What a host is still reading stays in the -wal."}
	}
	path := e.DB.Path()
	work := ClosedWork{Name: doing, Run: func(ctx context.Context, report data.Report) (string, error) {
		r, err := reclaim.File(ctx, path, reclaim.Options{WAL: onlyWAL}, report)
		if err != nil {
			return "", err
		}
		return strings.Join(append([]string{"the file and its -wal took " + ui.Size(r.Before.Total()) + " and take " + ui.Size(r.After.Total())}, r.Notes...), "; "), nil
	}}
	ask.Do = func() tea.Cmd { return e.RestartFor(ask.Title, ask.Verb, work) }
	c.Run = func() tea.Cmd { return ui.Say(ask) }
	return c
}

// SalvageCommand saves what can still be read of the file into a new one beside it.
func (e *Env) SalvageCommand() ui.Command {
	from, policy := e.DB.Path(), destination.ForDatabase(e.DB, e.Locations)
	ask := ui.AskMsg{Title: "Save what can still be read?", Verb: "save it"}
	work := func(to string) ClosedWork {
		return ClosedWork{Name: "saving what can be read of " + ui.Line(filepath.Base(from)), Run: func(ctx context.Context, report data.Report) (string, error) {
			r, err := salvage.File(ctx, from, to, report)
			return salvageText(r), err
		}}
	}
	return ui.Command{
		Name: "salvage: save what can still be read into a new file", Kind: "File", Word: "salvage",
		Why: TextWhen(e.WhileClosed == nil, "it needs the program to be started for this file"),
		Run: func() tea.Cmd {
			return e.Jobs.Open(e, "salvage", func(context.Context, func(int, int, string)) (tea.Msg, error) {
				to, err := salvagePath(from)
				if err = errors.Join(err, policy.Check(to)); err != nil {
					return nil, err
				}
				ask.Text = "Every page of the file is read, and every row that is found there is written into a new file beside it, " + ui.Line(ShortenHome(to)) +
					". The file itself is only read. Stop the agents that use it first: what they write meanwhile isn't in the new file.\nThe screens end while it is written, and start again."
				ask.Do = func() tea.Cmd { return e.RestartFor(ask.Title, ask.Verb, work(to)) }
				return ask, nil
			})
		},
	}
}

// salvagePath returns the path of a file that isn't there yet, beside the one that is salvaged.
func salvagePath(from string) (string, error) {
	base := strings.TrimSuffix(from, filepath.Ext(from)) + "-salvaged"
	for n := 1; ; n++ {
		to := base + TextWhen(n > 1, "-"+Itoa(int64(n))) + ".db"
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			return to, nil
		} else if err != nil {
			return "", err
		}
	}
}

// salvageText says what was saved, and of which tables rows are known to be lost.
func salvageText(r salvage.Result) string {
	var rows, lost []string
	for _, t := range r.Tables {
		switch t.Name {
		case "conversations", "messages", "summaries":
			rows = append(rows, plural.Count(t.Rows, rowNames[t.Name][0], rowNames[t.Name][1]))
		}
		if len(t.Lost) > 0 || t.Refused > 0 {
			lost = append(lost, t.Name)
		}
	}
	text := "saved into " + ShortenHome(r.To) + ": " + strings.Join(rows, ", ")
	if len(lost) > 0 {
		text += "; lost are rows of " + strings.Join(lost, ", ")
	}
	return ui.Line(text)
}
