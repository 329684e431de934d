package clean

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/salvage"
	"lcm-tui/ui"
)

// salvageResult is the result of salvage.
type salvageResult struct {
	salvage.Result
	cli.WarningList
}

func salvageCommand(a *cli.App) *cobra.Command {
	cmd := a.Command(cli.GroupOther, "salvage DAMAGED NEW", "Save what can be read of a damaged database", func(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
		from, err := filepath.Abs(c.Args[0])
		if err != nil {
			return nil, err
		}
		to, err := cli.CheckedPath(c.ClosedDestinations(), c.Args[1])
		if err != nil {
			return nil, err
		}
		s, err := salvage.File(ctx, from, to, c.Progress())
		if errors.Is(err, data.ErrExists) {
			return nil, cli.ExistsError(err)
		}
		if err != nil {
			return nil, err
		}
		return &salvageResult{Result: s}, nil
	})
	cmd.Long = `Saves what can still be read of a damaged database: reads the file and its -wal page by page,
without trusting any page, and writes every row that it finds to a new database. For every
table it shows how much was read and how much was lost.

Writes only the new file, which must not exist and gets its name once it is complete. The
damaged file is only read. Stop the agents that use it first.`
	cmd.Example = "  lcm-tui salvage lcm.db saved.db\n  lcm-tui doctor --db saved.db"
	cmd.ValidArgsFunction = nil
	return cmd
}

func (s *salvageResult) Print(p *cli.Printer) {
	p.Line("salvaged  " + ui.Line(s.To))
	p.Linef("size      %s, from %s pages of %s", ui.Size(s.Bytes), ui.Num(s.Pages), ui.Line(s.From))
	p.Line("schema    " + s.Schema)
	if s.WALPages > 0 {
		p.Linef("newest    %s from its -wal", plural.Count(s.WALPages, "page", "pages"))
	}
	p.Write("\n")
	for _, t := range s.Tables {
		p.Line(tableLine(t))
		for _, l := range t.Lost {
			p.Line(cli.Styled(p.Styles.Bad, "    ! "+lostLine(l)))
		}
	}
	p.Write("\n")
	for _, n := range s.Notes {
		p.Block(cli.Styled(p.Styles.Warn, "warning: "+ui.Line(n)))
	}
	for _, table := range slices.Sorted(maps.Keys(s.Dangling)) {
		p.Block(cli.Styled(p.Styles.Warn, fmt.Sprintf("warning: %s of %s to rows that don't exist; lcm-tui doctor lists them",
			plural.Count(s.Dangling[table], "reference", "references"), ui.Line(table))))
	}
	if sound := strings.Join(s.Integrity, "; "); sound == "ok" {
		p.Line("checked the integrity of the new file: it is whole")
	} else {
		p.Block(cli.Styled(p.Styles.Bad, "the new file isn't whole: "+ui.Line(sound)))
	}
}

func tableLine(t salvage.TableResult) string {
	s := ui.Pad(ui.Line(t.Name), 36) + " " + plural.Count(t.Rows, "row", "rows")
	if t.Unreferenced > 0 {
		s += fmt.Sprintf(", %s of them from pages that no other page refers to", ui.Num(t.Unreferenced))
	}
	if t.Refused > 0 {
		s += fmt.Sprintf(", %s more break a rule of the table", ui.Num(t.Refused))
	}
	return s
}

func lostLine(l salvage.LostRange) string {
	s := "lost: whatever came after rowid " + ui.Num(l.First-1)
	switch {
	case l.Last == l.First:
		s = "lost: rowid " + ui.Num(l.First)
	case l.Last > 0:
		s = fmt.Sprintf("lost: what was between rowid %s and %s", ui.Num(l.First), ui.Num(l.Last))
	}
	if l.Page > 0 {
		s += fmt.Sprintf(" (page %s)", ui.Num(l.Page))
	}
	return s
}
