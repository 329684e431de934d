package conversation

import (
	"context"
	"strings"

	"charm.land/lipgloss/v2"

	"lcm-tui/data"
	"lcm-tui/engine/lineage"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// coverage is which stretch of a conversation the summaries of each depth cover,
// as it was drawn last.
type coverage struct {
	*lineage.Coverage

	width int // For which bands are made.
	bands []lineage.Band
}

const coverageLegend = 36 // Cells at the right.

func loadCoverage(ctx context.Context, db *data.DB, conv int64) (*coverage, error) {
	c, err := lineage.LoadCoverage(ctx, db, conv)
	return &coverage{Coverage: c}, err
}

// view draws the picture in at most most lines, or nothing.
func (c *coverage) view(v *Summaries, width, most int) []string {
	if c == nil || c.Whole.Last == 0 || most < 3 || v.tree.graph == nil || len(v.tree.graph.Nodes()) == 0 {
		return nil
	}
	side := width >= 100
	cells := width - 6
	if side {
		cells -= coverageLegend
	}
	if c.width != cells {
		c.width, c.bands = cells, c.Bands(max(1, cells))
	}
	if !side {
		most--
	}
	bands := mergeBands(c.bands, most)
	lines := make([]string, 0, len(bands)+1)
	for i, b := range bands {
		line := " " + ui.PadLeft(bandLabel(v.Env().Styles, b, i == 0 && len(bands) < len(c.bands)), 3) + " " + drawBand(v.Env().Styles, b)
		if side {
			line = ui.Pad(line, cells+6) + c.legend(v, i, len(bands))
		}
		lines = append(lines, line)
	}
	if !side {
		lines = append(lines, "     "+c.rangeText(v)+"   "+coverSign(v.Env().Styles, " "))
	}
	return lines
}

// mergeBands merges the highest bands so that there are at most most.
func mergeBands(bands []lineage.Band, most int) []lineage.Band {
	most = max(2, most)
	if len(bands) <= most {
		return bands
	}
	n := len(bands) - most + 1 // To be merged.
	merged := lineage.Band{Depth: bands[n-1].Depth, Cells: append([]lineage.Cell(nil), bands[0].Cells...)}
	for _, b := range bands[1:n] {
		for i, cell := range b.Cells {
			merged.Cells[i] = max(merged.Cells[i], cell)
		}
	}
	return append([]lineage.Band{merged}, bands[n:]...)
}

func bandLabel(s *ui.Styles, b lineage.Band, merged bool) string {
	if b.Depth == lineage.RawBand {
		return s.Muted.Render("raw")
	}
	label := "d" + views.Itoa(b.Depth)
	if merged {
		label += "+"
	}
	return s.Depth(int(min(b.Depth, 9))).Render(label)
}

// drawBand draws stretches of equal cells in one piece each.
func drawBand(s *ui.Styles, b lineage.Band) string {
	depth := s.Muted
	if b.Depth != lineage.RawBand {
		depth = s.Depth(int(min(b.Depth, 9)))
	}
	looks := map[lineage.Cell]struct {
		sign  string
		style lipgloss.Style
	}{
		lineage.Empty: {" ", s.Faint}, lineage.Folded: {"▒", depth},
		lineage.Shown: {"█", depth}, lineage.Uncovered: {"!", s.Bad},
	}
	var out strings.Builder
	for i := 0; i < len(b.Cells); {
		n := i
		for n < len(b.Cells) && b.Cells[n] == b.Cells[i] {
			n++
		}
		l := looks[b.Cells[i]]
		out.WriteString(l.style.Render(strings.Repeat(l.sign, n-i)))
		i = n
	}
	return out.String()
}

// legend returns what stands at the right of a line of the picture.
func (c *coverage) legend(v *Summaries, line, lines int) string {
	s := v.Env().Styles
	switch {
	case line == lines-1:
		return c.rangeText(v)
	case line == 0:
		return coverSign(s, "")
	case line == 1 && c.UncoveredCount() > 0:
		return s.Bad.Render("! ") + s.Muted.Render(plural.Count(c.UncoveredCount(), "message", "messages")+" uncovered")
	}
	return ""
}

// coverSign says what the signs of the picture mean; in full if there is no more
// room than one line.
func coverSign(s *ui.Styles, full string) string {
	out := "█ " + s.Muted.Render("in context") + "  ▒ " + s.Muted.Render("folded")
	if full != "" {
		return out + "  " + s.Bad.Render("!") + s.Muted.Render(" uncovered")
	}
	return out
}

// rangeText returns the ends of the conversation.
func (c *coverage) rangeText(v *Summaries) string {
	text := "seq " + ui.Num(c.Whole.First) + " … " + ui.Num(c.Whole.Last)
	if days := shortRange(c.Whole.FirstAt, c.Whole.LastAt, longRangeWidth, v.Env().Now().Location()); days != "" {
		text += " · " + days
		if last := c.Whole.LastAt.In(v.Env().Now().Location()); last.Year() != v.Env().Now().Year() {
			text += last.Format(" 2006")
		}
	}
	return v.Env().Styles.Muted.Render(text)
}
