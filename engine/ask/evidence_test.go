package ask

import (
	"regexp"
	"strings"
	"testing"

	"lcm-tui/engine/retrieve"
	"lcm-tui/engine/token"
)

var elapsed = regexp.MustCompile(`"elapsedMs": \d+`)

func TestEvidenceQuotesPassagesBestFirst(t *testing.T) {
	t.Parallel()
	db := memory(t)
	p := Params{Prompt: "Which port does the gateway listen on since the proxy moved?", SummaryIDs: []string{"sum_top"}}
	first := ask(t, &Asker{}, db, p, retrieve.Conversations(1))
	golden(t, "evidence", first)
	if again := ask(t, &Asker{}, memory(t), p, retrieve.Conversations(1)); again != first {
		t.Errorf("the second time: %s", again)
	}
}

func TestEvidenceStaysWithinItsTokens(t *testing.T) {
	t.Parallel()
	for _, limit := range []int64{1, 20, 30, 60, 4000} {
		task := newTask(t, limit, "sum_top", "sum_port", "sum_color")
		got, err := Evidence{}.Navigate(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		if task.Tools.Grant.Consumed() > limit || got.SourceTokens != task.Tools.Grant.Consumed() {
			t.Errorf("%d tokens: %d are used up, %d reported", limit, task.Tools.Grant.Consumed(), got.SourceTokens)
		}
		if got.Truncated != (limit < 60) {
			t.Errorf("%d tokens: truncated %v: %s", limit, got.Truncated, got.Text)
		}
		if !strings.HasPrefix(got.Text, noModel+"\n\n") {
			t.Errorf("%d tokens: the answer begins %q", limit, got.Text)
		}
	}
}

func TestEvidenceReadsMessagesOfASingleLeaf(t *testing.T) {
	t.Parallel()
	got, err := Evidence{}.Navigate(t.Context(), newTask(t, 4000, "sum_port"))
	if err != nil || !strings.Contains(got.Text, "[msg#2 in sum_port] (assistant, match ") || got.Cited[0] != "sum_port" || len(got.Cited) != 1 || got.Expanded != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestEvidenceKeepsItsAnswerShort(t *testing.T) {
	t.Parallel()
	task := newTask(t, 4000, "sum_top", "sum_port", "sum_color")
	task.MaxTokens = 70
	got, err := Evidence{}.Navigate(t.Context(), task)
	if n := token.Weighted.Count(got.Text); err != nil || n > 70 || !got.Truncated || len(got.Cited) == 0 {
		t.Errorf("%d tokens, %+v, %v", n, got, err)
	}
}

func TestExcerptsStandAroundTheBestLine(t *testing.T) {
	t.Parallel()
	var lines []string
	for range 60 {
		lines = append(lines, "Nothing of interest happened on this day.")
	}
	lines[40] = "The gateway got port 8443."
	got := excerpt(strings.Join(lines, "\n"), Task{Prompt: "Which port has the gateway?"})
	if !strings.Contains(got, lines[40]) || token.Weighted.Count(got) > passageTokens+2 || !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "…") {
		t.Errorf("%d tokens: %s", token.Weighted.Count(got), got)
	}
	if got := excerpt(strings.Repeat("x", 9000), Task{Prompt: "x?"}); token.Weighted.Count(got) > 2*passageTokens+1 || !strings.HasSuffix(got, "…") {
		t.Errorf("one long line: %d tokens", token.Weighted.Count(got))
	}
}
