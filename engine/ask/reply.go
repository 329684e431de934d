package ask

import (
	"encoding/json"
	"errors"
	"math"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/lazyregexp"
)

// Answer is what a navigator found out about one conversation.
type Answer struct {
	Text string
	// Cited are the summaries that it names as its sources.
	Cited []string
	// Dropped are ids that the navigator named and never read; ReadAnswer doesn't fill it in.
	Dropped []string
	// Expanded is how many summaries were read, SourceTokens how many tokens.
	Expanded, SourceTokens int64
	Truncated              bool
}

var errNotJSON = errors.New("it is not a JSON object")

// fence matches a block of code in Markdown, and widestFence all from the beginning of the first to the end of the
// last: the text of an answer may hold blocks as well.
var (
	fence       = lazyregexp.New("(?is)```(?:json)?[ \t]*\r?\n?(.*?)```")
	widestFence = lazyregexp.New("(?is)```(?:json)?[ \t]*\r?\n?(.*)```")
)

// ReadAnswer reads a navigator's reply: the whole of it, or the JSON in a block of code. seeds
// is how many summaries were expanded where the reply doesn't say it.
func ReadAnswer(reply string, seeds int) (Answer, error) {
	blocks := append(fence.FindAllStringSubmatch(reply, -1), widestFence.FindAllStringSubmatch(reply, -1)...)
	a, err := readObject(reply, seeds)
	for i := 0; i < len(blocks) && errors.Is(err, errNotJSON); i++ {
		a, err = readObject(blocks[i][1], seeds)
	}
	return a, replyError(reply, err)
}

// maxQuote is how much of a reply its error quotes.
const maxQuote = 240

// replyError says why a reply is no answer, and how it begins.
func replyError(reply string, err error) error {
	if err == nil {
		return nil
	}
	begins := foldSpace(reply, maxQuote)
	if begins == "" {
		return errors.New("the reply is empty")
	}
	return errors.New("the reply can't be used: " + err.Error() + "; it begins: " + begins)
}

func readObject(s string, seeds int) (a Answer, err error) {
	var fields map[string]any
	if json.Unmarshal([]byte(jstext.Trim(s)), &fields) != nil || fields == nil {
		return a, errNotJSON
	}
	text, _ := fields["answer"].(string)
	if a.Text = jstext.Trim(text); a.Text == "" {
		return a, errors.New("its answer is blank")
	}
	ids, _ := fields["citedIds"].([]any)
	var cited []string
	for _, id := range ids {
		s, _ := id.(string)
		cited = append(cited, s)
	}
	a.Cited = uniqueTrimmed(cited)
	a.Expanded = countOr(fields["expandedSummaryCount"], int64(seeds))
	a.SourceTokens = countOr(fields["totalSourceTokens"], 0)
	a.Truncated, _ = fields["truncated"].(bool)
	return a, nil
}

// countOr returns a number rounded down and at least 0; what is no number is missing.
func countOr(v any, missing int64) int64 {
	f, ok := v.(float64)
	if !ok {
		return missing
	}
	return int64(min(max(math.Floor(f), 0), math.MaxInt32))
}
