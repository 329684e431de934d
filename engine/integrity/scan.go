package integrity

import (
	"context"
	"sync"
	"time"

	"lcm-tui/data/lcm"
)

// conversationScan is the state of the check of one conversation.
type conversationScan struct {
	findings
	*checker
	row lcm.RawConversation

	items        []lcm.RawContextItem
	inContext    map[int64]bool
	nodes        map[string]*node
	summaries    []*node          // Oldest first.
	messages     []scannedMessage // By seq.
	messageIndex map[int64]int
	toolCalls    toolCalls
	media        []mediaPart
	entryOwners  map[string]int64 // The message of each id that is given once.
	duplicateIDs map[int64]bool   // Messages that repeat another one.

	sourceLinks, messageLinks, incomingLinks []lcm.RawLink

	resetAt    int64 // When /new cleared the context, in Unix seconds, or 0.
	mayBeReset bool  // The host may have reset it without a note.

	mentionMutex      sync.Mutex
	unreferencedFiles map[string]bool // Files that no text was found to name so far.

	withoutParts, withoutHash, compactionNotes, heartbeats []int64
	unknownModel, filesElsewhere                           []string
	equalTexts                                             [][2]string
}

// node is a summary without its text, with its links.
type node struct {
	lcm.RawSummary
	inContext      bool // The context names it.
	hasNoModelText bool // No model wrote it.
	sources        []string
	derived        []string
	messages       []int64
	brokenLinks    int // Links to rows that don't exist or belong to another conversation.
}

// scanConversation checks one conversation.
func (c *checker) scanConversation(ctx context.Context, row lcm.RawConversation) (*findings, error) {
	s := &conversationScan{
		checker: c, row: row, nodes: map[string]*node{}, incomingLinks: c.incomingLinks[row.ID], inContext: map[int64]bool{},
		messageIndex: map[int64]int{}, entryOwners: map[string]int64{}, unreferencedFiles: map[string]bool{},
	}
	s.findings.conv = row.ID
	for _, id := range c.filesOf[row.ID] {
		s.unreferencedFiles[id] = true
	}
	parts := &partReader{conversationScan: s}
	steps := []func(context.Context) error{s.readStructure}
	if s.needs(ContentScope) {
		steps = append(steps, s.readMessages, parts.readParts)
	}
	if err := runParallel(ctx, steps...); err != nil {
		return nil, err
	}
	s.attachParts(parts.byMessage)
	s.connectNodes()
	s.checkContext()
	s.checkLineage()
	s.checkMessages()
	s.checkSummaries()
	s.checkConversationRow()
	s.checkHostState()
	if err := s.checkFocusBriefs(ctx); err != nil {
		return nil, err
	}
	return &s.findings, s.checkFiles(ctx)
}

// readStructure reads summaries, context items and links.
func (s *conversationScan) readStructure(ctx context.Context) (err error) {
	conv := s.row.ID
	if err := s.readSummaries(ctx); err != nil {
		return err
	}
	if s.items, err = lcm.RawContext(ctx, s.db, conv); err != nil {
		return err
	}
	if s.sourceLinks, err = lcm.RawSummaryLinks(ctx, s.db, conv); err != nil {
		return err
	}
	if s.messageLinks, err = lcm.RawMessageLinks(ctx, s.db, conv); err != nil {
		return err
	}
	dangling := false
	for _, i := range s.items {
		if i.Summary == "" {
			s.inContext[i.Message] = true
		}
		dangling = dangling || i.Missing
	}
	const stamp = "soft_reset_pruned_at"
	state := s.hostState.row(bootstrapTable, conv)
	if at, ok := timeColumn(state, stamp); ok {
		s.resetAt = at.Truncate(time.Second).Unix()
	}
	schema := s.db.Schema()
	s.mayBeReset = schema.Has("conversations", "active") && !dangling && (state == nil || !schema.Has(bootstrapTable, stamp))
	return nil
}

// connectNodes gives each summary its links, and notes which are in the context.
func (s *conversationScan) connectNodes() {
	for i := range s.messages {
		s.messageIndex[s.messages[i].id] = i
	}
	for _, i := range s.items {
		if n := s.nodes[i.Summary]; n != nil {
			n.inContext = true
		}
	}
	for _, l := range s.sourceLinks {
		n := s.nodes[l.Summary]
		if n == nil {
			continue
		}
		n.sources = append(n.sources, l.Source)
		if source := s.nodes[l.Source]; source != nil {
			source.derived = append(source.derived, l.Summary)
		} else {
			n.brokenLinks++
		}
	}
	for _, l := range s.messageLinks {
		n := s.nodes[l.Summary]
		if n == nil {
			continue
		}
		n.messages = append(n.messages, l.Message)
		if _, known := s.messageIndex[l.Message]; !known {
			n.brokenLinks++
		}
	}
	for _, l := range s.incomingLinks {
		if source := s.nodes[l.Source]; source != nil && l.Owner != 0 {
			source.derived = append(source.derived, l.Summary)
		}
	}
}

// below calls fn once with every summary of the conversation below n.
func (s *conversationScan) below(n *node, fn func(*node)) {
	seen := map[string]bool{n.ID: true}
	stack := []*node{n}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, id := range top.sources {
			if source := s.nodes[id]; source != nil && !seen[id] {
				seen[id] = true
				fn(source)
				stack = append(stack, source)
			}
		}
	}
}
