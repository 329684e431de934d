package fleet

import (
	"cmp"
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

// limitOf returns how many hits a command lists, or 0 where it has no limit.
func limitOf(cmd *cobra.Command) int {
	f := cmd.Flags().Lookup("limit")
	if f == nil {
		return 0
	}
	n, _ := strconv.Atoi(f.Value.String())
	return n
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

// fleetHits is the result of a search in several copies: one list, the newest first.
type fleetHits struct {
	Total  int64         `json:"total"`
	Capped bool          `json:"capped"`
	Hits   []*fleetHit   `json:"hits"`
	Fleet  []fleetAnswer `json:"fleet"` // Without their hits.
	cli.WarningList

	result *fleetResult
}

// mergeHits makes one list of what was found in each copy, of at most limit hits, the newest first.
func (r *fleetResult) mergeHits(limit int) *fleetHits {
	out := &fleetHits{Hits: []*fleetHit{}, result: r}
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
		for _, raw := range found.Hits {
			h := &fleetHit{Source: a.Source}
			if json.Unmarshal(raw, &h.fields) == nil && json.Unmarshal(raw, &h.read) == nil {
				out.Hits = append(out.Hits, h)
			}
		}
	}
	slices.SortStableFunc(out.Hits, func(a, b *fleetHit) int { return cmp.Compare(b.read.At, a.read.At) })
	if limit > 0 && len(out.Hits) > limit {
		out.Hits = out.Hits[:limit]
	}
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
		if a.Error != "" {
			p.Line(ui.Line(a.Source) + ": " + ui.Line(a.Error))
		}
	}
}
