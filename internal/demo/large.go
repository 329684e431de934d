package demo

import (
	"fmt"
	"math/rand/v2"
	"time"

	"lcm-tui/internal/fakehost"
)

// Size says how big a benchmark file is to be.
type Size struct {
	Conversations, Messages, Parts, Summaries int
	BodyBytes                                 int // mean length of a message
}

// DefaultSize is the size of a heavy user's file: about 1.8 GB.
var DefaultSize = Size{Conversations: 4_100, Messages: 340_000, Parts: 460_000, Summaries: 10_000, BodyBytes: 820}

// batch is how many messages go into one transaction.
const batch = 2_000

// WriteLarge makes a benchmark file at level Head: the same bytes for the same size. Its first
// conversation has three in ten of the summaries in its context, uncondensed; the second
// has half of them in one deep graph; the others follow a Zipf curve. The memory it takes
// does not grow with the size. report, which may be nil, is called with the number of messages written.
func WriteLarge(path string, size Size, report func(done, total int)) error {
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		return err
	}
	if report == nil {
		report = func(int, int) {}
	}
	rng := rand.New(rand.NewPCG(340_000, 10_000))
	b := largeWriter{Writer: h, size: size, report: report, rng: rng, pool: newPool(rng)}
	err = b.write()
	if e := h.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("write benchmark file: %w", err)
	}
	return nil
}

// largeWriter writes the benchmark file.
type largeWriter struct {
	*fakehost.Writer
	size     Size
	report   func(done, total int)
	rng      *rand.Rand
	pool     textPool
	messages int // written so far
	parts    int
	nodes    int
	call     string // id of the open tool call
}

// write fills the file without a journal: when that fails there is no file to save.
func (b *largeWriter) write() error {
	if err := b.Script("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF"); err != nil {
		return err
	}
	for i, p := range b.size.plan() {
		if err := b.conversation(i, p); err != nil {
			return err
		}
	}
	b.report(b.messages, b.size.Messages)
	return b.Script("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL")
}

// quota is how much one conversation gets.
type quota struct {
	messages, leaves int
	condense         bool
}

// plan deals the messages and summaries out to the conversations.
func (s Size) plan() []quota {
	out := []quota{
		{messages: s.Messages * 15 / 340, leaves: s.Summaries * 3 / 10},
		{messages: s.Messages * 184 / 3400, leaves: s.Summaries * 46 / 100, condense: true},
	}
	messages := s.Messages - out[0].messages - out[1].messages
	nodes := s.Summaries - out[0].leaves - countNodes(out[1].leaves)
	weight := 0.0
	for i := 2; i < s.Conversations; i++ {
		weight += 1 / float64(i+20)
	}
	for i := 2; i < s.Conversations; i++ {
		n := int(float64(messages) / weight / float64(i+20))
		leaves := min(max(0, nodes), n/20)
		for leaves > 0 && countNodes(leaves) > nodes {
			leaves--
		}
		nodes -= countNodes(leaves)
		out = append(out, quota{n, leaves, true})
	}
	// What rounding left over goes to the last of the talkative ones.
	for _, p := range out[2:] {
		messages -= p.messages
	}
	out[min(len(out)-1, 2)].messages += messages
	return out
}

// fanout is how many summaries are condensed into one.
const fanout = 8

// countNodes returns how many nodes n leaves make when they are condensed to the top.
func countNodes(n int) int {
	total := n
	for n >= fanout {
		n /= fanout
		total += n
	}
	return total
}

// conversation writes one conversation: first what is summarised, then the fresh tail.
func (b *largeWriter) conversation(i int, p quota) error {
	lane := []string{"main", "telegram:direct:%d", "cron:job-%d", "subagent:%d", "slack:channel:%d"}[i%5]
	if i%5 != 0 {
		lane = fmt.Sprintf(lane, i)
	} else if i > 0 {
		lane = fmt.Sprintf("main:%d", i)
	}
	at := fakehost.Epoch.Add(-time.Duration(b.rng.IntN(400*24)) * time.Hour)
	c := fakehost.Conversation{SessionKey: fmt.Sprintf("agent:agent%d:%s", i%7, lane), Active: i < 2 || i%9 == 0, At: at}
	if !c.Active {
		c.Archived, c.Cause = at.Add(time.Duration(p.messages)*time.Minute), "session-end"
	}
	conv, err := b.Conversation(c)
	if err != nil {
		return err
	}
	left, err := b.summarizedPart(conv, p)
	for err == nil && left > 0 {
		n := min(left, batch)
		left -= n
		err = b.Tx(func(*fakehost.Writer) error {
			_, err := b.writeMessages(conv, n, false)
			return err
		})
	}
	return err
}
