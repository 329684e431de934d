package ask

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadAnswer(t *testing.T) {
	t.Parallel()
	plain := `{"answer":"Port 8443.","citedIds":["sum_a"],"expandedSummaryCount":2,"totalSourceTokens":310,"truncated":false}`
	full := Answer{Text: "Port 8443.", Cited: []string{"sum_a"}, Expanded: 2, SourceTokens: 310}
	only := func(a Answer) Answer { a.Text, a.Expanded = "x", 3; return a }
	for name, c := range map[string]struct {
		reply string
		want  Answer
		err   string
	}{
		"plain":                    {plain, full, ""},
		"white space around":       {"\n\t " + plain + " \n", full, ""},
		"fenced":                   {"```json\n" + plain + "\n```", full, ""},
		"fenced without language":  {"```\n" + plain + "\n```", full, ""},
		"fenced in capitals":       {"```JSON\n" + plain + "```", full, ""},
		"fenced between prose":     {"Here it is:\n```json\n" + plain + "\n```\nGood luck!", full, ""},
		"the second fence is JSON": {"```sh\nls\n```\n```json\n" + plain + "\n```", full, ""},
		"code in the answer":       {"{\"answer\":\"Send ```{}``` first.\"}", Answer{Text: "Send ```{}``` first.", Expanded: 3}, ""},
		"code in a fenced answer":  {"Here:\n```json\n{\"answer\":\"Run ```ls``` first.\"}\n```", Answer{Text: "Run ```ls``` first.", Expanded: 3}, ""},
		"prose":                    {"The port is\n\n 8443.", Answer{}, "the reply can't be used: it is not a JSON object; it begins: The port is 8443."},
		"prose around JSON":        {"Sure: " + plain, Answer{}, "the reply can't be used: it is not a JSON object; it begins: Sure: " + plain},
		"empty":                    {" \n", Answer{}, "the reply is empty"},
		"an array":                 {`[` + plain + `]`, Answer{}, "the reply can't be used: it is not a JSON object; it begins: [" + plain + "]"},
		"null":                     {`null`, Answer{}, "the reply can't be used: it is not a JSON object; it begins: null"},
		"half a JSON":              {plain[:20], Answer{}, "the reply can't be used: it is not a JSON object; it begins: " + plain[:20]},
		"a blank answer":           {`{"answer":"  "}`, Answer{}, `the reply can't be used: its answer is blank; it begins: {"answer":" "}`},
		"no answer":                {`{"citedIds":[]}`, Answer{}, `the reply can't be used: its answer is blank; it begins: {"citedIds":[]}`},
		"an answer that is none":   {`{"answer":42}`, Answer{}, `the reply can't be used: its answer is blank; it begins: {"answer":42}`},
		"a fenced blank answer":    {"```json\n{\"answer\":\"\"}\n```", Answer{}, "the reply can't be used: its answer is blank; it begins: ```json {\"answer\":\"\"} ```"},
		"only an answer":           {`{"answer":" x "}`, only(Answer{}), ""},
		"ids of other types":       {`{"answer":"x","citedIds":[" sum_a ",7,null,"sum_a","","sum_b"]}`, only(Answer{Cited: []string{"sum_a", "sum_b"}}), ""},
		"ids that are no list":     {`{"answer":"x","citedIds":"sum_a"}`, only(Answer{}), ""},
		"fractions and negatives":  {`{"answer":"x","expandedSummaryCount":2.9,"totalSourceTokens":-4}`, Answer{Text: "x", Expanded: 2}, ""},
		"numbers as texts":         {`{"answer":"x","expandedSummaryCount":"9","totalSourceTokens":"9"}`, only(Answer{}), ""},
		"truncated as a text":      {`{"answer":"x","truncated":"true"}`, only(Answer{}), ""},
		"truncated":                {`{"answer":"x","truncated":true}`, only(Answer{Truncated: true}), ""},
	} {
		got, err := ReadAnswer(c.reply, 3)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if text != c.err {
			t.Errorf("%s: error %q, want %q", name, text, c.err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

func TestErrorsQuoteTheBeginningOfAReply(t *testing.T) {
	t.Parallel()
	_, err := ReadAnswer(strings.Repeat("no \n\U0001f642 ", 100), 0)
	if err == nil {
		t.Fatal("a reply without JSON was read")
	}
	_, quoted, _ := strings.Cut(err.Error(), "it begins: ")
	if n := len([]rune(quoted)) + strings.Count(quoted, "\U0001f642"); n > 240 || n < 238 {
		t.Errorf("%d UTF-16 units are quoted: %s", n, quoted)
	}
}
