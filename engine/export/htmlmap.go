package export

import (
	"strconv"
	"strings"

	"lcm-tui/engine/lineage"
)

// mapWidth is the width of the picture of what is covered, in units of its own.
const mapWidth = 1000

// maxMapNodes is how many summaries a row of the picture shows one by one; more are drawn as
// stretches.
const maxMapNodes = 400

// coverageMap draws which messages each summary covers, the highest depth on top, the messages
// below. A summary in it leads to its text.
func (f *htmlFormat) coverageMap(c *conversation) error {
	first, last := c.span.First, c.span.Last
	if len(c.graph.Nodes()) == 0 || last < first {
		return nil
	}
	rows := map[int64][]*lineage.Node{}
	var depths []int64
	for _, n := range c.graph.Nodes() { // By depth.
		if rows[n.Depth] == nil {
			depths = append(depths, n.Depth)
		}
		rows[n.Depth] = append(rows[n.Depth], n)
	}
	var b strings.Builder
	b.WriteString("<section id=\"map\">\n<h2>What the summaries cover</h2>\n<div class=\"map\">\n")
	for i := len(depths) - 1; i >= 0; i-- {
		d := depths[i]
		b.WriteString(mapRow("depth "+strconv.FormatInt(d, 10), f.mapNodes(c, rows[d])))
	}
	for _, band := range c.coverage.Bands(mapWidth / 4) {
		if band.Depth == lineage.RawBand {
			b.WriteString(mapRow("messages", mapCells(band.Cells)))
		}
	}
	b.WriteString("</div>\n<p class=\"legend\"><i class=\"in\"></i> in the context <i class=\"under\"></i> below a summary <i class=\"bare\"></i> in neither</p>\n</section>\n")
	return f.write(b.String())
}

func mapRow(label, body string) string {
	return `<span>` + label + `</span><svg viewBox="0 0 ` + strconv.Itoa(mapWidth) + ` 14" preserveAspectRatio="none" role="img" aria-label="` + label + `">` + body + "</svg>\n"
}

// mapNodes draws the summaries of one depth.
func (f *htmlFormat) mapNodes(c *conversation, nodes []*lineage.Node) string {
	var b strings.Builder
	whole := float64(c.span.Last - c.span.First + 1)
	at := func(seq int64) float64 { return float64(seq-c.span.First) / whole * mapWidth }
	for i, n := range nodes {
		x, _ := c.coverage.Extent(n.ID)
		if x.Last == 0 && x.First == 0 || i >= maxMapNodes && !n.InContext() {
			continue
		}
		class := "under"
		if n.InContext() {
			class = "in"
		}
		left := at(x.First)
		width := max(1.5, at(x.Last+1)-left-1)
		b.WriteString(`<a href="#` + summaryAnchor(n.ID) + `"><rect class="` + class + `" x="` + decimal(left) + `" y="1" height="12" width="` + decimal(width) +
			`"><title>` + escapeHTML(n.ID) + " · messages " + seqs(x.First, x.Last) + " · " + grouped(n.Tokens) + " tokens</title></rect></a>")
	}
	return b.String()
}

// mapCells draws the messages, equal neighbours as one.
func mapCells(cells []lineage.Cell) string {
	var b strings.Builder
	unit := float64(mapWidth) / float64(max(1, len(cells)))
	for i := 0; i < len(cells); {
		j := i
		for j < len(cells) && cells[j] == cells[i] {
			j++
		}
		class := map[lineage.Cell]string{lineage.Folded: "under", lineage.Shown: "in", lineage.Uncovered: "bare"}[cells[i]]
		if class != "" {
			b.WriteString(`<rect class="` + class + `" x="` + decimal(float64(i)*unit) + `" y="1" height="12" width="` + decimal(float64(j-i)*unit) + `"></rect>`)
		}
		i = j
	}
	return b.String()
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
