package read

import (
	"context"
	"maps"
	"slices"
	"strings"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/pending"
	"lcm-tui/ui"
)

// generationInfo is what info says of the generation of a file, and of what only hosts of 1.0
// keep. The numbers are null in a file without their tables.
type generationInfo struct {
	Generation *string `json:"generation"`
	Upgraded   bool    `json:"upgraded"`
	// Batches are the pending batches by status, and States the active ones by state.
	Batches map[string]int64 `json:"pending_batches"`
	States  map[string]int64 `json:"pending_states"`
	Anchors map[string]int64 `json:"anchors"`
	Epochs  map[string]int64 `json:"epochs"`
}

func readGeneration(ctx context.Context, db *data.DB) (g generationInfo, err error) {
	k := db.Kind()
	g.Generation, g.Upgraded = cli.OrNull(k.Generation), k.Upgraded
	if k.Generation != data.GenerationOne {
		return g, nil
	}
	batches, err := lcm.PendingBatchCounts(ctx, db)
	if err != nil {
		return g, err
	}
	states, err := pending.ReadStates(ctx, db)
	if err != nil {
		return g, err
	}
	anchors, err := lcm.AnchorTrustCounts(ctx, db)
	if err != nil {
		return g, err
	}
	epochs, err := lcm.TranscriptEpochs(ctx, db)
	g.Batches, g.States, g.Anchors, g.Epochs = total(batches), map[string]int64{}, total(anchors), map[string]int64{}
	for _, s := range states {
		g.States[string(s)]++
	}
	for _, e := range epochs {
		g.Epochs[e.Mode]++
	}
	return g, err
}

// total adds the numbers of all conversations.
func total(counts map[int64]map[string]int64) map[string]int64 {
	out := map[string]int64{}
	for _, of := range counts {
		for name, n := range of {
			out[name] += n
		}
	}
	return out
}

func (g generationInfo) Print(p *cli.Printer) {
	if g.Generation == nil {
		return
	}
	generation := *g.Generation
	if g.Upgraded {
		generation += ", upgraded from " + data.GenerationZero
	}
	p.Fact("generation", generation)
	for _, of := range []struct {
		name   string
		counts map[string]int64
	}{{"batches", g.Batches}, {"active batches", g.States}, {"anchors", g.Anchors}, {"epochs", g.Epochs}} {
		if len(of.counts) > 0 {
			p.Fact(of.name, countList(of.counts))
		}
	}
}

// countList returns a list of numbers with their names, such as: 3 stale, 2 published.
func countList(counts map[string]int64) string {
	names := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(names, func(a, b string) int { return int(counts[b] - counts[a]) })
	for i, name := range names {
		names[i] = ui.Num(counts[name]) + " " + ui.LineN(name, 20)
	}
	return strings.Join(names, ", ")
}
