package ask

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	engine "lcm-tui/engine/ask"
	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Ask takes a question and shows the answer, with what it relies on beside it. It stays below the screens to which its
// sources lead, so that esc comes back to the answer.
type Ask struct {
	env     *views.Env
	input   *ui.Input
	answer  *ui.Pager
	sources *ui.List[*source]

	origin int64 // The conversation from which it was opened; 0 is none.
	marked []int64
	scope  scope
	asked  []string // Earlier questions, the newest last.
	at     int      // Of asked, while an earlier one is brought back.

	question string // The one that is being answered or was; empty before the first.
	steps    *steps
	reply    *engine.Reply
	by       string // What answered; empty is no model.
	noModel  error  // Why no model could be asked.
	err      error  // Why there is no answer.
	drawn    int    // The width for which the answer was drawn; 0 is none.
}

var _ ui.Screen = (*Ask)(nil)

// scope says which conversations are asked.
type scope int

const (
	wholeFile scope = iota
	thisConversation
	markedConversations
)

// steps are the calls of tools of the question that is being answered. Several goroutines note them.
type steps struct {
	mu   sync.Mutex
	done []string
}

func (s *steps) add(step string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = append(s.done, step)
}

func (s *steps) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.done...)
}

// New returns the screen of questions, first about a conversation; 0 is the whole file.
func New(env *views.Env, conversation int64) *Ask {
	a := &Ask{env: env, origin: conversation, marked: env.Marks.IDs(), input: ui.NewInput(env.Styles, "Ask"), answer: ui.NewPager(env.Styles), steps: &steps{}}
	a.answer.Keys = ui.DetailKeys()
	a.sources = ui.NewList(env.Styles, (*source).id, a.row, nil)
	a.sources.Keys.Filter = key.Binding{}
	switch {
	case conversation != 0:
		a.scope = thisConversation
	case len(a.marked) > 0:
		a.scope = markedConversations
	}
	a.input.Open("")
	return a
}

// Title implements ui.Screen.
func (*Ask) Title() string { return "Ask" }

// Purpose implements ui.Screen.
func (*Ask) Purpose() string {
	return "A question, answered from the summaries and messages of this file, and what the answer relies on. With a model it is read for you; without one passages are quoted. Nothing is written."
}

// Init implements ui.Screen.
func (a *Ask) Init() tea.Cmd { return a.env.FindModels() }

// Typing implements ui.Typer.
func (a *Ask) Typing() bool { return a.input.Typing() }

// Copy implements ui.Copier.
func (a *Ask) Copy() string {
	if a.reply == nil {
		return ""
	}
	return a.reply.Answer
}

// keys are the screen's own.
var keys = struct{ Go, Edit, Scope, Send, Leave, Before ui.Action }{
	Go:     ui.Act("enter", "⏎", "go there"),
	Edit:   ui.Act("/", "/", "another question"),
	Scope:  ui.Act("alt+i", "alt+i", "which conversations"),
	Send:   ui.Act("enter", "⏎", "ask"),
	Leave:  ui.Act("esc", "esc", "leave").Named("back").WithEach(),
	Before: ui.Act("up down", "↑↓", "earlier question").WithEach(),
}

// actions returns the keys that work while nothing is typed.
func (a *Ask) actions() []views.Action {
	s, some := a.sources.Selected()
	busy := views.TextWhen(a.running(), "it is being answered: esc ends that")
	return []views.Action{
		{Action: keys.Go.In("Look").InFooter().Off(some, "there is nothing that the answer relies on"), Run: func() tea.Cmd { return a.visit(s) }},
		{Action: keys.Edit.In("Ask").InFooter().Off(busy == "", busy), Run: a.edit},
		{Action: keys.Scope.In("Ask").InFooter().Off(busy == "", busy), Run: a.nextScope},
		a.env.ChooseModelAction(),
	}
}

// Actions implements ui.Screen.
func (a *Ask) Actions() (out []ui.Action) {
	for _, act := range a.actions() {
		out = append(out, act.Action)
	}
	for _, act := range []ui.Action{keys.Send, keys.Leave, keys.Scope, keys.Before} {
		out = append(out, act.In(ui.Typing).InFooter())
	}
	return append(append(out, a.sources.Actions()...), a.answer.Actions()...)
}

func (a *Ask) running() bool { return a.env.Jobs.Running(a, "ask") }

// Update implements ui.Screen.
func (a *Ask) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case answeredMsg:
		a.take(m)
		return nil
	case views.TargetMsg:
		return a.env.Arrive(m)
	case ui.FailedMsg:
		if m.Name == "ask" {
			a.fail(m.Err)
		}
		return nil
	case tea.PasteMsg:
		if a.input.Typing() {
			a.input.Update(m)
		}
		return nil
	case tea.KeyPressMsg:
		if a.input.Typing() {
			return a.typed(m)
		}
		if cmd, ok := views.RunAction(a.actions(), m); ok {
			return cmd
		}
	}
	return tea.Batch(a.answer.Update(msg), a.sources.Update(msg))
}

// typed takes a key of the question.
func (a *Ask) typed(m tea.KeyPressMsg) tea.Cmd {
	switch m.String() {
	case "up":
		a.bringBack(-1)
		return nil
	case "down":
		a.bringBack(1)
		return nil
	case "alt+i":
		return a.nextScope()
	}
	text := strings.TrimSpace(a.input.Value())
	switch a.input.Update(m) {
	case ui.Accepted:
		if text == "" {
			a.input.Refuse("a question is needed")
			return nil
		}
		return a.confirm(text)
	case ui.Dropped:
		if a.question == "" {
			return ui.Say(ui.PopMsg{Screen: a})
		}
	case ui.Open:
	}
	return nil
}

// bringBack puts an earlier question, or a later one, into the line.
func (a *Ask) bringBack(by int) {
	if len(a.asked) == 0 {
		return
	}
	a.at = min(max(0, a.at+by), len(a.asked))
	text := ""
	if a.at < len(a.asked) {
		text = a.asked[a.at]
	}
	a.input.Open(text)
}

func (a *Ask) edit() tea.Cmd {
	a.at = len(a.asked)
	a.input.Open("")
	return nil
}

// nextScope goes on to the next choice of conversations that there is.
func (a *Ask) nextScope() tea.Cmd {
	for {
		a.scope = (a.scope + 1) % 3
		if a.scope == wholeFile || a.scope == thisConversation && a.origin != 0 || a.scope == markedConversations && len(a.marked) > 0 {
			return nil
		}
	}
}

// inScope returns the conversations that are asked, in words and as a scope.
func (a *Ask) inScope() (string, retrieve.Scope) {
	switch a.scope {
	case thisConversation:
		return a.env.Label(a.origin), retrieve.Conversations(a.origin)
	case markedConversations:
		return plural.Count(len(a.marked), "marked conversation", "marked conversations"), retrieve.Conversations(a.marked...)
	}
	return "all conversations", retrieve.AllConversations()
}

// paidModel returns the name of the model that is asked and that may cost something, or empty.
func (a *Ask) paidModel() string {
	m := a.env.KnownModels()
	if m == nil || m.Err != nil || m.InForce.Free() {
		return ""
	}
	return m.InForce.Name()
}

// confirm asks before a model is paid for the answer.
func (a *Ask) confirm(question string) tea.Cmd {
	name := a.paidModel()
	if name == "" {
		return a.ask(question)
	}
	a.input.Open(question) // Until it is asked.
	where, _ := a.inScope()
	return ui.Say(ui.AskMsg{
		Title: "Ask " + ui.Line(name) + "?",
		Text: "It reads summaries and messages of " + ui.Line(where) + ", in several calls, and up to the setting maxExpandTokens of each conversation (4,000 tokens). " +
			"What that costs depends on what it reads; no price can be said before.",
		Verb: "ask", Do: func() tea.Cmd { return a.ask(question) },
	})
}

// answeredMsg is what became of a question.
type answeredMsg struct {
	reply   engine.Reply
	sources []engine.Source
	by      string
	noModel error
	err     error
}

// ask has a question answered.
func (a *Ask) ask(question string) tea.Cmd {
	a.input.Close()
	a.asked = append(a.asked, question)
	a.question, a.steps, a.reply, a.err, a.drawn = question, &steps{}, nil, nil, 0
	a.sources.SetItems(nil)
	env, noted, chosen := a.env, a.steps, a.env.ChosenModel()
	_, where := a.inScope()
	p := engine.Params{Prompt: question, FromPrompt: true, AllConversations: a.scope != thisConversation}
	return env.Jobs.Start(a, "ask", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		asker, noModel := &engine.Asker{}, error(nil)
		if env.Asker != nil {
			made, err := env.Asker(chosen)
			if asker = made; err != nil {
				asker, noModel = &engine.Asker{}, err // Passages can be quoted all the same.
			}
		}
		reply, err := asker.Ask(ctx, env.DB, p, where, engine.Caller{Session: "screen"}, func(s engine.Progress) {
			step := fmt.Sprintf("%s %s", s.Tool, s.Call)
			noted.add(step)
			report(0, 0, ui.LineN(step, 60))
		})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m := answeredMsg{reply: reply, by: reply.Model, noModel: noModel, err: err}
		if err == nil {
			m.sources, err = engine.Sources(ctx, env.DB, question, reply.CitedIDs)
		}
		if err != nil && !isNoAnswer(err) {
			return nil, err
		}
		return m, nil
	})
}

// isNoAnswer reports whether an error is one of the question, which the screen shows in place of an answer.
func isNoAnswer(err error) bool {
	var input *engine.InputError
	var failed *engine.FailureError
	return errors.As(err, &input) || errors.As(err, &failed) || errors.Is(err, retrieve.ErrNoScope) || errors.Is(err, data.ErrNotFound)
}

// take shows what became of the question.
func (a *Ask) take(m answeredMsg) {
	a.drawn, a.err, a.by, a.noModel = 0, m.err, m.by, m.noModel
	if m.err == nil {
		a.reply = &m.reply
	}
	a.sources.SetItems(sourcesOf(m.sources))
	a.answer.GoTo(0)
}

// fail says why there is no answer. What was read until then stays on the page.
func (a *Ask) fail(err error) { a.drawn, a.err = 0, err }

// visit goes to what the answer relies on.
func (a *Ask) visit(s *source) tea.Cmd {
	if s.message == nil {
		return a.env.Visit(a, s.summary.Conversation, views.Target{Tab: views.TabSummaries, ID: s.summary.ID})
	}
	return a.env.Visit(a, s.summary.Conversation, views.Target{Tab: views.TabMessages, ID: views.Itoa(s.message.ID), Seq: &s.message.Seq})
}
