package review

import (
	"context"
	"errors"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	engine "lcm-tui/engine/compact"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Compaction is the dialog before a conversation is compacted: what is asked for, which
// model would be asked, and what would happen, estimated again after every change. It
// writes nothing and asks no model; enter leads to the review.
type Compaction struct {
	env   *views.Env
	conv  lcm.Conversation
	title string

	initial compactionRequest // As configured, and as supposed in the context.
	request compactionRequest // As on the screen.
	forced  bool              // Force was chosen by hand and no longer follows from the threshold.
	field   int               // Under the cursor, of compactionFields.
	drawn   []dialogLine      // By the last View.
	input   *ui.Input         // Takes a number for that field.

	loaded   bool
	notRead  string // Why it isn't loaded; empty while that goes on.
	base     compactionBase
	estimate compactionEstimate
}

// compactionRequest is what can be chosen in the dialog.
type compactionRequest struct {
	mode       engine.Mode
	budget     int64 // Tokens.
	tail       int64 // Messages.
	tailTokens int64 // noLimit is none.
	target     int64 // Tokens; of mode Until.
	force      bool
	hard       bool
}

// noLimit is a limit of tokens that isn't set.
const noLimit = -1

// compactionBase is what the dialog is filled from.
type compactionBase struct {
	summarizer views.Summarizer
	err        error // Why no summaries can be made; the estimate needs none.
	config     engine.Config
	caveat     error // A doubt about config; may be nil.
	items      []lcm.ContextItem
	counted    []lcm.ContextItem // The items with the tokens that the fresh tail is measured by.
	tokens     int64             // Of the items.
	seed       string            // Of the ids of new summaries.
}

// compactionEstimate is what a request leads to.
type compactionEstimate struct {
	request compactionRequest
	op      *compact.Op // Nil from when the context or the model may be others until the next estimate.
	plan    ops.Plan
	err     error // Why nothing would happen, or why that isn't known.
	// shorter is a fresh tail that would leave something to compact where this one is all
	// of the context; nil where there is none, or none is needed.
	shorter *shorterTail
}

// shorterTail is a smaller fresh tail and the tokens of the context after it.
type shorterTail struct {
	messages, tokensAfter int64
}

var _ ui.Screen = (*Compaction)(nil)

// NewCompaction returns the dialog of compacting a conversation, under its title in the breadcrumb.
// tail is a number of messages, or asConfigured.
func NewCompaction(env *views.Env, title string, conv lcm.Conversation, budget int64, tail int) ui.Screen {
	c := &Compaction{env: env, conv: conv, title: title, input: ui.NewInput(env.Styles, "")}
	c.initial = compactionRequest{mode: engine.Sweep, budget: budget, tail: int64(tail), tailTokens: noLimit, target: budget / 2}
	c.request = c.initial
	return c
}

// Title implements ui.Screen.
func (c *Compaction) Title() string { return c.title }

// Purpose implements ui.Screen.
func (c *Compaction) Purpose() string {
	return "What compacting this conversation would do: older messages become summaries, and the fresh tail stays as it is. Nothing is written and no model is asked from here."
}

// Init implements ui.Screen.
func (c *Compaction) Init() tea.Cmd {
	c.estimate.op, c.notRead = nil, ""
	return tea.Batch(c.env.FindModels(), c.load())
}

// load reads the settings, the model and the context.
func (c *Compaction) load() tea.Cmd {
	env, conv := c.env, c.conv
	return env.Jobs.Start(c, "load", views.Read(func(ctx context.Context) (b compactionBase, err error) {
		b.summarizer, b.err = env.FindSummarizer(ctx)
		if len(b.summarizer.Settings.All) == 0 && env.Settings != nil {
			b.summarizer.Settings = env.Settings()
		}
		s, caveat, err := b.summarizer.Settings.ForConversation(ctx, env.DB, conv)
		if err != nil {
			return b, err
		}
		b.config, b.caveat = s.Compaction(), caveat
		if b.items, err = lcm.Context(ctx, env.DB, conv.ID); err == nil {
			b.counted, err = assemble.Counted(ctx, env.DB, conv.ID, b.items)
		}
		b.tokens = lcm.SumTokens(b.items)
		b.seed = env.DB.NewID()
		return b, err
	}))
}

// Update implements ui.Screen.
func (c *Compaction) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ui.FailedMsg:
		if msg.Name == "load" && !c.loaded {
			c.notRead = views.NotRead(msg.Err)
		}
	case compactionBase:
		c.fill(msg)
		c.estimate.op = nil // An estimate that came meanwhile was made with the settings and the model from before.
		return c.estimateNow(0)
	case compactionEstimate:
		c.estimate = msg
	case ui.ChangedMsg, ui.ShownMsg: // The context or the model may be others.
		return c.Init()
	case tea.PasteMsg:
		c.input.Update(msg)
	case tea.KeyPressMsg:
		return c.key(msg)
	case tea.MouseMsg:
		return c.mouse(msg)
	}
	return nil
}

// fill takes what the settings say for whatever wasn't chosen yet.
func (c *Compaction) fill(b compactionBase) {
	fresh := !c.loaded
	c.base, c.loaded = b, true
	if !fresh {
		c.followThreshold()
		return
	}
	if c.initial.tail == views.AsConfigured {
		c.initial.tail = int64(b.config.FreshTailCount)
	}
	if b.config.FreshTailMaxTokens != nil {
		c.initial.tailTokens = *b.config.FreshTailMaxTokens
	}
	c.request = c.initial
	c.followThreshold()
	c.initial.force = c.request.force
}

// followThreshold turns force on while the context is below the threshold, so that what is
// asked for happens; the screen says that the host wouldn't compact yet.
func (c *Compaction) followThreshold() {
	if !c.forced {
		c.request.force = !c.due()
	}
}

// due reports whether the host would compact: whether the context is above the threshold.
func (c *Compaction) due() bool { return c.base.config.Due(c.base.tokens, 0, c.request.budget) }

// Typing implements ui.Typer.
func (c *Compaction) Typing() bool { return c.input.Typing() }

// Actions implements ui.Screen.
func (c *Compaction) Actions() []ui.Action {
	if c.Typing() {
		return []ui.Action{ui.Act("enter", "⏎", "take it").In(ui.Typing).InFooter(), ui.Act("esc", "esc", "leave").In(ui.Typing).InFooter()}
	}
	var out []ui.Action
	k := compactionKeys
	for _, a := range c.actions() {
		switch a.Key.Help() {
		case k.Less.Key.Help():
			out = append(out, a.JoinedWith(k.More))
		case k.Up.Key.Help():
			out = append(out, a.JoinedWith(k.Down))
		case k.More.Key.Help(): // These stand with the others.
		default:
			out = append(out, a.Action)
		}
	}
	return append(out, ui.Act("0 1 2 3 4 5 6 7 8 9", "0–9", "type a number").WithEach().In("Compaction").InFooter())
}

func (c *Compaction) actions() []views.Action {
	k, shorter := compactionKeys, compactionKeys.Shorter
	shorter.Footer = c.estimate.shorter != nil
	choose := c.env.ChooseModelAction()
	choose.Footer = true
	return []views.Action{
		{Action: k.Review.In("Compaction").InFooter().Off(c.unready() == "", c.unready()), Run: c.review},
		{Action: shorter.In("Compaction").Off(c.estimate.shorter != nil, "the fresh tail is short enough"), Run: c.takeShorterTail},
		{Action: k.Up.In("Compaction").InFooter(), Run: func() tea.Cmd { c.move(-1); return nil }},
		{Action: k.Less.In("Compaction").InFooter(), Run: func() tea.Cmd { return c.change(true) }},
		{Action: k.More.In("Compaction"), Run: func() tea.Cmd { return c.change(false) }},
		{Action: k.Down.In("Compaction"), Run: func() tea.Cmd { c.move(1); return nil }},
		choose,
		{Action: k.Reset.In("Compaction").Off(c.request != c.initial, "nothing is changed"), Run: c.reset},
	}
}

var compactionKeys = struct{ Review, Shorter, Less, More, Up, Down, Reset ui.Action }{
	Review:  ui.Act("enter", "⏎", "review it"),
	Shorter: ui.Act("f", "f", "take the shorter fresh tail"),
	Less:    ui.Act("left h < {", "←→", "change it"),
	More:    ui.Act("right l > } space", "", ""),
	Up:      ui.Act("up k shift+tab", "↑↓", "field"),
	Down:    ui.Act("down j tab", "", ""),
	Reset:   ui.Act("=", "=", "as configured"),
}

// unready says why there is nothing to review, or is empty.
func (c *Compaction) unready() string {
	switch {
	case !c.loaded || c.estimate.op == nil || c.estimate.request != c.request:
		return "the estimate isn't there yet"
	case c.base.err != nil:
		return "no summaries can be made: " + c.base.err.Error()
	case c.estimate.err != nil:
		return c.nothing()
	}
	return ""
}

func (c *Compaction) key(msg tea.KeyPressMsg) tea.Cmd {
	if c.Typing() {
		if c.input.Update(msg) == ui.Accepted {
			return c.typed()
		}
		return nil
	}
	if text := msg.String(); len(text) == 1 && text[0] >= '0' && text[0] <= '9' && c.fields()[c.field].set != nil {
		c.input.Open(text)
		return nil
	}
	for _, a := range c.actions() {
		if key.Matches(msg, a.Key) {
			return a.Run()
		}
	}
	return nil
}

func (c *Compaction) move(n int) {
	c.field = max(0, min(c.field+n, len(c.fields())-1))
}

// change steps the field under the cursor.
func (c *Compaction) change(down bool) tea.Cmd {
	c.fields()[c.field].step(down)
	return c.changed()
}

// typed takes the number that was typed for the field under the cursor.
func (c *Compaction) typed() tea.Cmd {
	n, err := views.ParseAmount(c.input.Value())
	if err != nil {
		c.input.Refuse("") // A field is narrow: the reason stands on the status line.
		return ui.Say(ui.ErrorMsg{Err: err})
	}
	c.fields()[c.field].set(n)
	return c.changed()
}

// changed has what is on the screen estimated, once the keys rest.
func (c *Compaction) changed() tea.Cmd {
	c.followThreshold()
	c.field = min(c.field, len(c.fields())-1)
	return c.estimateNow(views.CursorRestDelay)
}

func (c *Compaction) reset() tea.Cmd {
	c.request, c.forced = c.initial, false
	return c.changed()
}

func (c *Compaction) takeShorterTail() tea.Cmd {
	if s := c.estimate.shorter; s != nil {
		c.request.tail = s.messages
	}
	return c.changed()
}

// review opens the review of what was estimated.
func (c *Compaction) review() tea.Cmd {
	if c.unready() != "" {
		return nil
	}
	return ui.Say(ui.PushMsg{Screen: NewReview(c.env, c.estimate.op, c.estimate.plan)})
}

// operation returns the request as an operation.
func (b compactionBase) operation(conv int64, r compactionRequest) *compact.Op {
	request := engine.Request{
		Mode: r.mode, Config: b.config, Budget: r.budget, Job: b.summarizer.Job,
		Force: r.force, Hard: r.hard && r.mode == engine.Sweep, Choices: &engine.Choices{Seed: b.seed},
	}
	if r.mode == engine.Until {
		request.Target = r.target
	}
	request.Config.FreshTailCount, request.Config.FreshTailMaxTokens = int(r.tail), nil
	if r.tailTokens != noLimit {
		request.Config.FreshTailMaxTokens = &r.tailTokens
	}
	return &compact.Op{Conversation: conv, Model: b.summarizer.Model, Caveat: b.caveat, Request: request}
}

// estimateNow estimates the request after a rest, in which another may take its place.
func (c *Compaction) estimateNow(rest time.Duration) tea.Cmd {
	db, base, request, conv := c.env.DB, c.base, c.request, c.conv.ID
	return c.env.Jobs.Quiet(c, "estimate", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(rest):
		}
		e := compactionEstimate{request: request, op: base.operation(conv, request)}
		if e.plan, e.err = e.op.Plan(ctx, db, report); e.err == nil {
			e.err = ops.NotePending(ctx, db, &e.plan)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var none *compact.NothingError
		if errors.As(e.err, &none) && none.Why == engine.Nothing && base.allFresh(request) {
			e.shorter = base.shorter(ctx, db, conv, request, report)
		}
		return e, nil
	})
}

// tailStart returns where the fresh tail of a request begins among the items.
func (b compactionBase) tailStart(r compactionRequest) int {
	t := assemble.Tail{Count: int(r.tail)}
	if r.tailTokens != noLimit {
		t.MaxTokens = &r.tailTokens
	}
	return assemble.FreshTail(b.counted, t)
}

// allFresh reports whether every message of the context is in the fresh tail.
func (b compactionBase) allFresh(r compactionRequest) bool {
	for _, it := range b.items[:b.tailStart(r)] {
		if !it.IsSummary() {
			return false
		}
	}
	return len(b.items) > 0
}

// shorter finds the longest of a few fresh tails after which the context is below the
// threshold, else the one that leaves the least; nil where none leaves anything to compact.
func (b compactionBase) shorter(ctx context.Context, db *data.DB, conv int64, r compactionRequest, report data.Report) (best *shorterTail) {
	r.force = true
	for tail := min(r.tail, int64(len(b.items))) / 2; ctx.Err() == nil; tail /= 2 {
		r.tail = tail
		p, err := b.operation(conv, r).Plan(ctx, db, report)
		if err == nil && (best == nil || p.Impact.TokensAfter < best.tokensAfter) {
			best = &shorterTail{tail, p.Impact.TokensAfter}
		}
		if tail == 0 || best != nil && best.tokensAfter <= b.config.Threshold(r.budget) {
			break
		}
	}
	return best
}
