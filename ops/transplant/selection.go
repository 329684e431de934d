package transplant

import (
	"fmt"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// selection is what is copied of the source.
type selection struct {
	roots          []*lineage.Node              // Those that get a place in the target's context.
	nodes          []*lineage.Node              // All that are copied, sources first.
	missingSources int                          // How many links lead to summaries that don't exist.
	links          map[string][]lcm.MessageLink // The source's links to messages, by summary.
	rawMessages    []lcm.ContextItem            // Messages of the source's context to copy.
	others         []int64                      // Messages to copy that get no place in the context.
	present        map[int64]int64              // The target's own messages, by the source's ids: these aren't copied.
	reused         map[int64]int64              // Those of them that copied leaves are linked to.
}

// isEmpty reports whether there is nothing to copy.
func (s *selection) isEmpty() bool {
	return len(s.nodes) == 0 && len(s.rawMessages) == 0 && len(s.others) == 0
}

// messageIDs returns the ids of the messages to copy, each once.
func (s *selection) messageIDs() (ids []any) {
	seen := map[int64]bool{}
	add := func(id int64) {
		if _, present := s.present[id]; !present && !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	for _, n := range s.nodes {
		for _, l := range s.links[n.ID] {
			add(l.Message)
		}
	}
	for _, it := range s.rawMessages {
		add(it.Message)
	}
	for _, id := range s.others {
		add(id)
	}
	return ids
}

// reuseMessages links copied leaves to the target's own rows of messages that it has. Where
// the target's context or a summary already leads to one, the copied leaf isn't linked
// to it: two summaries would cover it.
func (s *selection) reuseMessages(have *duplicates, plan *ops.Plan) {
	covered := 0
	s.present, s.reused = map[int64]int64{}, map[int64]int64{}
	for _, n := range s.nodes {
		for _, l := range s.links[n.ID] {
			id, ok := have.messages[l.Message]
			if _, again := s.present[l.Message]; !ok || again {
				continue
			}
			if s.present[l.Message] = id; have.referenced[id] {
				covered++
				continue
			}
			s.reused[l.Message] = id
		}
	}
	if reused := len(s.reused); reused > 0 {
		plan.Note(fmt.Sprintf("the target already has %s outside of its context; the copied summaries are linked to those", plural.Count(reused, "message", "messages")))
	}
	if covered > 0 {
		plan.Note(fmt.Sprintf("the target already covers %s; the copied summaries aren't linked to those", plural.Count(covered, "message", "messages")))
	}
}

// chooseRawMessages chooses the messages of the source's context that no copied summary covers,
// where they are wanted.
func (s *selection) chooseRawMessages(items []lcm.ContextItem, have *duplicates, wanted bool, plan *ops.Plan) {
	covered := map[int64]bool{}
	for _, n := range s.nodes {
		for _, l := range s.links[n.ID] {
			covered[l.Message] = true
		}
	}
	var left, twice int
	var tokens int64
	for _, it := range items {
		if it.IsSummary() || it.Missing || covered[it.Message] {
			continue
		}
		_, duplicate := have.messages[it.Message]
		switch {
		case !wanted:
			left, tokens = left+1, tokens+it.Tokens
		case duplicate:
			twice++
		default:
			covered[it.Message] = true
			s.rawMessages = append(s.rawMessages, it)
		}
	}
	if left > 0 {
		notCopied := fmt.Sprintf("%s of the source's context that no summary covers (%d tokens) are not copied; ", plural.Count(left, "message", "messages"), tokens)
		plan.NoteFlag(notCopied+"--messages copies them", notCopied+"m among the sources copies them")
	}
	if twice > 0 {
		plan.Note(fmt.Sprintf("skipped, because the target already has them: %s of the source's context", plural.Count(twice, "message", "messages")))
	}
}
