package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/model"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// The conversations of the memory: one with condensed summaries, and four with a leaf each.
const (
	mainConversation = 1
	lastConversation = 5
)

// memory returns a database in which conversation 1 has two leaves, sum_port and sum_color, under
// sum_top, and conversations 2 to 5 have one leaf each, sum_2 to sum_5.
// statements change it.
func memory(t *testing.T, statements ...string) *data.DB {
	t.Helper()
	content, err := memoryFile()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if len(statements) > 0 {
		w, err := fakehost.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range statements {
			if err := w.Exec(s); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return testdb.Open(t, path)
}

// memoryFile is the file, which is made once.
var memoryFile = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "lcm-tui-ask-test-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	path := filepath.Join(folder, "lcm.db")
	w, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		return nil, err
	}
	err = writeMemory(w)
	if err := errors.Join(err, w.Exec("PRAGMA journal_mode = DELETE"), w.Close()); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

func writeMemory(w *fakehost.Writer) error {
	var errs []error
	leaf := func(conv int64, id, content string, messages ...string) {
		var ids []int64
		for i, m := range messages {
			role := []string{"user", "assistant"}[i%2]
			n, err := w.Message(conv, fakehost.Message{Role: role, Content: m})
			ids, errs = append(ids, n), append(errs, err)
		}
		_, err := w.Leaf(conv, ids, content, fakehost.SummaryOptions{ID: id})
		errs = append(errs, err)
	}
	for i := range lastConversation {
		_, err := w.Conversation(fakehost.Conversation{SessionKey: fmt.Sprintf("agent:main:%d", i+1), Active: true})
		errs = append(errs, err)
	}
	leaf(1, "sum_port", "The gateway listens on port 8443 since the proxy was moved.\nThe old port 8080 is closed.\nFiles: none",
		"Which port does the gateway use?", "It listens on port 8443 now; 8080 was closed when the proxy moved.")
	leaf(1, "sum_color", "The banner is painted in teal, after red was refused.\nFiles: none",
		"Paint the banner.", "It is teal now.")
	_, err := w.Condense(1, []string{"sum_port", "sum_color"}, "Gateway and banner were settled.\nExpand for details about: the port, the color", fakehost.SummaryOptions{ID: "sum_top"})
	errs = append(errs, err)
	for i := int64(2); i <= lastConversation; i++ {
		leaf(i, fmt.Sprintf("sum_%d", i), fmt.Sprintf("Host number %d listens on port %d.", i, 9000+i),
			fmt.Sprintf("What about host %d and the zebra?", i), fmt.Sprintf("It listens on port %d.", 9000+i))
	}
	return errors.Join(errs...)
}

// scripted is a model that says what a script says, one turn after the other, and keeps what it
// was asked.
type scripted struct {
	mu    sync.Mutex
	turns []func(r model.ToolRequest) (model.ToolReply, error)
	asked []model.ToolRequest
	name  string
}

func (s *scripted) Name() string { return "fake/" + s.name }

func (s *scripted) Identity() string { return s.Name() }

func (s *scripted) CallWithTools(ctx context.Context, r model.ToolRequest) (model.ToolReply, error) {
	s.mu.Lock()
	n := len(s.asked)
	r.Messages = slices.Clone(r.Messages)
	s.asked = append(s.asked, r)
	s.mu.Unlock()
	if n >= len(s.turns) {
		<-ctx.Done()
		return model.ToolReply{}, ctx.Err()
	}
	return s.turns[n](r)
}

// says returns a turn that ends with a text.
func says(text string) func(model.ToolRequest) (model.ToolReply, error) {
	return func(model.ToolRequest) (model.ToolReply, error) {
		return model.ToolReply{Message: model.Exchange{Role: model.RoleModel, Text: text}}, nil
	}
}

// calls returns a turn that calls tools, given as "tool {arguments}".
func calls(tools ...string) func(model.ToolRequest) (model.ToolReply, error) {
	return func(model.ToolRequest) (model.ToolReply, error) {
		e := model.Exchange{Role: model.RoleModel}
		for i, c := range tools {
			name, arguments, _ := strings.Cut(c, " ")
			e.Calls = append(e.Calls, model.ToolCall{ID: fmt.Sprintf("t%d", i), Name: name, Arguments: arguments})
		}
		return model.ToolReply{Message: e}, nil
	}
}

// fails returns a turn that fails.
func fails(err error) func(model.ToolRequest) (model.ToolReply, error) {
	return func(model.ToolRequest) (model.ToolReply, error) { return model.ToolReply{}, err }
}

// answering returns the JSON of an answer that cites ids.
func answering(text string, ids ...string) string {
	b, err := json.Marshal(map[string]any{"answer": text, "citedIds": ids, "expandedSummaryCount": 99, "totalSourceTokens": 99999, "truncated": true})
	if err != nil {
		panic(err)
	}
	return string(b)
}

// newTask returns a task of conversation 1 under a grant of some tokens.
func newTask(t *testing.T, tokens int64, seeds ...string) Task {
	t.Helper()
	db := memory(t)
	g := NewGrant(db.NewID(), "test", time.Now, mainConversation)
	g.TokenCap = tokens
	return Task{
		Prompt: "Which port does the gateway listen on?", Conversation: mainConversation, Seeds: seeds, MaxTokens: 2000,
		Tools: &Tools{DB: db, Grant: g}, RequestID: "r1", Origin: "test", Depth: 1, Route: RouteOf(Question{Candidates: len(seeds), TokenCap: tokens}),
	}
}

// phaseOf returns the phase and the code of a navigator's failure.
func phaseOf(t *testing.T, err error) (Phase, string) {
	t.Helper()
	var p *PhaseError
	if !errors.As(err, &p) {
		t.Fatalf("%v is no failure of a phase", err)
	}
	return p.Phase, p.Code()
}
