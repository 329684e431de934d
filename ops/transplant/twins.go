package transplant

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/lineage"
	"lcm-tui/ops"
)

// compare leaves out what the target has already: a branch whose summary it has is
// skipped, and one of which it has only some part is left out, since the context
// would tell that part twice.
func (t *transfer) compare(ctx context.Context) error {
	twins, err := t.twinSummaries(ctx)
	if err != nil {
		return err
	}
	same, err := t.twinMessages(ctx)
	if err != nil {
		return err
	}
	used, err := t.used(ctx)
	if err != nil {
		return err
	}
	var kept []*lineage.Node
	var have, parted []string
	for _, n := range t.tops {
		if id := twins[n.ID]; id != "" {
			have = append(have, n.ID+" (as "+id+")")
			continue
		}
		if parts := t.overlap(n, twins, same, used); len(parts) > 0 {
			parted = append(parted, n.ID)
			t.plan.Warn(fmt.Sprintf("%s is left out, since the target has a part of it already: %s", n.ID, listed(parts)))
			continue
		}
		kept = append(kept, n)
	}
	if len(have) > 0 {
		t.plan.Note(fmt.Sprintf("skipped, since the target has them already: %s", listed(have)))
	}
	t.tops = kept
	if t.nodes, err = t.below(ctx, kept); err != nil {
		return err
	}
	t.reuse(same)
	t.takeRaw(same)
	return t.something(have, parted)
}

// something refuses to go on with nothing to carry.
func (t *transfer) something(have, parted []string) error {
	switch {
	case len(t.nodes) > 0 || len(t.raw) > 0:
		return nil
	case len(parted) > 0:
		return t.refuse("the target has a part of every branch already: "+listed(parted),
			"choose branches below them with --summaries; lcm-tui summaries "+fmt.Sprint(t.Source)+" shows what there is")
	case len(have) > 0:
		return &NothingError{
			fmt.Sprintf("conversation %d has all of it already: %s", t.Target, listed(have)),
			"nothing is carried twice; lcm-tui history shows what was carried when",
		}
	case t.Messages:
		return &NothingError{fmt.Sprintf("conversation %d has nothing in its context that could be carried", t.Source), ""}
	}
	return &NothingError{
		fmt.Sprintf("conversation %d has no summaries that could be carried", t.Source),
		"--messages carries the messages in its context as they are",
	}
}

// overlap names what of a branch the target has already.
func (t *transfer) overlap(top *lineage.Node, twins map[string]string, same map[int64]int64, used map[int64]bool) (parts []string) {
	messages := 0
	for _, n := range t.graph.Below(top.ID) {
		if id := twins[n.ID]; id != "" {
			parts = append(parts, n.ID+" (as "+id+")")
		}
		for _, l := range t.under[n.ID] {
			if id, ok := same[l.Message]; ok && used[id] {
				messages++
			}
		}
	}
	if messages > 0 {
		parts = append(parts, ops.Count(messages, "message", "messages"))
	}
	return parts
}

// reuse takes the target's own rows for messages that it has and that nothing there
// leads to.
func (t *transfer) reuse(same map[int64]int64) {
	for _, n := range t.nodes {
		for _, l := range t.under[n.ID] {
			if id, ok := same[l.Message]; ok {
				t.there[l.Message], t.numbers[l.Message] = id, id
			}
		}
	}
	if n := len(t.there); n > 0 {
		t.plan.Note(fmt.Sprintf("%s the target has already, out of its context; the carried summaries are linked to them", ops.Count(n, "message", "messages")))
	}
}

// takeRaw takes the messages of the context that no carried summary covers.
func (t *transfer) takeRaw(same map[int64]int64) {
	covered := map[int64]bool{}
	for _, n := range t.nodes {
		for _, l := range t.under[n.ID] {
			covered[l.Message] = true
		}
	}
	var left, twice int
	var tokens int64
	for _, it := range t.context {
		if it.IsSummary() || it.Missing || covered[it.Message] {
			continue
		}
		_, twin := same[it.Message]
		switch {
		case !t.Messages:
			left, tokens = left+1, tokens+it.Tokens
		case twin:
			twice++
		default:
			covered[it.Message] = true
			t.raw = append(t.raw, it)
		}
	}
	if left > 0 {
		t.plan.Note(fmt.Sprintf("%s of the source's context that no summary covers (%d tokens) are not carried; --messages carries them", ops.Count(left, "message", "messages"), tokens))
	}
	if twice > 0 {
		t.plan.Note(fmt.Sprintf("skipped, since the target has them already: %s of the source's context", ops.Count(twice, "message", "messages")))
	}
}

// short is the length up to which two different summaries may well have the same
// text, such as a mark of where something was cut off: their times must be the same
// too.
const short = 40

func fingerprint(s data.Summary) string {
	text := plainIDs(strings.TrimSpace(s.Content))
	if len(text) > short {
		return text
	}
	return text + "\x00" + s.EarliestAt.Time.String() + "\x00" + s.LatestAt.Time.String()
}

// twinSummaries are the target's summaries with the same text, by the source's ids.
func (t *transfer) twinSummaries(ctx context.Context) (map[string]string, error) {
	twins := map[string]string{}
	own, err := t.to.Summaries(ctx, t.Target, data.Whole)
	t.ownSummaries = len(own)
	if err != nil || len(own) == 0 {
		return twins, err
	}
	by := make(map[string]string, len(own))
	for _, s := range own {
		by[fingerprint(s)] = s.ID
	}
	all, err := t.from.Summaries(ctx, t.Source, data.Whole)
	for _, s := range all {
		if id := by[fingerprint(s)]; id != "" {
			twins[s.ID] = id
		}
	}
	return twins, err
}

// moment is what two rows of one message have in common, beside their text.
type moment struct {
	role string
	at   time.Time
}

// twinMessages are the target's messages with the same role, text and time, by the
// numbers of the source's. Only texts of messages of the same moment are read.
func (t *transfer) twinMessages(ctx context.Context) (map[int64]int64, error) {
	marks, err := t.from.MessageMarks(ctx, t.Source)
	if err != nil {
		return nil, err
	}
	own := map[moment][]int64{}
	for _, m := range t.own {
		if m.At.Valid() {
			own[moment{m.Role, m.At.Time}] = append(own[moment{m.Role, m.At.Time}], m.ID)
		}
	}
	likely := map[int64][]int64{}
	var mine, theirs []any
	for _, m := range marks {
		if ids := own[moment{m.Role, m.At.Time}]; len(ids) > 0 {
			likely[m.ID] = ids
			mine = append(mine, m.ID)
			for _, id := range ids {
				theirs = append(theirs, id)
			}
		}
	}
	slices.SortFunc(theirs, func(a, b any) int { return int(a.(int64) - b.(int64)) })
	return t.twinTexts(ctx, likely, mine, slices.Compact(theirs))
}

// twinTexts are those of likely twins that say the same.
func (t *transfer) twinTexts(ctx context.Context, likely map[int64][]int64, mine, theirs []any) (map[int64]int64, error) {
	originals, copies := map[int64]saying{}, map[int64]saying{}
	err := t.from.ImagesOf(ctx, "messages", "message_id", mine, func(r data.Row) { originals[data.Integer(r["message_id"])] = said(r) })
	if err == nil {
		err = t.to.ImagesOf(ctx, "messages", "message_id", theirs, func(r data.Row) { copies[data.Integer(r["message_id"])] = said(r) })
	}
	twins := map[int64]int64{}
	for id, ids := range likely {
		for _, other := range ids {
			if originals[id].same(copies[other]) {
				twins[id] = other
				break
			}
		}
	}
	return twins, err
}

// saying is what a message says.
type saying struct{ text, hash string }

func said(r data.Row) saying {
	return saying{plainIDs(strings.TrimSpace(data.Text(r["content"]))), data.Text(r["identity_hash"])}
}

// same reports whether two messages of a moment are one. Those without a text are
// told apart by nothing, and never are.
func (s saying) same(o saying) bool {
	if s.text == "" || o.text == "" {
		return false
	}
	return s.text == o.text || s.hash != "" && s.hash == o.hash
}

// used are the target's messages that its context leads to, or any summary.
func (t *transfer) used(ctx context.Context) (map[int64]bool, error) {
	used := map[int64]bool{}
	for _, it := range t.before {
		if !it.IsSummary() {
			used[it.Message] = true
		}
	}
	links, err := t.to.MessageLinks(ctx, t.Target)
	for _, l := range links {
		used[l.Message] = true
	}
	return used, err
}
