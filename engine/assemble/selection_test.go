package assemble

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/jstext"
	"lcm-tui/engine/token"
	"lcm-tui/internal/testlength"
)

// ruleTail says where the fresh tail begins: it is the longest end of the context of which
// every message may still be in it.
func ruleTail(items []item, t Tail) int {
	newest := -1
	for i, it := range items {
		if it.isMessage() && it.Role == RoleUser {
			newest = i
		}
	}
	start := len(items)
	for i := len(items) - 1; i >= 0 && t.Count > 0; i-- {
		if !items[i].isMessage() {
			continue
		}
		messages, tokens := 0, int64(0)
		for _, it := range items[i:] {
			if it.isMessage() {
				messages++
				tokens += it.tokens
			}
		}
		fits := messages <= t.Count && (t.MaxTokens == nil || messages == 1 || tokens <= *t.MaxTokens)
		if !fits && (newest < 0 || i < newest) {
			break
		}
		start = i
	}
	return start
}

// ruleSelect says what is kept: the tail and the brief, and of the rest what fits.
func ruleSelect(items []item, tail int, o Options) []bool {
	kept, left, rest := make([]bool, len(items)), o.Budget, int64(0)
	for i, it := range items {
		if kept[i] = i >= tail || it.brief != nil; kept[i] {
			left -= it.tokens
		} else {
			rest += it.tokens
		}
	}
	left = max(0, left)
	words := regexp.MustCompile(`[a-z0-9]{2,}`)
	asked := words.FindAllString(strings.ToLower(o.Prompt), -1)
	order := make([]int, 0, len(items))
	score := map[int]float64{}
	for i := tail - 1; i >= 0; i-- {
		if kept[i] {
			continue
		}
		order = append(order, i)
		in := words.FindAllString(strings.ToLower(items[i].text), -1)
		for n, w := range asked {
			if times := len(slices.DeleteFunc(slices.Clone(in), func(x string) bool { return x != w })); times > 0 && !slices.Contains(asked[:n], w) {
				score[i] += float64(times) / float64(len(in))
			}
		}
	}
	byWords := o.PromptAware && len(asked) > 0 && rest > left
	if byWords {
		slices.SortStableFunc(order, func(a, b int) int {
			if score[a] > score[b] {
				return -1
			} else if score[a] < score[b] {
				return 1
			}
			return b - a
		})
	}
	for _, i := range order {
		if kept[i] = items[i].tokens <= left; kept[i] {
			left -= items[i].tokens
		} else if !byWords {
			break
		}
	}
	return kept
}

func optionsOf(r *rand.Rand) Options {
	o := Options{Budget: []int64{1, 50, 200, 700, 2000, 1e9}[r.IntN(6)], Tail: Tail{Count: []int{0, 1, 3, 8, 64}[r.IntN(5)]}}
	if r.IntN(3) == 0 {
		o.Tail.MaxTokens = new([]int64{0, 1, 40, 200}[r.IntN(4)])
	}
	if r.IntN(3) == 0 {
		o.PromptAware, o.Prompt = true, []string{"retry the queue, retry", "tenant_id OPS-701", "…!?", "a", "数据库"}[r.IntN(5)]
	}
	o.StubLargePayloads = r.IntN(2) == 0
	return o
}

// TestHardContexts: of contexts of every shape in which messages are stored, what is kept
// is what the rules say, however much is read at once, and what comes out is sound.
func TestHardContexts(t *testing.T) {
	t.Parallel()
	for _, seed := range testlength.Some([]uint64{0, 1, 2, 3, 4, 5, 6, 7}) {
		db := hardContext(t, seed)
		r := rand.New(rand.NewPCG(seed, 3))
		for range 8 {
			o := optionsOf(r)
			c, err := newContents(t.Context(), db, 1, o)
			if err != nil {
				t.Fatal(err)
			}
			c.step = 1 + r.IntN(90)
			got, err := c.assemble(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if c, err = newContents(t.Context(), db, 1, o); err != nil {
				t.Fatal(err)
			}
			want := whole(t, c)
			if diff := cmp.Diff(linesOf(want.Messages), linesOf(got.Messages)); diff != "" || want.Estimated != got.Estimated || want.Kept != got.Kept {
				t.Fatalf("seed %d, %+v: %d tokens of %d, want %d of %d\n%s", seed, o, got.Estimated, got.Kept, want.Estimated, want.Kept, diff)
			}
			sound(t, seed, c, o, got)
		}
	}
}

// whole assembles by the rules, with everything read.
func whole(t *testing.T, c *contents) (r Result) {
	t.Helper()
	if err := c.load(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	c.tail = ruleTail(c.items, c.o.Tail)
	for i := range c.tail {
		c.showReference(&c.items[i])
	}
	var turns []selectedMessage
	var evicted []string
	for i, kept := range ruleSelect(c.items, c.tail, c.o) {
		if it := &c.items[i]; kept {
			r.Kept++
			r.Estimated += it.tokens
			turns = append(turns, selectedMessage{it.message, i >= c.tail})
		} else if it.message.Role == RoleToolResult {
			evicted = append(evicted, it.message.call)
		}
	}
	r.Messages = rulePair(ruleClean(ruleStrip(turns, evicted)))
	return r
}

// sound looks for what may never be.
func sound(t *testing.T, seed uint64, c *contents, o Options, got Result) {
	t.Helper()
	protected := int64(0)
	for i, it := range c.items {
		if i >= c.tail || it.brief != nil {
			protected += it.tokens
		}
		text := strings.Join(slices.DeleteFunc([]string{it.message.sent(), ruleThought(it.message), string(ruleSender(it.message))},
			func(s string) bool { return s == "" }), "\n")
		if n := token.Weighted.Count(text); n != it.tokens && !strings.HasPrefix(it.text, "[LCM Tool Output") {
			t.Errorf("seed %d: item %d takes %d tokens, not %d: %s", seed, i, n, it.tokens, text)
		}
	}
	if got.Estimated > max(o.Budget, protected) {
		t.Errorf("seed %d: %d tokens, over the budget of %d", seed, got.Estimated, o.Budget)
	}
	if why := unpaired(got.Messages); why != "" {
		t.Errorf("seed %d: %s", seed, why)
	}
	for _, line := range linesOf(got.Messages) {
		if string(jstext.Parse(line)) != line {
			t.Errorf("seed %d: not as JavaScript writes it: %s", seed, line)
		}
	}
}

func ruleThought(m Message) string {
	for _, f := range m.rest {
		if f.name == "reasoning_content" {
			return f.value.Text()
		}
	}
	return ""
}

func ruleSender(m Message) jstext.Value {
	for _, f := range m.rest {
		if f.name == senderField {
			return f.value
		}
	}
	return ""
}
