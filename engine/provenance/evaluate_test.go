package provenance

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/model"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// evaluationCase is a sentence with the messages that it may have come from.
type evaluationCase struct {
	leaf     string
	sentence string
	sources  []int64 // None for a sentence that is made up.
}

// leafIndex is the messages of one leaf, ready to be compared with.
type leafIndex struct {
	index    *index
	messages []lcm.Message
}

// evaluationLeaves returns the leaves of a fixture with their messages.
func evaluationLeaves(t *testing.T, db *data.DB) map[string]*leafIndex {
	t.Helper()
	out := map[string]*leafIndex{}
	conversations, err := lcm.Conversations(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range conversations {
		summaries, err := lcm.Summaries(t.Context(), db, c.ID, data.WholeText)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range summaries {
			if s.Condensed() {
				continue
			}
			l := &leafIndex{index: newIndex()}
			if l.messages, err = lcm.LeafMessages(t.Context(), db, s.ID); err != nil {
				t.Fatal(err)
			}
			for _, m := range l.messages {
				l.index.add(SourceText(m))
				l.index.addTime(m.CreatedAt)
			}
			out[s.ID] = l
		}
	}
	return out
}

// holders returns the messages of a leaf that hold a text.
func (l *leafIndex) holders(text string) (ids []int64) {
	for _, m := range l.messages {
		if strings.Contains(SourceText(m), text) {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// isWhole reports whether a text doesn't end inside of a word or a sentence: the fixture's model cuts its
// fragments at a length.
func (l *leafIndex) isWhole(text string) bool {
	for _, m := range l.messages {
		source := SourceText(m)
		if i := strings.Index(source, text); i >= 0 {
			rest := source[i+len(text):]
			if rest == "" || rest[0] == ' ' && strings.ContainsAny(text[len(text)-1:], ".;!?") || rest[0] == '\n' {
				return true
			}
		}
	}
	return false
}

// quality is how well sentences were traced.
type quality struct {
	cases         int
	first, third  int // The right message came first; among the first three.
	reciprocal    float64
	scores        []float64
	strong, alarm int
}

func (q *quality) String() string {
	n := float64(q.cases)
	return fmt.Sprintf("%d sentences, top-1 %.3f, top-3 %.3f, MRR %.3f, strong %.3f, alarms %.3f", q.cases, float64(q.first)/n, float64(q.third)/n,
		q.reciprocal/n, float64(q.strong)/n, float64(q.alarm)/n)
}

func (q *quality) topOne() float64 { return float64(q.first) / float64(q.cases) }

func (q *quality) add(l *leafIndex, c evaluationCase) {
	q.cases++
	m := l.index.match(c.sentence)
	q.scores = append(q.scores, m.best)
	if w := m.confidence(); w == Strong || w == Copied {
		q.strong++
	}
	if len(m.unsupported) > 0 {
		q.alarm++
	}
	for place, r := range l.index.rank(l.index.query(c.sentence)) {
		if !slices.Contains(c.sources, l.messages[r.text].ID) {
			continue
		}
		if place == 0 {
			q.first++
		}
		if place < 3 {
			q.third++
		}
		q.reciprocal += 1 / float64(place+1)
		return
	}
}

// auc returns the chance that a true sentence scores higher than a made-up one.
func auc(found, madeUp []float64) float64 {
	var wins float64
	for _, a := range found {
		for _, b := range madeUp {
			switch {
			case a > b:
				wins++
			case a == b:
				wins += 0.5
			}
		}
	}
	return wins / float64(len(found)*len(madeUp))
}

var synonyms = strings.NewReplacer("need", "must", "deploy", "ship", "refactor", "restructure", "migrate", "move", "document", "describe", "because", "since",
	"suggested", "proposed", "Ticket", "Issue", "tracks", "follows", "Decision", "Agreed", "review", "check", "spent", "used up", "keeps growing", "is getting longer",
	"duplicate", "repeated", "arrive", "come in", "climbs", "rises", "benchmark", "measure", "Next step", "Then", "roll back", "revert", "doubled", "grew twofold")

// paraphrase says a sentence with other words, fewer words and, every second time, another order.
func paraphrase(random *rand.Rand, sentence string) string {
	words := strings.Fields(synonyms.Replace(sentence))
	kept := words[:0]
	for _, w := range words {
		if random.Float64() >= 0.25 {
			kept = append(kept, w)
		}
	}
	if len(kept) > 2 && random.IntN(2) == 0 {
		n := 1 + random.IntN(len(kept)-1)
		kept = slices.Concat(kept[n:], kept[:n])
	}
	return strings.Join(kept, " ")
}

// evaluation is the leaves of the large fixture, and sentences with their sources.
type evaluation struct {
	leaves                          map[string]*leafIndex
	copied, paraphrased, fabricated []evaluationCase
}

func newEvaluation(t *testing.T) *evaluation {
	t.Helper()
	db := testdb.Open(t, testdb.Fixture(t, "v0.15.3/rich.db"))
	e := &evaluation{leaves: evaluationLeaves(t, db)}
	random := rand.New(rand.NewPCG(1, 2))
	var fragments []evaluationCase
	for id, l := range e.leaves {
		s, err := lcm.ReadSummary(t.Context(), db, id)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range Sentences(s.Content) {
			if ids := l.holders(f.Text); len(ids) > 0 && l.isWhole(f.Text) {
				fragments = append(fragments, evaluationCase{id, f.Text, ids})
			}
		}
	}
	slices.SortFunc(fragments, func(a, b evaluationCase) int { return strings.Compare(a.leaf+a.sentence, b.leaf+b.sentence) })
	for i, f := range fragments {
		e.copied = append(e.copied, f)
		e.paraphrased = append(e.paraphrased, evaluationCase{f.leaf, paraphrase(random, f.sentence), f.sources})
		for n := 1; n < len(fragments); n++ {
			other := fragments[(i+n*7)%len(fragments)]
			if other.leaf != f.leaf && len(e.leaves[f.leaf].holders(other.sentence)) == 0 {
				e.fabricated = append(e.fabricated, evaluationCase{f.leaf, other.sentence, nil})
				break
			}
		}
	}
	return e
}

func (e *evaluation) run(cases []evaluationCase) *quality {
	q := &quality{}
	for _, c := range cases {
		q.add(e.leaves[c.leaf], c)
	}
	return q
}

// TestQualityOnCopiesAndWordReplacements holds the limits that measurements on a database of the
// reference engine set: sentences that are copied, the same with other, fewer and rotated words,
// and sentences of the same forms from other leaves.
func TestQualityOnCopiesAndWordReplacements(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	e := newEvaluation(t)
	copied, paraphrased, fabricated := e.run(e.copied), e.run(e.paraphrased), e.run(e.fabricated)
	ofCopied, ofParaphrased := auc(copied.scores, fabricated.scores), auc(paraphrased.scores, fabricated.scores)
	t.Logf("copied: %v, AUC %.3f", copied, ofCopied)
	t.Logf("paraphrased: %v, AUC %.3f", paraphrased, ofParaphrased)
	t.Logf("fabricated: %v", fabricated)
	if copied.cases < 200 || copied.topOne() < 0.99 || ofCopied < 0.99 {
		t.Errorf("copied: %v, AUC %.3f", copied, ofCopied)
	}
	if paraphrased.topOne() < 0.90 || ofParaphrased < 0.88 {
		t.Errorf("paraphrased: %v, AUC %.3f", paraphrased, ofParaphrased)
	}
	if copied.alarm > 0 {
		t.Errorf("%d copies have numbers, paths or ids that no source has", copied.alarm)
	}
}

// TestTextsWithoutSharedWordsHaveNoSource: the goldens of compactions hold the sources of each
// call of a model, whose answer was a hash of them.
func TestTextsWithoutSharedWordsHaveNoSource(t *testing.T) {
	t.Parallel()
	root := testdb.Fixtures(t)
	var files []string
	for _, pattern := range []string{"compaction/*/calls.jsonl", "hard/compaction/*/calls.jsonl"} {
		found, _ := filepath.Glob(filepath.Join(root, pattern))
		files = append(files, found...)
	}
	sentences, found := 0, 0
	for _, file := range files {
		x, answers := readCalls(t, file)
		for _, a := range answers {
			for _, s := range Sentences(a) {
				sentences++
				if m := x.match(s.Text); m.confidence() != None {
					found++
					t.Logf("%s: %q is %s", file, s.Text, m.confidence())
				}
			}
		}
	}
	t.Logf("%d of %d sentences have a source", found, sentences)
	if sentences < 100 || found*50 > sentences {
		t.Errorf("%d of %d sentences have a source that they can't have", found, sentences)
	}
}

// readCalls indexes the messages that calls of a model were given, and returns the answers that
// are hashes.
func readCalls(t *testing.T, file string) (x *index, answers []string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	x = newIndex()
	for d := json.NewDecoder(f); ; {
		var call struct {
			Options      struct{ IsCondensed bool }
			Text, Output string
		}
		if err := d.Decode(&call); errors.Is(err, io.EOF) {
			return x, answers
		} else if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if hashed.MatchString(call.Output) {
			answers = append(answers, call.Output)
		}
		if !call.Options.IsCondensed { // Else its text is answers.
			for _, message := range strings.Split(call.Text, "\n\n[") {
				x.add(message)
			}
		}
	}
}

// hashed are the answers of the model of the goldens.
var hashed = regexp.MustCompile(`^S\d+[na]:[0-9a-f]{12}`)

// TestExtractiveSummariesLeadToTheirSources: a summary of the built-in summarizer is made of
// sentences of its sources.
func TestExtractiveSummariesLeadToTheirSources(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	extractive, err := choose.Model(choose.Choice{Provider: model.Extractive}, func(string) string { return "" }, choose.HostConfig{})
	if err != nil {
		t.Fatal(err)
	}
	q, others := &quality{}, 0
	for _, name := range []string{"v0.15.3/rich.db", "hard/cjk1.db", "hard/tools1.db"} {
		for id, l := range evaluationLeaves(t, testdb.Open(t, testdb.Fixture(t, name))) {
			source := summarize.Form{}.Leaf(l.messages)
			if source == "" {
				continue
			}
			reply, err := extractive.Summarize(t.Context(), summarize.Request{Source: source, Target: 300})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range Sentences(reply.Text) {
				if from := l.holders(s.Text); len(from) > 0 {
					q.add(l, evaluationCase{id, s.Text, from})
				} else {
					others++ // The list of files, and what was cut.
				}
			}
		}
	}
	t.Logf("%v; %d sentences aren't copied from one message", q, others)
	if q.cases < 100 || q.topOne() < 0.99 {
		t.Errorf("%v", q)
	}
}
