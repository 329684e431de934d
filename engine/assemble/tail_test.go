package assemble_test

import (
	"strings"
	"testing"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
)

// items makes a context of 10 tokens an item: S a summary, u, a and t messages.
func items(shape string) (out []lcm.ContextItem) {
	for i, c := range strings.Split(shape, "") {
		it := lcm.ContextItem{Ordinal: int64(i), Type: "message", Message: int64(i + 1), Tokens: 10}
		switch c {
		case "S":
			it.Type, it.Message, it.Summary = "summary", 0, "sum"
		case "u":
			it.Role = "user"
		case "a":
			it.Role = "assistant"
		case "t":
			it.Role = "tool"
		}
		out = append(out, it)
	}
	return out
}

func TestFreshTail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, shape string
		tail        assemble.Tail
		want        int
	}{
		{"so many messages", "SSuauaua", assemble.Tail{Count: 4}, 4},
		{"fewer than that", "SSua", assemble.Tail{Count: 64}, 2},
		{"none protected", "SSua", assemble.Tail{Count: 0}, 4},
		{"no messages", "SSS", assemble.Tail{Count: 4}, 3},
		{"summaries between messages don't count", "uSaSuSa", assemble.Tail{Count: 2}, 4},
		{"a limit of tokens", "uauaua", assemble.Tail{Count: 9, MaxTokens: new(int64(25))}, 4},
		{"but the newest always stays, with its user message", "uaua", assemble.Tail{Count: 9, MaxTokens: new(int64(5))}, 2},
		{"stretched to the user's last word", "uauatttt", assemble.Tail{Count: 2}, 2},
		{"no user at all", "aaaa", assemble.Tail{Count: 2}, 2},
		{"an empty context", "", assemble.Tail{Count: 2}, 0},
	} {
		in := items(c.shape)
		if c.shape == "" {
			in = nil
		}
		if got := assemble.FreshTail(in, c.tail); got != c.want {
			t.Errorf("%s: from %d, not %d", c.name, got, c.want)
		}
	}
}
