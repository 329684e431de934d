package ask

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/engine/model"
	"lcm-tui/engine/retrieve"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares a text with testdata/name.golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: (-want +got)\n%s", name, diff)
	}
}

// navigatorFunc answers with a function.
type navigatorFunc func(ctx context.Context, t Task) (Answer, error)

func (navigatorFunc) Name() string { return "fake/function" }

func (f navigatorFunc) Navigate(ctx context.Context, t Task) (Answer, error) { return f(ctx, t) }

// plain answers with the conversation, its tokens and its seeds.
func plain(_ context.Context, t Task) (Answer, error) {
	return Answer{
		Text:  fmt.Sprintf("%d tokens for %s", t.Tools.Grant.TokenCap, strings.Join(t.Seeds, " ")),
		Cited: t.Seeds[:1], Expanded: 1, SourceTokens: 10,
	}, nil
}

func ask(t *testing.T, a *Asker, db *data.DB, p Params, scope retrieve.Scope) string {
	t.Helper()
	if p.Prompt == "" {
		p.Prompt = "Which port?"
	}
	text, _ := Text(a.Ask(t.Context(), db, p, scope, Caller{Session: "test", RequestID: "r1"}, nil))
	return text
}

var everyLeaf = []string{"sum_2", "sum_3", "sum_port", "sum_color", "sum_4", "sum_5"}

func TestAnswerOfOneConversation(t *testing.T) {
	t.Parallel()
	db := memory(t)
	text := ask(t, &Asker{Navigator: navigatorFunc(plain)}, db, Params{SummaryIDs: []string{"sum_port", "sum_color"}}, retrieve.Conversations(1))
	golden(t, "one", text)
}

func TestAnswerOfAFamilyIsThatOfItsFirstConversation(t *testing.T) {
	t.Parallel()
	text := ask(t, &Asker{Navigator: navigatorFunc(plain)}, memory(t), Params{SummaryIDs: []string{"sum_3", "sum_2"}}, retrieve.Conversations(2, 3))
	if !strings.Contains(text, `"sourceConversationId": 3`) || strings.Contains(text, "Breakdown") {
		t.Error(text)
	}
}

func TestAnswerOfAllConversations(t *testing.T) {
	t.Parallel()
	db := memory(t)
	a := &Asker{Navigator: navigatorFunc(plain)}
	golden(t, "all", ask(t, a, db, Params{SummaryIDs: everyLeaf, TokenCap: 1001}, retrieve.AllConversations()))
	golden(t, "two tokens", ask(t, a, db, Params{SummaryIDs: everyLeaf, TokenCap: 2}, retrieve.AllConversations()))
	one := ask(t, a, db, Params{SummaryIDs: []string{"sum_2"}}, retrieve.AllConversations())
	if !strings.Contains(one, `"answer": "4000 tokens for sum_2"`) || !strings.Contains(one, `"conversationBreakdown"`) {
		t.Errorf("of one conversation of all: %s", one)
	}
}

func TestAnswerOfAllConversationsWhereSomeFail(t *testing.T) {
	t.Parallel()
	db := memory(t)
	fail := func(which ...int64) *Asker {
		return &Asker{Navigator: navigatorFunc(func(ctx context.Context, task Task) (Answer, error) {
			for _, id := range which {
				if task.Conversation == id {
					return Answer{}, &PhaseError{Phase: PhaseParse, Err: errors.New("no JSON")}
				}
			}
			return plain(ctx, task)
		})}
	}
	text := func(a *Asker) string {
		out := ask(t, a, db, Params{SummaryIDs: []string{"sum_2", "sum_3"}}, retrieve.AllConversations())
		return elapsed.ReplaceAllString(out, `"elapsedMs": 0`)
	}
	golden(t, "one fails", text(fail(2)))
	golden(t, "all fail", text(fail(2, 3)))
}

func TestQuestionsThatCannotBeAsked(t *testing.T) {
	t.Parallel()
	db := memory(t)
	for name, c := range map[string]struct {
		p     Params
		scope retrieve.Scope
		want  string
	}{
		"a blank prompt":                {Params{Prompt: " \n\u00a0", SummaryIDs: everyLeaf}, retrieve.Conversations(1), "prompt is required"},
		"neither ids nor a query":       {Params{SummaryIDs: []string{" "}, Query: "\t"}, retrieve.Conversations(1), "one of summaryIds and query is required"},
		"an id that isn't there":        {Params{SummaryIDs: []string{"sum_port", "sum_no", "sum_none"}}, retrieve.Conversations(1), "there is no summary sum_no"},
		"an id of another conversation": {Params{SummaryIDs: []string{"sum_port", "sum_2"}}, retrieve.Conversations(1), "there is no summary sum_2"},
		"no conversation":               {Params{SummaryIDs: everyLeaf}, retrieve.Conversations(), "No LCM conversation found"},
	} {
		p := c.p
		if p.Prompt == "" {
			p.Prompt = "Which port?"
		}
		a := &Asker{Navigator: navigatorFunc(func(context.Context, Task) (Answer, error) {
			t.Errorf("%s: the navigator was asked", name)
			return Answer{}, nil
		})}
		text, isError := Text(a.Ask(t.Context(), db, p, c.scope, Caller{}, nil))
		if !isError || !strings.HasPrefix(text, "{\n  \"error\": \""+c.want) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestAnotherModelIsAskedWhereOneIsRefused(t *testing.T) {
	t.Parallel()
	db := memory(t)
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"its key":          {&model.Error{Kind: model.KindAuth, Provider: "x"}, "fake/second"},
		"it isn't known":   {&model.Error{Kind: model.KindUnknownModel, Provider: "x"}, "fake/second"},
		"its words say it": {errors.New("the model x does not exist"), "fake/second"},
		"its scope":        {errors.New("missing scopes: model.request"), "fake/second"},
		"another failure":  {errors.New("the server failed"), CodeSpawnFailed},
	} {
		first := &scripted{name: "first", turns: []func(model.ToolRequest) (model.ToolReply, error){fails(c.err)}}
		second := &scripted{name: "second", turns: []func(model.ToolRequest) (model.ToolReply, error){says(answering("Port 8443."))}}
		text := ask(t, &Asker{Navigator: Loop{Model: first}, Fallback: Loop{Model: second}}, db, Params{SummaryIDs: []string{"sum_port"}}, retrieve.Conversations(1))
		if !strings.Contains(text, c.want) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestOneQuestionOfASessionAtATime(t *testing.T) {
	t.Parallel()
	db := memory(t)
	entered, leave := make(chan struct{}), make(chan struct{})
	a := &Asker{Navigator: navigatorFunc(func(ctx context.Context, task Task) (Answer, error) {
		if task.RequestID == "first" {
			close(entered)
			<-leave
		}
		return plain(ctx, task)
	})}
	p := Params{Prompt: "Which port?", SummaryIDs: []string{"sum_port"}}
	asks := func(session, request string) error {
		_, err := a.Ask(t.Context(), db, p, retrieve.Conversations(1), Caller{Session: session, RequestID: request}, nil)
		return err
	}
	var group sync.WaitGroup
	group.Go(func() {
		if err := asks("one", "first"); err != nil {
			t.Error(err)
		}
	})
	<-entered
	err := asks("one", "second")
	text, isError := Text(Reply{}, err)
	if !isError {
		t.Fatal("a second question was answered")
	}
	golden(t, "in flight", text)
	if err := asks("two", "third"); err != nil {
		t.Errorf("another session: %v", err)
	}
	close(leave)
	group.Wait()
	if err := asks("one", "fourth"); err != nil {
		t.Errorf("after the first is answered: %v", err)
	}
	c := &a.guard.counters
	if c.Start.Load() != 3 || c.Block.Load() != 1 || c.Success.Load() != 3 || c.Timeout.Load() != 0 {
		t.Errorf("counted %d starts, %d blocks, %d successes, %d timeouts", c.Start.Load(), c.Block.Load(), c.Success.Load(), c.Timeout.Load())
	}
}

func TestTheSlotOfASessionIsAlwaysGivenBack(t *testing.T) {
	t.Parallel()
	db := memory(t)
	p := Params{Prompt: "Which port?", SummaryIDs: []string{"sum_port"}}
	for name, navigate := range map[string]navigatorFunc{
		"a failure": func(context.Context, Task) (Answer, error) { return Answer{}, errors.New("no") },
		"a panic":   func(context.Context, Task) (Answer, error) { panic("no") },
	} {
		a := &Asker{Navigator: navigate}
		func() {
			defer func() { _ = recover() }()
			_, _ = a.Ask(t.Context(), db, p, retrieve.Conversations(1), Caller{Session: "one"}, nil)
		}()
		if len(a.guard.busy) > 0 {
			t.Errorf("after %s the session is still busy", name)
		}
	}
}

func TestNoQuestionWithinAQuestion(t *testing.T) {
	t.Parallel()
	a := &Asker{Navigator: navigatorFunc(plain)}
	db := memory(t)
	asks := func(c Caller) string {
		text, _ := Text(a.Ask(t.Context(), db, Params{}, retrieve.Conversations(1), c, nil))
		return text
	}
	first := asks(Caller{Session: "child", RequestID: "r7", Depth: 1})
	golden(t, "depth cap", first)
	for _, c := range []struct {
		caller Caller
		reason string
	}{
		{Caller{Session: "child", RequestID: "r7", Depth: 1}, ReasonReentry},
		{Caller{Session: "child", RequestID: "r8", Depth: 1}, ReasonDepthCap},
		{Caller{Session: "other", RequestID: "r7", HoldsGrant: true}, ReasonDepthCap},
		{Caller{Session: "other", RequestID: "r7", HoldsGrant: true}, ReasonReentry},
	} {
		if text := asks(c.caller); !strings.Contains(text, `"reason": "`+c.reason+`"`) || !strings.Contains(text, CodeRecursionBlocked) {
			t.Errorf("%+v: %s", c.caller, text)
		}
	}
}

func TestTheTimeOfAQuestion(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 2, 15, 0, 0, 0, time.UTC)
	limits := Limits{DelegationTimeout: 2 * time.Minute}
	for asked, want := range map[time.Duration][2]time.Duration{
		0:                 {2 * time.Minute, 150 * time.Second},
		time.Hour:         {2 * time.Minute, 10 * time.Minute},
		time.Minute:       {30 * time.Second, time.Minute},
		100 * time.Second: {70 * time.Second, 100 * time.Second},
		45 * time.Second:  {15 * time.Second, 45 * time.Second},
		40 * time.Second:  {15 * time.Second, 40 * time.Second},
		20 * time.Second:  {10 * time.Second, 20 * time.Second},
		-time.Second:      {500 * time.Microsecond, time.Millisecond},
	} {
		p, err := Params{Prompt: "x", Query: "y", Timeout: asked}.complete(limits)
		if err != nil {
			t.Fatal(err)
		}
		got := deadlinesOf(start, p.Timeout, limits)
		if work, total := got.work.Sub(start), got.total.Sub(start); work != want[0] || total != want[1] {
			t.Errorf("asked for %v: work %v, total %v; want %v", asked, work, total, want)
		}
	}
}

func TestANavigatorThatIsLateIsATimeout(t *testing.T) {
	t.Parallel()
	a := &Asker{Navigator: navigatorFunc(func(ctx context.Context, _ Task) (Answer, error) {
		<-ctx.Done()
		return Answer{}, ctx.Err()
	})}
	text := ask(t, a, memory(t), Params{SummaryIDs: []string{"sum_port"}, Timeout: 600 * time.Millisecond}, retrieve.Conversations(1))
	golden(t, "timeout", elapsed.ReplaceAllString(text, `"elapsedMs": 0`))
	if a.guard.counters.Timeout.Load() != 1 {
		t.Error("the timeout isn't counted")
	}
}

func TestACancelledQuestionEndsSoon(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	a := &Asker{Navigator: navigatorFunc(func(ctx context.Context, _ Task) (Answer, error) {
		cancel()
		<-ctx.Done()
		return Answer{}, ctx.Err()
	})}
	_, err := a.Ask(ctx, memory(t), Params{Prompt: "x", SummaryIDs: []string{"sum_port"}}, retrieve.Conversations(1), Caller{}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was cancelled", err)
	}
}
