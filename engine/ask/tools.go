package ask

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/model"
	"lcm-tui/engine/retrieve"
)

// The names of the tools.
const (
	ToolDescribe = "lcm_describe"
	ToolExpand   = "lcm_expand"
	ToolGrep     = "lcm_grep"
)

// ToolList returns the tools that a navigator may call.
func ToolList() []model.Tool {
	return []model.Tool{
		{Name: ToolDescribe, Description: "Describes one summary or one stored file: its text, its sources and what it costs to expand it. Start with this.", Parameters: schema(
			`"id":{"type":"string","description":"sum_… or file_…"}`, "id")},
		{Name: ToolExpand, Description: "Reads what lies below summaries: their source summaries, and with includeMessages the messages of leaves. It uses up the token budget.", Parameters: schema(
			`"summaryIds":{"type":"array","items":{"type":"string"}},"query":{"type":"string","description":"words to search summaries for, in place of summaryIds"},` +
				`"maxDepth":{"type":"number","minimum":1},"tokenCap":{"type":"number","minimum":1},"includeMessages":{"type":"boolean"}`)},
		{Name: ToolGrep, Description: "Searches messages and summaries: with mode full_text for words, each of which has to occur, else by a regular expression.", Parameters: schema(
			`"pattern":{"type":"string"},"mode":{"type":"string","enum":["regex","full_text"]},"scope":{"type":"string","enum":["messages","summaries","both"]},`+
				`"limit":{"type":"number","minimum":1,"maximum":200},"sort":{"type":"string","enum":["recency","relevance","hybrid"]},`+
				`"since":{"type":"string"},"before":{"type":"string"}`, "pattern")},
	}
}

// schema returns the JSON schema of a tool's arguments.
func schema(properties string, required ...string) json.RawMessage {
	names, err := json.Marshal(append([]string{}, required...))
	if err != nil {
		panic(err) // Texts.
	}
	return json.RawMessage(`{"type":"object","properties":{` + properties + `},"required":` + string(names) + `,"additionalProperties":false}`)
}

// Tools read the memory under a grant: only its conversations, only what is left of its tokens.
// They count what they return. They may be called from several goroutines.
type Tools struct {
	DB    *data.DB
	Grant *Grant
	// Progress is called before each call; it may be nil.
	Progress func(Progress)
	// Usage is what was returned so far. With UsageFile it is stored there after each call, for the
	// process that started this one.
	Usage     Usage
	UsageFile string
}

// maxArguments is the most bytes of one call's arguments.
const maxArguments = 64 << 10

// Call calls a tool with a JSON object. The text is the answer or, where isError is set, why there
// is none. What is not in the grant is an error like what is not there.
func (t *Tools) Call(ctx context.Context, name, arguments string) (text string, isError bool) {
	t.report(name, arguments)
	err := t.Grant.Check(0)
	if err == nil && len(arguments) > maxArguments {
		err = &InputError{"the arguments are longer than 64 KB", "give less"}
	}
	if err == nil {
		text, err = t.call(ctx, name, arguments)
	}
	if err != nil {
		text, _ = Text(Reply{}, err)
		t.Usage.refused(err)
	}
	if t.UsageFile != "" {
		if err := t.Usage.WriteFile(t.UsageFile); err != nil { // Then nothing of it could be cited.
			text, _ = Text(Reply{}, err)
			return text, true
		}
	}
	return retrieve.WithoutControls(text), err != nil
}

func (t *Tools) call(ctx context.Context, name, arguments string) (string, error) {
	switch name {
	case ToolDescribe:
		return withArguments(arguments, func(a describeArguments) (string, error) { return t.describe(ctx, a) })
	case ToolExpand:
		return withArguments(arguments, func(a expandArguments) (string, error) { return t.expand(ctx, a) })
	case ToolGrep:
		return withArguments(arguments, func(a grepArguments) (string, error) { return t.grep(ctx, a) })
	}
	return "", &InputError{"there is no tool " + foldSpace(name, 80), "use lcm_describe, lcm_expand or lcm_grep"}
}

// withArguments reads the arguments of a tool and calls it.
func withArguments[A any](arguments string, call func(A) (string, error)) (string, error) {
	var a A
	if strings.TrimSpace(arguments) == "" {
		arguments = "{}"
	}
	if err := json.Unmarshal([]byte(arguments), &a); err != nil {
		return "", &InputError{"the arguments can't be read: " + foldSpace(err.Error(), maxQuote), "give a JSON object as the schema of the tool says"}
	}
	return call(a)
}

func (t *Tools) report(name, arguments string) {
	if t.Progress == nil {
		return
	}
	p := Progress{Tool: name, Call: foldSpace(arguments, 120), Tokens: t.Grant.Consumed(), TokenCap: t.Grant.TokenCap}
	if len(t.Grant.Conversations) == 1 {
		p.Conversation = t.Grant.Conversations[0]
	}
	t.Progress(p)
}

// scope returns the conversations of the grant. Of others its holder may not know.
func (t *Tools) scope() retrieve.Scope {
	granted := retrieve.Conversations(t.Grant.Conversations...)
	return granted.Within(granted)
}

// limits returns what is left of the grant.
func (t *Tools) limits() retrieve.Limits {
	depth, left := t.Grant.MaxDepth, t.Grant.Remaining()
	return retrieve.Limits{Summaries: t.Grant.Summaries, MaxDepth: &depth, Tokens: &left}
}

type describeArguments struct {
	ID string `json:"id"`
}

// describe describes a summary or a file. The text of a leaf counts as read.
func (t *Tools) describe(ctx context.Context, a describeArguments) (string, error) {
	d, err := retrieve.DescribeRequest{ID: a.ID, Limits: t.limits()}.Run(ctx, t.DB, t.scope())
	if err != nil {
		return "", err
	}
	if d.Summary == nil {
		return d.Text(), nil
	}
	if err := t.Grant.Check(0, d.ID); err != nil {
		return "", err
	}
	if d.Summary.Kind == lcm.KindLeaf && t.Usage.isNew(d.ID) {
		if err := t.Grant.CheckBudget(); err != nil {
			return "", err
		}
		t.Grant.Consume(float64(d.Summary.Tokens))
		t.Usage.addDescribed(d.ID, d.Summary.Tokens)
	}
	t.Usage.addSeen(d.ID)
	return d.Text(), nil
}

type expandArguments struct {
	SummaryIDs      []string `json:"summaryIds"`
	Query           string   `json:"query"`
	MaxDepth        *float64 `json:"maxDepth"`
	TokenCap        *float64 `json:"tokenCap"`
	IncludeMessages bool     `json:"includeMessages"`
}

// expand reads what lies below summaries, as far as the budget goes.
func (t *Tools) expand(ctx context.Context, a expandArguments) (string, error) {
	if err := t.Grant.CheckBudget(); err != nil {
		return "", err
	}
	r := retrieve.ExpandRequest{
		Summaries: uniqueTrimmed(a.SummaryIDs), Query: jstext.Trim(a.Query), Full: true, Messages: a.IncludeMessages,
		MaxDepth: wholeNumber(a.MaxDepth), TokenCap: wholeNumber(a.TokenCap), Limits: t.limits(),
	}
	if r.Query == "" {
		if err := t.Grant.Check(0, r.Summaries...); err != nil {
			return "", err
		}
	}
	out, err := r.Run(ctx, t.DB, t.scope())
	if err != nil {
		return "", err
	}
	t.Grant.Consume(float64(out.Tokens))
	t.Usage.addExpansions(out)
	return out.Text(), nil
}

// wholeNumber returns a number of JSON without its fraction, or nil.
func wholeNumber(f *float64) *int64 {
	if f == nil || math.IsNaN(*f) {
		return nil
	}
	n := int64(min(max(math.Trunc(*f), math.MinInt32), math.MaxInt32))
	return &n
}

// isRefusal reports whether an error is one of the grant.
func isRefusal(err error, reason Refusal) bool {
	var r *RefusalError
	return errors.As(err, &r) && r.Reason == reason
}
