package fleet

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// searchName is the command whose hits in several copies are one list.
const searchName = "search"

// limitOf returns how many hits a search lists, and in which order.
func limitOf(cmd *cobra.Command) (limit int, order string) {
	limit, _ = strconv.Atoi(cmd.Flags().Lookup("limit").Value.String())
	return limit, cmd.Flags().Lookup("sort").Value.String()
}

// fleetHit is a hit in one of several copies.
type fleetHit struct {
	Source string `json:"source"`

	fields map[string]json.RawMessage // As search prints them.
	read   struct {
		Conversation int64 `json:"conversation_id"`
		Kind, At     string
		ID           json.RawMessage
		Role         *string
		Snippet      string
	}
}

// MarshalJSON returns the hit as search prints it, with its machine.
func (h *fleetHit) MarshalJSON() ([]byte, error) {
	all := map[string]any{"source": h.Source}
	for name, value := range h.fields {
		all[name] = value
	}
	return json.Marshal(all)
}

// fleetHits is the result of a search in several copies that isn't in the order of time.
type fleetHits struct {
	Total  int64         `json:"total"`
	Capped bool          `json:"capped"`
	Hits   []*fleetHit   `json:"hits"`
	Fleet  []fleetAnswer `json:"fleet"` // Without their hits.
	cli.WarningList

	result *fleetResult
}

// mergeHits makes one list of what was found in each copy, of at most limit hits: the best of each machine in turn, or one machine
// after the other. In the orders of time the command itself merges them.
func (r *fleetResult) mergeHits(limit int, inTurn bool) *fleetHits {
	out := &fleetHits{Hits: []*fleetHit{}, result: r}
	var lists [][]*fleetHit
	for i := range r.Fleet {
		a := &r.Fleet[i]
		var found struct {
			Total  int64
			Capped bool
			Hits   []json.RawMessage
		}
		if len(a.Result) == 0 || json.Unmarshal(a.Result, &found) != nil {
			continue
		}
		a.Result, a.printed = nil, ""
		out.Total += found.Total
		out.Capped = out.Capped || found.Capped
		var list []*fleetHit
		for _, raw := range found.Hits {
			h := &fleetHit{Source: a.Source}
			if json.Unmarshal(raw, &h.fields) == nil && json.Unmarshal(raw, &h.read) == nil {
				list = append(list, h)
			}
		}
		lists = append(lists, list)
	}
	for rank := 0; inTurn && len(out.Hits) < limit; rank++ {
		before := len(out.Hits)
		for _, list := range lists {
			if rank < len(list) {
				out.Hits = append(out.Hits, list[rank])
			}
		}
		if len(out.Hits) == before {
			break
		}
	}
	if !inTurn {
		out.Hits = append(out.Hits, slices.Concat(lists...)...)
	}
	out.Hits = out.Hits[:min(len(out.Hits), limit)]
	out.Fleet = r.Fleet
	return out
}

// Print implements cli.Result.
func (r *fleetHits) Print(p *cli.Printer) {
	width := 0
	for _, h := range r.Hits {
		width = max(width, len(h.Source))
	}
	for _, h := range r.Hits {
		at := h.read.At
		if len(at) > 16 {
			at = at[:16]
		}
		role := h.read.Kind
		if h.read.Role != nil {
			role = *h.read.Role
		}
		ref := "conv:" + strconv.FormatInt(h.read.Conversation, 10)
		if h.read.Kind == "message" {
			ref += " msg:" + string(h.read.ID)
		} else if id, err := strconv.Unquote(string(h.read.ID)); err == nil {
			ref += " " + id
		}
		p.Line(ui.Pad(ui.Line(at), 16) + "  " + p.Styles.Accent.Render(ui.Pad(ui.Line(h.Source), width)) + "  " + ui.Line(ref) + "  " + ui.Line(role) + "  " + ui.Line(h.read.Snippet))
	}
	p.Linef("%s of %s in %s", plural.Count(len(r.Hits), "line", "lines"), plural.Count(int(r.Total), "hit", "hits"), plural.Count(len(r.Fleet), "copy", "copies"))
	for _, a := range r.Fleet {
		cli.PrintProblem(p, a.Source, a.Error)
	}
}
