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

// twins are what the target has of the source already.
type twins struct {
	summaries map[string]string // By the source's ids.
	messages  map[int64]int64   // By the source's numbers.
	used      map[int64]bool    // The target's messages that something there leads to.
	tokens    map[int64]int64   // Of those messages of the source.
}

// compare leaves out what the target has already. A branch of which it has some part
// is carried as what it was made of, without that part: its summary would tell it
// twice.
func (t *transfer) compare(ctx context.Context) (err error) {
	if t.twins.summaries, err = t.twinSummaries(ctx); err != nil {
		return err
	}
	if t.twins.messages, err = t.twinMessages(ctx); err != nil {
		return err
	}
	if t.twins.used, err = t.used(ctx); err != nil {
		return err
	}
	s := &sieve{transfer: t, seen: map[string]bool{}}
	for _, n := range t.tops {
		s.sift(n)
	}
	s.tell()
	if t.nodes, err = t.below(ctx, s.kept); err != nil {
		return err
	}
	t.tops = outermost(s.kept, t.nodes)
	t.reuse()
	t.takeRaw()
	return t.something(slices.Concat(s.have, s.most))
}

// sieve goes through branches from above, and keeps those of which the target has
// nothing.
type sieve struct {
	*transfer
	seen   map[string]bool
	kept   []*lineage.Node
	have   []string // Summaries that the target has.
	most   []string // Leaves of which it has most messages.
	opened []string // Summaries in whose place their sources are carried.
}

func (s *sieve) sift(n *lineage.Node) {
	if s.seen[n.ID] {
		return
	}
	s.seen[n.ID] = true
	switch id := s.twins.summaries[n.ID]; {
	case id != "":
		s.have = append(s.have, n.ID+" (as "+id+")")
	case s.mostly(n):
		s.most = append(s.most, n.ID)
	case !s.overlaps(n):
		s.kept = append(s.kept, n)
	default:
		s.opened = append(s.opened, n.ID)
		for _, id := range n.Sources {
			if source, ok := s.graph.Node(id); ok {
				s.sift(source)
			}
		}
	}
}

// overlaps reports whether the target has something below a summary.
func (s *sieve) overlaps(n *lineage.Node) bool {
	return slices.ContainsFunc(s.graph.Below(n.ID), func(b *lineage.Node) bool {
		return s.twins.summaries[b.ID] != "" || s.mostly(b)
	})
}

// mostly reports whether something in the target tells of at least half of the
// messages that a leaf was made of.
func (s *sieve) mostly(n *lineage.Node) bool {
	there := 0
	for _, l := range s.under[n.ID] {
		if id, ok := s.twins.messages[l.Message]; ok && s.twins.used[id] {
			there++
		}
	}
	return there > 0 && 2*there >= len(s.under[n.ID])
}

func (s *sieve) tell() {
	if len(s.have) > 0 {
		s.plan.Note("skipped, since the target has them already: " + listed(s.have))
	}
	if len(s.most) > 0 {
		s.plan.Warn("left out, since the target has most of the messages that they were made of: " + listed(s.most))
	}
	if len(s.opened) > 0 && len(s.kept) > 0 {
		s.plan.Warn("carried as what they were made of, since the target has a part of them already: " + listed(s.opened))
	}
}

// something refuses to go on with nothing to carry; have is what the target has.
func (t *transfer) something(have []string) error {
	switch {
	case len(t.nodes) > 0 || len(t.raw) > 0:
		return nil
	case t.from != t.to && len(t.from.Warnings()) > 0:
		return t.from.Warnings()[0] // What there is can't be read.
	case len(have) > 0:
		return &NothingError{
			fmt.Sprintf("conversation %d has all of it already: %s", t.Target, listed(have)),
			"nothing is carried twice; lcm-tui history shows what was carried when",
		}
	case t.Messages:
		return &NothingError{fmt.Sprintf("conversation %d has nothing in its context that could be carried", t.Source), "lcm-tui conversations shows which ones have"}
	}
	return &NothingError{
		fmt.Sprintf("conversation %d has no summaries that could be carried", t.Source),
		"--messages carries the messages in its context as they are",
	}
}

// reuse takes the target's own rows for messages that it has. Where something there
// leads to one, the carried leaf isn't linked to it: two would tell of it.
func (t *transfer) reuse() {
	taken, told := 0, 0
	for _, n := range t.nodes {
		for _, l := range t.under[n.ID] {
			id, ok := t.twins.messages[l.Message]
			if _, again := t.there[l.Message]; !ok || again {
				continue
			}
			if t.there[l.Message] = id; t.twins.used[id] {
				told++
				continue
			}
			taken++
			t.numbers[l.Message] = id
		}
	}
	if taken > 0 {
		t.plan.Note(fmt.Sprintf("the target has %s out of its context already; the carried summaries are linked to those", ops.Count(taken, "message", "messages")))
	}
	if told > 0 {
		t.plan.Note(fmt.Sprintf("the target tells of %s already; the carried summaries aren't linked to those", ops.Count(told, "message", "messages")))
	}
}

// takeRaw takes the messages of the context that no carried summary covers.
func (t *transfer) takeRaw() {
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
		_, twin := t.twins.messages[it.Message]
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
	text := withoutFileIDs(strings.TrimSpace(s.Content))
	if len(text) > short {
		return text
	}
	return text + "\x00" + s.EarliestAt.Time.String() + "\x00" + s.LatestAt.Time.String()
}

// twinSummaries are the target's summaries with the same text, by the source's ids.
func (t *transfer) twinSummaries(ctx context.Context) (map[string]string, error) {
	twins := map[string]string{}
	own, err := t.to.Summaries(ctx, t.Target, data.WholeText)
	t.ownSummaries = len(own)
	if err != nil || len(own) == 0 {
		return twins, err
	}
	by := make(map[string]string, len(own))
	for _, s := range own {
		by[fingerprint(s)] = s.ID
	}
	all, err := t.from.Summaries(ctx, t.Source, data.WholeText)
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
	marks, err := t.from.MessageHeaders(ctx, t.Source)
	if err != nil {
		return nil, err
	}
	own := map[moment][]int64{}
	for _, m := range t.own {
		if m.CreatedAt.Valid() {
			own[moment{m.Role, m.CreatedAt.Time}] = append(own[moment{m.Role, m.CreatedAt.Time}], m.ID)
		}
	}
	likely := map[int64][]int64{}
	var mine, theirs []any
	for _, m := range marks {
		if ids := own[moment{m.Role, m.CreatedAt.Time}]; len(ids) > 0 {
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
	err := t.from.EachImage(ctx, "messages", "message_id", mine, func(r data.Row) { originals[data.CellInteger(r["message_id"])] = said(r) })
	if err == nil {
		err = t.to.EachImage(ctx, "messages", "message_id", theirs, func(r data.Row) { copies[data.CellInteger(r["message_id"])] = said(r) })
	}
	same := map[int64]int64{}
	t.twins.tokens = map[int64]int64{}
	for id, ids := range likely {
		for _, other := range ids {
			if originals[id].same(copies[other]) {
				same[id], t.twins.tokens[id] = other, originals[id].tokens
				break
			}
		}
	}
	return same, err
}

// saying is what a message says.
type saying struct {
	text, hash string
	tokens     int64
}

func said(r data.Row) saying {
	return saying{withoutFileIDs(strings.TrimSpace(data.CellText(r["content"]))), data.CellText(r["identity_hash"]), data.CellInteger(r["token_count"])}
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

// withoutFileIDs is a text in which all files have the same id: copies of a text differ
// in nothing else.
func withoutFileIDs(text string) string {
	return data.ReplaceFileIDs(text, func(string) string { return data.FileIDPrefix })
}
