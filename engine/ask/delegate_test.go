package ask

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/engine/model"
	"lcm-tui/engine/retrieve"
	"lcm-tui/engine/summarize"
)

// program plays a program with tools.
type program func(ctx context.Context, r model.ProgramRequest) (string, error)

func (program) Name() string { return "claude/fake" }

func (program) Identity() string { return "claude/fake" }

func (p program) Run(ctx context.Context, r model.ProgramRequest) (string, error) { return p(ctx, r) }

func TestDelegateGetsItsGrantAsFlags(t *testing.T) {
	t.Parallel()
	task := newTask(t, 4000, "sum_top")
	task.Tools.Grant.Consume(1000)
	task.Tools.Grant.Summaries = []string{"sum_top", "sum_port"}
	task.Tools.Grant.Expires = time.Unix(1767366000, 0)
	folder := ""
	d := Delegate{Executable: "/bin/lcm-tui", Program: program(func(_ context.Context, r model.ProgramRequest) (string, error) {
		usage := strings.TrimPrefix(r.Server[len(r.Server)-1], "--grant-usage=")
		folder = filepath.Dir(usage)
		if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("the folder: %v, %v", info, err)
		}
		want := []string{
			"/bin/lcm-tui", "--db", task.Tools.DB.Path(), "mcp", "--grant-conversations=1", "--grant-depth=3",
			"--grant-tokens=3000", "--grant-expires=1767366000", "--grant-summaries=sum_top,sum_port",
		}
		if diff := cmp.Diff(want, r.Server[:len(r.Server)-1]); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		if diff := cmp.Diff([]string{ToolDescribe, ToolExpand, ToolGrep}, r.Tools); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		u := &Usage{}
		u.addSeen("sum_top", "sum_port")
		u.addDescribed("sum_port", 25)
		if err := u.WriteFile(usage); err != nil {
			t.Error(err)
		}
		return "```json\n" + answering("Port 8443.", "sum_port", "sum_else") + "\n```", nil
	})}
	got, err := d.Navigate(t.Context(), task)
	want := Answer{Text: "Port 8443.", Cited: []string{"sum_port"}, Dropped: []string{"sum_else"}, Expanded: 1, SourceTokens: 25}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is left: %v", err)
	}
}

func TestDelegateFailsInAPhase(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reply string
		err   error
		phase Phase
		code  string
	}{
		"it isn't signed in": {"", &model.Error{Kind: model.KindAuth, Provider: "claude"}, PhaseSpawn, CodeSpawnFailed},
		"it ends with 1":     {"", &model.Error{Kind: model.KindCommand, Provider: "claude"}, PhaseWait, CodeWaitFailed},
		"it is late":         {"", context.DeadlineExceeded, PhaseWait, CodeTimeout},
		"it says nothing":    {" \n", nil, PhaseRead, CodeReplyMissing},
		"it says prose":      {"Port 8443.", nil, PhaseParse, CodeReplyInvalid},
	} {
		d := Delegate{Executable: "x", Program: program(func(context.Context, model.ProgramRequest) (string, error) { return c.reply, c.err })}
		_, err := d.Navigate(t.Context(), newTask(t, 4000, "sum_top"))
		if phase, code := phaseOf(t, err); phase != c.phase || code != c.code {
			t.Errorf("%s: phase %s, code %s; want %s, %s", name, phase, code, c.phase, c.code)
		}
	}
}

func TestUsageOfAnotherProcess(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "usage.json")
	none, err := ReadUsage(path)
	if err != nil || len(none.state.Seen) > 0 {
		t.Errorf("without a file: %+v, %v", none, err)
	}
	task := newTask(t, 4000, "sum_top")
	task.Tools.UsageFile = path
	for _, id := range []string{"sum_top", "sum_color"} {
		if text, isError := task.Tools.Call(t.Context(), ToolDescribe, `{"id":"`+id+`"}`); isError {
			t.Fatal(text)
		}
	}
	got, err := ReadUsage(path)
	if diff := cmp.Diff([]string{"sum_top", "sum_color"}, got.state.Seen); err != nil || diff != "" {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestAnswersAreCachedForAnHour(t *testing.T) {
	t.Parallel()
	db, folder := memory(t), filepath.Join(t.TempDir(), "answers")
	m := &scripted{turns: []func(model.ToolRequest) (model.ToolReply, error){
		calls(`lcm_describe {"id":"sum_port"}`), says(answering("Port 8443.", "sum_port")),
		says(answering("Another question.")), says(answering("After an hour.")),
	}}
	asks := func(prompt string) string {
		t.Helper()
		n, err := Cache(Loop{Model: m}, folder)
		if err != nil {
			t.Fatal(err)
		}
		return ask(t, &Asker{Navigator: n}, db, Params{Prompt: prompt, SummaryIDs: []string{"sum_port"}}, retrieve.Conversations(1))
	}
	first := asks("Which port?")
	if again := asks("Which port?"); again != first || len(m.asked) != 2 {
		t.Errorf("asked again, with %d calls: %s", len(m.asked), again)
	}
	if other := asks("Which color?"); !strings.Contains(other, "Another question.") {
		t.Errorf("another question: %s", other)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) != 2 {
		t.Fatalf("files %v, %v", files, err)
	}
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info, err)
		}
		old := time.Now().Add(-61 * time.Minute)
		if err := os.Chtimes(f, old, old); err != nil {
			t.Error(err)
		}
	}
	if late := asks("Which port?"); !strings.Contains(late, "After an hour.") {
		t.Errorf("after an hour: %s", late)
	}
}

func TestFailuresAreNotCached(t *testing.T) {
	t.Parallel()
	m := &scripted{turns: []func(model.ToolRequest) (model.ToolReply, error){fails(errors.New("gone")), says(answering("Port 8443."))}}
	n, err := Cache(Loop{Model: m}, filepath.Join(t.TempDir(), "answers"))
	if err != nil {
		t.Fatal(err)
	}
	task := newTask(t, 4000, "sum_port")
	if _, err := n.Navigate(t.Context(), task); err == nil {
		t.Error("the first call didn't fail")
	}
	if got, err := n.Navigate(t.Context(), task); err != nil || got.Text != "Port 8443." {
		t.Errorf("%+v, %v", got, err)
	}
	if same, err := Cache(Evidence{}, "/nowhere"); err != nil || same != (Evidence{}) {
		t.Errorf("a navigator without a model is cached: %v, %v", same, err)
	}
}

func TestAGrantComesBackFromItsFlags(t *testing.T) {
	t.Parallel()
	g := NewGrant("0123456789ab", "test", time.Now, 1, 22)
	g.Summaries = []string{"sum_a", "sum_b"}
	g.MaxDepth, g.TokenCap, g.Expires = 2, 300, time.Unix(1767366000, 0)
	values := map[string]string{}
	for _, f := range g.Flags("/tmp/u.json") {
		name, value, _ := strings.Cut(strings.TrimPrefix(f, "--"), "=")
		values[name] = value
	}
	flags := GrantFlags{values[FlagConversations], values[FlagSummaries], values[FlagDepth], values[FlagTokens], values[FlagExpires], values[FlagUsage]}
	got, err := flags.Grant()
	if err != nil || !flags.Set() {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{g.Conversations, g.Summaries, g.MaxDepth, g.TokenCap, g.Expires, "/tmp/u.json"}, []any{got.Conversations, got.Summaries, got.MaxDepth, got.TokenCap, got.Expires, flags.Usage}); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for name, broken := range map[string]GrantFlags{
		FlagConversations: {Conversations: "1,x", Depth: "3", Tokens: "4", Expires: "5"},
		FlagDepth:         {Conversations: "1", Tokens: "4", Expires: "5"},
		FlagTokens:        {Conversations: "1", Depth: "3", Tokens: "-4", Expires: "5"},
		FlagExpires:       {Conversations: "1", Depth: "3", Tokens: "4"},
	} {
		if _, err := broken.Grant(); err == nil || !strings.HasPrefix(err.Error(), "--"+name+":") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// textModel is a model without tools that answers with a text.
type textModel string

func (textModel) Name() string { return "exec/fake" }

func (m textModel) Summarize(_ context.Context, r summarize.Request) (summarize.Reply, error) {
	if !strings.Contains(r.Prompt, "port 8443") || !strings.Contains(r.Prompt, "Which port") {
		return summarize.Reply{}, errors.New("the prompt lacks the question or the passages: " + r.Prompt)
	}
	return summarize.Reply{Text: string(m)}, nil
}

func TestAModelWithoutToolsAnswersFromPassages(t *testing.T) {
	t.Parallel()
	got, err := Single{Model: textModel(answering("Port 8443.", "sum_port", "sum_2"))}.Navigate(t.Context(), newTask(t, 4000, "sum_top"))
	if err != nil || got.Text != "Port 8443." || got.Expanded != 2 || got.Truncated || got.SourceTokens == 99999 {
		t.Errorf("%+v, %v", got, err)
	}
	if diff := cmp.Diff([][]string{{"sum_port"}, {"sum_2"}}, [][]string{got.Cited, got.Dropped}); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	_, err = Single{Model: textModel("Port 8443.")}.Navigate(t.Context(), newTask(t, 4000, "sum_top"))
	if phase, code := phaseOf(t, err); phase != PhaseParse || code != CodeReplyInvalid {
		t.Errorf("prose: phase %s, code %s", phase, code)
	}
}
