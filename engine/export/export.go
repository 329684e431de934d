package export

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/lineage"
	"lcm-tui/internal/sorting"
)

// Result counts what was exported.
type Result struct {
	Conversations int64 `json:"conversations"`
	Messages      int64 `json:"messages"`
	Summaries     int64 `json:"summaries"`
	Files         int64 `json:"files"`
	Forgotten     int64 `json:"forgotten"`     // Messages of which only a stub is left.
	LeftOut       int64 `json:"left_out"`      // Heartbeats and notes of compactions.
	MissingFiles  int64 `json:"missing_files"` // Large files that weren't found or couldn't be read.
	Unpaired      int64 `json:"unpaired"`      // Results without a call, which a format can't hold.
}

// Add adds what another export counted.
func (r *Result) Add(o Result) {
	r.Conversations += o.Conversations
	r.Messages += o.Messages
	r.Summaries += o.Summaries
	r.Files += o.Files
	r.Forgotten += o.Forgotten
	r.LeftOut += o.LeftOut
	r.MissingFiles += o.MissingFiles
	r.Unpaired += o.Unpaired
}

// Write writes conversations of a database to w. A format that isn't OneFile takes one
// conversation. The report counts messages of all that there are.
func Write(ctx context.Context, db *data.DB, convs []lcm.Conversation, w io.Writer, o Options, report data.Report) (Result, error) {
	content, err := o.content()
	if err != nil {
		return Result{}, err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	e := &exporter{ctx: ctx, db: db, o: o, content: content, out: out, report: report}
	f := e.format()
	if err := f.begin(); err != nil {
		return e.result, err
	}
	for _, c := range convs {
		if err := e.conversation(c, f); err != nil {
			return e.result, err
		}
	}
	if err := f.end(); err != nil {
		return e.result, err
	}
	return e.result, out.Flush()
}

// formatter writes one format. What it is given is in the order of the conversation: its
// beginning, its summaries, its messages or the items of its context, its end.
type formatter interface {
	begin() error
	open(c *conversation) error
	summary(s *summary) error
	message(m message) error
	close() error
	end() error
}

// conversation is a conversation that is being exported.
type conversation struct {
	lcm.Conversation
	graph    *lineage.Graph
	coverage *lineage.Coverage
	span     lcm.SeqRange
	files    map[string]lcm.LargeFile
}

// summary is a summary with its whole text.
type summary struct {
	lcm.Summary
	sources []string
	extent  lineage.Extent
	ordinal int64 // In the context, or -1.
}

// exporter reads conversations and gives them to a format.
type exporter struct {
	ctx     context.Context
	db      *data.DB
	o       Options
	content Content
	out     *bufio.Writer
	report  data.Report
	result  Result
	now     *conversation
	seqs    lcm.Seqs
}

func (e *exporter) format() formatter {
	base := plainFormat{e}
	switch e.o.Format {
	case OpenClaw:
		return &openClawFormat{plainFormat: base}
	case Claude:
		return &claudeFormat{plainFormat: base}
	case OpenAI:
		return &openAIFormat{plainFormat: base}
	case Markdown:
		return &markdownFormat{plainFormat: base}
	case HTML:
		return &htmlFormat{plainFormat: base}
	case Dot, Mermaid:
		return &graphFormat{plainFormat: base}
	}
	return &rowsFormat{plainFormat: base}
}

// plainFormat is the part that formats share: what they leave out does nothing.
type plainFormat struct{ *exporter }

func (plainFormat) begin() error             { return nil }
func (plainFormat) open(*conversation) error { return nil }
func (plainFormat) summary(*summary) error   { return nil }
func (plainFormat) message(message) error    { return nil }
func (plainFormat) close() error             { return nil }
func (plainFormat) end() error               { return nil }

// write writes texts; the buffer keeps the first error.
func (e *exporter) write(texts ...string) error {
	var err error
	for _, t := range texts {
		_, err = e.out.WriteString(t)
	}
	return err
}

// conversation exports one conversation.
func (e *exporter) conversation(c lcm.Conversation, f formatter) error {
	if err := e.ctx.Err(); err != nil {
		return err
	}
	now := &conversation{Conversation: e.scrubConversation(c)}
	e.now = now
	if err := e.load(now); err != nil {
		return err
	}
	e.result.Conversations++
	if err := f.open(now); err != nil {
		return err
	}
	if e.content == All || e.content == Summaries && e.o.Format != Dot && e.o.Format != Mermaid { // A graph has no texts.
		if err := e.summaries(f); err != nil {
			return err
		}
	}
	switch e.content {
	case Messages, All:
		if err := e.messages(f); err != nil {
			return err
		}
	case Context:
		if err := e.context(f); err != nil {
			return err
		}
	}
	if err := e.copyFiles(); err != nil {
		return err
	}
	return f.close()
}

// load reads what a format needs before the first row.
func (e *exporter) load(c *conversation) (err error) {
	if c.span, err = lcm.ReadSeqRange(e.ctx, e.db, c.ID); err != nil {
		return err
	}
	if e.content != Messages {
		if c.graph, err = lineage.Load(e.ctx, e.db, c.ID, 0); err != nil {
			return err
		}
		if c.coverage, err = lineage.LoadCoverage(e.ctx, e.db, c.ID); err != nil {
			return err
		}
	}
	files, err := lcm.LargeFiles(e.ctx, e.db, c.ID)
	c.files = make(map[string]lcm.LargeFile, len(files))
	for _, f := range files {
		c.files[f.ID] = f
	}
	if err != nil {
		return err
	}
	e.seqs, err = e.seqRange(c)
	return err
}

// summaries gives a format the summaries, the highest depth first, of each the oldest.
func (e *exporter) summaries(f formatter) error {
	nodes := slices.Clone(e.now.graph.Nodes())
	sorting.Stable(nodes, func(a, b **lineage.Node) int { return cmp.Compare((*b).Depth, (*a).Depth) })
	for _, n := range nodes {
		if !e.holdsSummary(n) {
			continue
		}
		if err := e.oneSummary(n.ID, f); err != nil {
			return err
		}
	}
	return nil
}

// holdsSummary reports whether a summary covers anything of the range that is exported.
func (e *exporter) holdsSummary(n *lineage.Node) bool {
	if until := e.o.Until.At; !until.IsZero() && n.EarliestAt.After(until) {
		return false
	}
	if e.seqs == lcm.AllSeqs {
		return true
	}
	x, _ := e.now.coverage.Extent(n.ID)
	return x.First <= e.seqs.Last && x.Last >= e.seqs.First && x.Range != (lineage.Range{})
}

// oneSummary reads a summary whole and gives it to a format.
func (e *exporter) oneSummary(id string, f formatter) error {
	row, err := lcm.ReadSummary(e.ctx, e.db, id)
	if err != nil {
		return err
	}
	s := &summary{Summary: row, ordinal: -1}
	if n, ok := e.now.graph.Node(id); ok {
		s.sources, s.ordinal = n.Sources, n.Ordinal
	}
	s.extent, _ = e.now.coverage.Extent(id)
	s.Content = e.scrub(s.Content)
	e.result.Summaries++
	return f.summary(s)
}

// messages gives a format the messages of the range.
func (e *exporter) messages(f formatter) error {
	return lcm.StreamMessages(e.ctx, e.db, e.now.ID, e.seqs, func(m *lcm.StreamedMessage) error {
		if !e.holdsTime(m.CreatedAt) {
			return nil
		}
		return e.oneMessage(m, f)
	})
}

// oneMessage gives a format a message, unless nobody said it.
func (e *exporter) oneMessage(m *lcm.StreamedMessage, f formatter) error {
	if err := e.ctx.Err(); err != nil {
		return err
	}
	if !e.o.AllRows && isNoise(m) {
		e.result.LeftOut++
		return nil
	}
	e.scrubMessage(m)
	out := newMessage(m, !e.db.Schema().Has("summaries", "descendant_token_count"))
	if err := e.placeFiles(&out); err != nil {
		return err
	}
	e.result.Messages++
	if out.forgotten {
		e.result.Forgotten++
	}
	if e.result.Messages%256 == 0 && e.report != nil {
		e.report(0, 0, "messages exported: "+grouped(e.result.Messages))
	}
	return f.message(out)
}

// contextPiece is how many places of a context are read at once.
const contextPiece = 64

// context gives a format what a model is shown, in its order.
func (e *exporter) context(f formatter) error {
	places, err := lcm.ContextPlaces(e.ctx, e.db, e.now.ID)
	for len(places) > 0 && err == nil {
		n := 0
		var ids []int64
		for n < len(places) && n < contextPiece && places[n].Summary == "" {
			if !places[n].Missing {
				ids = append(ids, places[n].Message)
			}
			n++
		}
		switch {
		case n == 0 && places[0].Missing:
			n = 1
		case n == 0:
			n = 1
			if node, ok := e.now.graph.Node(places[0].Summary); !ok || e.holdsSummary(node) {
				err = e.oneSummary(places[0].Summary, f)
			}
		default:
			err = lcm.StreamContextMessages(e.ctx, e.db, ids, func(m *lcm.StreamedMessage) error {
				if m.Seq < e.seqs.First || m.Seq > e.seqs.Last || !e.holdsTime(m.CreatedAt) {
					return nil
				}
				return e.oneMessage(m, f)
			})
		}
		places = places[n:]
	}
	return err
}

// shown returns a summary as a model is shown it.
func (s *summary) shown() string { return assemble.SummaryText(&s.Summary, s.sources) }
