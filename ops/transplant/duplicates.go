package transplant

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/internal/plural"
)

// duplicates are what the target already has of the source.
type duplicates struct {
	summaries  map[string]string // Ids in the target, by the source's.
	messages   map[int64]int64   // Ids in the target, by the source's.
	referenced map[int64]bool    // The target's messages that its context or a summary of it leads to.
	tokens     map[int64]int64   // Tokens of those messages of the source.
}

// compare leaves out what the target already has. Where it has a part of what is below a
// summary, the summary's sources are copied in its place, without that part: the summary
// would repeat it.
func (t *transfer) compare(ctx context.Context) (err error) {
	if t.duplicates.summaries, err = t.duplicateSummaries(ctx); err != nil {
		return err
	}
	if t.duplicates.messages, err = t.duplicateMessages(ctx); err != nil {
		return err
	}
	if t.duplicates.referenced, err = t.referenced(ctx); err != nil {
		return err
	}
	s := &branchFilter{transfer: t, seen: map[string]bool{}}
	for _, n := range t.roots {
		s.filter(n)
	}
	s.addNotes()
	if t.nodes, err = t.descendants(ctx, s.chosen); err != nil {
		return err
	}
	t.roots = outermost(s.chosen, t.nodes)
	t.reuseMessages()
	t.chooseRawMessages()
	if err := t.chooseOthers(ctx); err != nil {
		return err
	}
	return t.checkNotEmpty(slices.Concat(s.duplicated, s.mostlyPresent))
}

// branchFilter chooses, from the top down, the summaries of which the target has nothing.
type branchFilter struct {
	*transfer
	seen          map[string]bool
	chosen        []*lineage.Node
	duplicated    []string // Summaries that the target has, with its ids.
	mostlyPresent []string // Leaves of which it has most messages.
	expanded      []string // Summaries whose sources are copied in their place.
}

// filter decides about a summary, and about its sources where it can't be copied whole.
func (s *branchFilter) filter(n *lineage.Node) {
	if s.seen[n.ID] {
		return
	}
	s.seen[n.ID] = true
	switch id := s.duplicates.summaries[n.ID]; {
	case id != "":
		s.duplicated = append(s.duplicated, n.ID+" (as "+id+")")
	case s.hasMost(n):
		s.mostlyPresent = append(s.mostlyPresent, n.ID)
	case !s.overlaps(n):
		s.chosen = append(s.chosen, n)
	default:
		s.expanded = append(s.expanded, n.ID)
		for _, id := range n.Sources {
			if source, ok := s.graph.Node(id); ok {
				s.filter(source)
			}
		}
	}
}

// overlaps reports whether the target has anything below a summary.
func (s *branchFilter) overlaps(n *lineage.Node) bool {
	return slices.ContainsFunc(s.graph.Below(n.ID), func(b *lineage.Node) bool {
		return s.duplicates.summaries[b.ID] != "" || s.hasMost(b)
	})
}

// hasMost reports whether the target covers at least half of the messages of a leaf.
func (s *branchFilter) hasMost(n *lineage.Node) bool {
	present := 0
	for _, l := range s.messageLinks[n.ID] {
		if id, ok := s.duplicates.messages[l.Message]; ok && s.duplicates.referenced[id] {
			present++
		}
	}
	return present > 0 && 2*present >= len(s.messageLinks[n.ID])
}

// addNotes says which summaries aren't copied and why.
func (s *branchFilter) addNotes() {
	if len(s.duplicated) > 0 {
		s.plan.Note("skipped, because the target already has them: " + joinSome(s.duplicated))
	}
	if len(s.mostlyPresent) > 0 {
		s.plan.Warn("left out, because the target has most of the messages that they were made of: " + joinSome(s.mostlyPresent))
	}
	if len(s.expanded) > 0 && len(s.chosen) > 0 {
		s.plan.Warn("their sources are copied in their place, because the target already has a part of them: " + joinSome(s.expanded))
	}
}

// checkNotEmpty refuses to go on with nothing to copy; have is what the target has.
func (t *transfer) checkNotEmpty(have []string) error {
	switch {
	case len(t.nodes) > 0 || len(t.rawMessages) > 0 || len(t.others) > 0:
		return nil
	case t.sourceDB != t.targetDB && len(t.sourceDB.Warnings()) > 0:
		return t.sourceDB.Warnings()[0] // What is there can't be read.
	case len(have) > 0:
		return &NothingError{
			fmt.Sprintf("conversation %d already has all of it: %s", t.Target, joinSome(have)),
			"nothing is copied twice; lcm-tui history shows what was copied when",
		}
	case t.Messages:
		return &NothingError{fmt.Sprintf("conversation %d has nothing in its context that could be copied", t.Source), "lcm-tui conversations shows which conversations have something"}
	}
	return &NothingError{
		fmt.Sprintf("conversation %d has no summaries that could be copied", t.Source),
		"--messages copies the messages in its context as they are",
	}
}

// reuseMessages links copied leaves to the target's own rows of messages that it has. Where
// the target's context or a summary already leads to one, the copied leaf isn't linked
// to it: two summaries would cover it.
func (t *transfer) reuseMessages() {
	reused, covered := 0, 0
	for _, n := range t.nodes {
		for _, l := range t.messageLinks[n.ID] {
			id, ok := t.duplicates.messages[l.Message]
			if _, again := t.present[l.Message]; !ok || again {
				continue
			}
			if t.present[l.Message] = id; t.duplicates.referenced[id] {
				covered++
				continue
			}
			reused++
			t.numbers[l.Message] = id
		}
	}
	if reused > 0 {
		t.plan.Note(fmt.Sprintf("the target already has %s outside of its context; the copied summaries are linked to those", plural.Count(reused, "message", "messages")))
	}
	if covered > 0 {
		t.plan.Note(fmt.Sprintf("the target already covers %s; the copied summaries aren't linked to those", plural.Count(covered, "message", "messages")))
	}
}

// chooseRawMessages chooses the messages of the source's context that no copied summary covers.
func (t *transfer) chooseRawMessages() {
	covered := map[int64]bool{}
	for _, n := range t.nodes {
		for _, l := range t.messageLinks[n.ID] {
			covered[l.Message] = true
		}
	}
	var left, twice int
	var tokens int64
	for _, it := range t.sourceContext {
		if it.IsSummary() || it.Missing || covered[it.Message] {
			continue
		}
		_, duplicate := t.duplicates.messages[it.Message]
		switch {
		case !t.Messages:
			left, tokens = left+1, tokens+it.Tokens
		case duplicate:
			twice++
		default:
			covered[it.Message] = true
			t.rawMessages = append(t.rawMessages, it)
		}
	}
	if left > 0 {
		notCopied := fmt.Sprintf("%s of the source's context that no summary covers (%d tokens) are not copied; ", plural.Count(left, "message", "messages"), tokens)
		t.plan.NoteFlag(notCopied+"--messages copies them", notCopied+"m among the sources copies them")
	}
	if twice > 0 {
		t.plan.Note(fmt.Sprintf("skipped, because the target already has them: %s of the source's context", plural.Count(twice, "message", "messages")))
	}
}

// shortText is the length in bytes up to which two different summaries may have the same
// text, such as a mark of where something was cut off: their times must be the same too.
const shortText = 40

// fingerprint is what two copies of one summary have in common.
func fingerprint(s lcm.Summary) string {
	text := withoutFileIDs(strings.TrimSpace(s.Content))
	if len(text) > shortText {
		return text
	}
	return text + "\x00" + s.EarliestAt.Time.String() + "\x00" + s.LatestAt.Time.String()
}

// duplicateSummaries are the ids of the target's summaries with the same text, by the ids
// of the source's.
func (t *transfer) duplicateSummaries(ctx context.Context) (map[string]string, error) {
	found := map[string]string{}
	own, err := lcm.Summaries(ctx, t.targetDB, t.Target, data.WholeText)
	t.targetSummaries = len(own)
	if err != nil || len(own) == 0 {
		return found, err
	}
	by := make(map[string]string, len(own))
	for _, s := range own {
		by[fingerprint(s)] = s.ID
	}
	all, err := lcm.Summaries(ctx, t.sourceDB, t.Source, data.WholeText)
	for _, s := range all {
		if id := by[fingerprint(s)]; id != "" {
			found[s.ID] = id
		}
	}
	return found, err
}

// roleAndTime is what two rows of one message have in common, apart from their text.
type roleAndTime struct {
	role string
	at   time.Time
}

// duplicateMessages are the ids of the target's messages with the same role, text and time,
// by the ids of the source's. Only texts of messages with the same role and time are
// read.
func (t *transfer) duplicateMessages(ctx context.Context) (map[int64]int64, error) {
	headers, err := lcm.MessageHeaders(ctx, t.sourceDB, t.Source)
	if err != nil {
		return nil, err
	}
	own := map[roleAndTime][]int64{}
	for _, m := range t.targetMessages {
		if m.CreatedAt.Valid() {
			own[roleAndTime{m.Role, m.CreatedAt.Time}] = append(own[roleAndTime{m.Role, m.CreatedAt.Time}], m.ID)
		}
	}
	likely := map[int64][]int64{}
	var mine, theirs []any
	for _, m := range headers {
		if ids := own[roleAndTime{m.Role, m.CreatedAt.Time}]; len(ids) > 0 {
			likely[m.ID] = ids
			mine = append(mine, m.ID)
			for _, id := range ids {
				theirs = append(theirs, id)
			}
		}
	}
	sort.Slice(theirs, func(i, j int) bool { return theirs[i].(int64) < theirs[j].(int64) })
	return t.compareTexts(ctx, likely, mine, slices.Compact(theirs))
}

// compareTexts are the likely duplicates whose texts are the same.
func (t *transfer) compareTexts(ctx context.Context, likely map[int64][]int64, mine, theirs []any) (map[int64]int64, error) {
	originals, copies := map[int64]messageContent{}, map[int64]messageContent{}
	err := t.sourceDB.EachImage(ctx, "messages", "message_id", mine, func(r data.Row) { originals[data.CellInteger(r["message_id"])] = contentOf(r) })
	if err == nil {
		err = t.targetDB.EachImage(ctx, "messages", "message_id", theirs, func(r data.Row) { copies[data.CellInteger(r["message_id"])] = contentOf(r) })
	}
	same := map[int64]int64{}
	t.duplicates.tokens = map[int64]int64{}
	for id, ids := range likely {
		for _, other := range ids {
			if originals[id].same(copies[other]) {
				same[id], t.duplicates.tokens[id] = other, originals[id].tokens
				break
			}
		}
	}
	return same, err
}

// messageContent is what is compared of two messages.
type messageContent struct {
	text, hash string
	tokens     int64
}

func contentOf(r data.Row) messageContent {
	return messageContent{withoutFileIDs(strings.TrimSpace(data.CellText(r["content"]))), data.CellText(r["identity_hash"]), data.CellInteger(r["token_count"])}
}

// same reports whether two messages of one role and time are the same. Messages without
// a text can't be compared, and never are.
func (s messageContent) same(o messageContent) bool {
	if s.text == "" || o.text == "" {
		return false
	}
	return s.text == o.text || s.hash != "" && s.hash == o.hash
}

// referenced are the target's messages that its context or any of its summaries leads to.
func (t *transfer) referenced(ctx context.Context) (map[int64]bool, error) {
	linked := map[int64]bool{}
	for _, it := range t.targetContext {
		if !it.IsSummary() {
			linked[it.Message] = true
		}
	}
	links, err := lcm.MessageLinks(ctx, t.targetDB, t.Target)
	for _, l := range links {
		linked[l.Message] = true
	}
	return linked, err
}

// withoutFileIDs is a text in which all files have the same id: copies of a text differ
// in nothing else.
func withoutFileIDs(text string) string {
	return lcm.ReplaceFileIDs(text, func(string) string { return lcm.FileIDPrefix })
}
