package provenance

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/demo"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// paraphraseCase is a line of testdata/paraphrases.tsv: a sentence that somebody wrote by hand as
// a summarizing model would.
type paraphraseCase struct {
	conversation int64
	sentence     string
	excerpts     []string // Parts of its sources; none where it is made up.
	wrong        []string // Numbers, paths and ids that differ from the source.
}

func readParaphrases(t *testing.T) (cases []paraphraseCase) {
	t.Helper()
	b, err := os.ReadFile("testdata/paraphrases.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) != 4 {
			t.Fatalf("%d fields: %q", len(f), line)
		}
		conv, err := strconv.ParseInt(f[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		c := paraphraseCase{conversation: conv, sentence: f[1], wrong: strings.Fields(f[3])}
		for e := range strings.SplitSeq(f[2], "+") {
			if e = strings.TrimSpace(e); e != "" {
				c.excerpts = append(c.excerpts, e)
			}
		}
		cases = append(cases, c)
	}
	return cases
}

// wholeConversation returns the messages of a conversation, ready to be compared with: a harder set
// than the messages of one leaf.
func wholeConversation(t *testing.T, db *data.DB, conv int64) *leafIndex {
	t.Helper()
	l := &leafIndex{index: newIndex()}
	headers, err := lcm.MessageHeaders(t.Context(), db, conv)
	if err != nil {
		t.Fatal(err)
	}
	ids := make([]int64, len(headers))
	for i := range headers {
		ids[i] = headers[i].ID
	}
	if l.messages, err = lcm.WholeMessages(t.Context(), db, ids); err != nil {
		t.Fatal(err)
	}
	for _, m := range l.messages {
		l.index.add(SourceText(m))
		l.index.addTime(m.CreatedAt)
	}
	return l
}

// isNamed reports whether an alarm names what is wrong, alone or with its unit.
func isNamed(wrong, alarm string) bool { return alarm == wrong || strings.HasPrefix(alarm, wrong+" ") }

// TestQualityOnParaphrases publishes how well sentences are traced that were written by hand, and
// holds that it stays so. The comparison is lexical: what shares no words isn't found.
func TestQualityOnParaphrases(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := demo.Write(path, time.Date(2026, 11, 22, 7, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	db, leaves := testdb.Open(t, path), map[int64]*leafIndex{}
	found, madeUp := &quality{}, &quality{}
	var right, falseAlarms, wrong, named int
	for _, c := range readParaphrases(t) {
		l := leaves[c.conversation]
		if l == nil {
			l = wholeConversation(t, db, c.conversation)
			leaves[c.conversation] = l
		}
		var sources []int64
		for _, e := range c.excerpts {
			from := l.holders(e)
			if len(from) == 0 {
				t.Errorf("no message of conversation %d holds %q", c.conversation, e)
			}
			sources = append(sources, from...)
		}
		e := evaluationCase{sentence: c.sentence, sources: sources}
		if len(c.excerpts) == 0 {
			madeUp.add(l, e)
			if m := l.index.match(c.sentence); m.confidence() != None {
				t.Logf("made up, but %s by %d sources (%.2f, %.2f): %q", m.confidence(), len(m.sources), m.best, m.coverage, c.sentence)
			}
			continue
		}
		before := found.first
		found.add(l, e)
		m := l.index.match(c.sentence)
		if found.first == before {
			t.Logf("missed (%s, %.2f): %q", m.confidence(), m.best, c.sentence)
		}
		for _, w := range m.unsupported {
			if !slices.ContainsFunc(c.wrong, func(wrong string) bool { return isNamed(wrong, w) }) {
				falseAlarms++
				t.Logf("false alarm %q: %q", w, c.sentence)
			}
		}
		right++
		for _, w := range c.wrong {
			wrong++
			if slices.ContainsFunc(m.unsupported, func(u string) bool { return isNamed(w, u) }) {
				named++
			} else {
				t.Logf("not named %q: %q", w, c.sentence)
			}
		}
	}
	area := auc(found.scores, madeUp.scores)
	t.Logf("paraphrases: %v, AUC %.3f; %d of %d wrong numbers, paths and ids named, %.1f false alarms per 100 sentences", found, area, named, wrong, 100*float64(falseAlarms)/float64(right))
	t.Logf("made up: %v", madeUp)
	if right != 200 {
		t.Errorf("%d paraphrases", right)
	}
	if found.topOne() < 0.85 || area < 0.90 || named*100 < wrong*90 || falseAlarms*100 > right*5 || madeUp.strong*10 > madeUp.cases {
		t.Error("worse than measured")
	}
}
