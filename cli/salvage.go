package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/salvage"
	"lcm-tui/ui"
)

// salvageResult is the result of salvage.
type salvageResult struct {
	salvage.Result
	warningList
}

func (a *app) salvage() *cobra.Command {
	cmd := a.command(groupOther, "salvage DAMAGED NEW", "Save what can be read of a damaged database", func(ctx context.Context, c *invocation) (result, error) {
		from, err := filepath.Abs(c.args[0])
		if err != nil {
			return nil, err
		}
		to, err := checkedPath(c.closedDestinations(), c.args[1])
		if err != nil {
			return nil, err
		}
		s, err := salvage.File(ctx, from, to, c.progress())
		if errors.Is(err, data.ErrExists) {
			return nil, &existsError{err}
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

func (s *salvageResult) Print(p *printer) {
	p.line("salvaged  " + ui.Line(s.To))
	p.linef("size      %s, from %s pages of %s", ui.Size(s.Bytes), ui.Num(s.Pages), ui.Line(s.From))
	p.line("schema    " + s.Schema)
	if s.WALPages > 0 {
		p.linef("newest    %s from its -wal", plural.Count(s.WALPages, "page", "pages"))
	}
	p.write("\n")
	for _, t := range s.Tables {
		p.line(tableLine(t))
		for _, l := range t.Lost {
			p.line(styled(p.styles.Bad, "    ! "+lostLine(l)))
		}
	}
	p.write("\n")
	for _, n := range s.Notes {
		p.block(styled(p.styles.Warn, "warning: "+ui.Line(n)))
	}
	for _, table := range slices.Sorted(maps.Keys(s.Dangling)) {
		p.block(styled(p.styles.Warn, fmt.Sprintf("warning: %s of %s to rows that don't exist; lcm-tui doctor lists them",
			plural.Count(s.Dangling[table], "reference", "references"), ui.Line(table))))
	}
	if sound := strings.Join(s.Integrity, "; "); sound == "ok" {
		p.line("checked the integrity of the new file: it is whole")
	} else {
		p.block(styled(p.styles.Bad, "the new file isn't whole: "+ui.Line(sound)))
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
