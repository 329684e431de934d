package ask

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/internal/hint"
)

// Reply is the answer to a question. Its JSON has the fields of the reference engine in their
// order, then ours.
type Reply struct {
	Answer                string      `json:"answer"`
	CitedIDs              []string    `json:"citedIds"`
	SourceConversationIDs []int64     `json:"sourceConversationIds"`
	SourceConversationID  *int64      `json:"sourceConversationId,omitempty"`
	ExpandedSummaryCount  int64       `json:"expandedSummaryCount"`
	TotalSourceTokens     int64       `json:"totalSourceTokens"`
	Truncated             bool        `json:"truncated"`
	Breakdown             []Breakdown `json:"conversationBreakdown,omitempty"`
	// DroppedIDs are ids that the model cites and never read.
	DroppedIDs []string `json:"droppedIds,omitempty"`
	// Model is "provider/model", or empty where none was used.
	Model string `json:"model,omitempty"`
}

// Status is what became of one conversation.
type Status string

// The statuses.
const (
	StatusSuccess Status = "success"
	StatusFailed  Status = "failed"
	StatusSkipped Status = "skipped"
)

// Breakdown is what became of one conversation of a question.
type Breakdown struct {
	ConversationID       int64    `json:"conversationId"`
	ExpandedSummaryCount int64    `json:"expandedSummaryCount"`
	CitedIDs             []string `json:"citedIds"`
	TotalSourceTokens    int64    `json:"totalSourceTokens"`
	Truncated            bool     `json:"truncated"`
	Status               Status   `json:"status"`
	Error                string   `json:"error,omitempty"`
	SummaryIDs           []string `json:"summaryIds"`
	Phase                Phase    `json:"phase,omitempty"`
	ElapsedMs            *int64   `json:"elapsedMs,omitempty"`
	ErrorCode            string   `json:"errorCode,omitempty"`

	answer string
}

// FailureError says that no conversation gave an answer.
type FailureError struct {
	Code      string
	Message   string
	Breakdown []Breakdown
}

func (e *FailureError) Error() string { return e.Message }

// merge returns the reply of all conversations; where none succeeded it is a *FailureError.
func merge(all []Breakdown, multiple bool) (Reply, error) {
	r := Reply{CitedIDs: []string{}, SourceConversationIDs: []int64{}}
	var good, bad []Breakdown
	for _, b := range all {
		if b.Status != StatusSuccess {
			bad = append(bad, b)
			continue
		}
		good = append(good, b)
		r.SourceConversationIDs = append(r.SourceConversationIDs, b.ConversationID)
		r.ExpandedSummaryCount += b.ExpandedSummaryCount
		r.TotalSourceTokens += b.TotalSourceTokens
		r.Truncated = r.Truncated || b.Truncated
		r.CitedIDs = uniqueTrimmed(append(r.CitedIDs, b.CitedIDs...))
	}
	if len(good) == 0 {
		return Reply{}, failure(bad)
	}
	if r.CitedIDs == nil {
		r.CitedIDs = []string{}
	}
	slices.Sort(r.SourceConversationIDs)
	if len(r.SourceConversationIDs) == 1 {
		r.SourceConversationID = &r.SourceConversationIDs[0]
	}
	r.Truncated = r.Truncated || len(bad) > 0
	r.Answer = mergedText(good, bad)
	if multiple {
		r.Breakdown = all
	}
	return r, nil
}

// failure returns the error where nothing succeeded: that of the first conversation that failed.
func failure(bad []Breakdown) error {
	e := &FailureError{Code: CodeSpawnFailed, Message: "no conversation could be asked", Breakdown: bad}
	for _, b := range bad {
		if b.Status == StatusFailed {
			e.Code, e.Message = b.ErrorCode, b.Error
			break
		}
	}
	return e
}

// mergedText returns one answer as it is, or several under the conversations that they come from.
func mergedText(good, bad []Breakdown) string {
	if len(good) == 1 && len(bad) == 0 {
		return good[0].answer
	}
	noun := "conversations"
	if len(good) == 1 {
		noun = "conversation"
	}
	blocks := []string{fmt.Sprintf("Answers from %d %s:", len(good), noun)}
	for _, b := range good {
		blocks = append(blocks, fmt.Sprintf("Conversation %d:\n%s", b.ConversationID, b.answer))
	}
	if note := noteOf(bad); note != "" {
		blocks = append(blocks, note)
	}
	return strings.Join(blocks, "\n\n")
}

// noteOf lists the conversations that failed and those that were skipped.
func noteOf(bad []Breakdown) string {
	var parts []string
	for _, s := range []Status{StatusFailed, StatusSkipped} {
		var ids []string
		for _, b := range bad {
			if b.Status == s {
				ids = append(ids, fmt.Sprint(b.ConversationID))
			}
		}
		if len(ids) > 0 {
			parts = append(parts, string(s)+": "+strings.Join(ids, ", "))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Note: this answer is not complete; conversations " + strings.Join(parts, "; ") + "."
}

// Text returns the JSON text of a reply, or of the error in its place; isError reports which.
func Text(r Reply, err error) (text string, isError bool) {
	var blocked *BlockedError
	var failed *FailureError
	switch {
	case err == nil:
		return indent(r), false
	case errors.As(err, &blocked):
		return indent(struct {
			Error     string `json:"error"`
			Code      string `json:"errorCode"`
			RequestID string `json:"requestId"`
			Depth     int    `json:"expansionDepth"`
			Session   string `json:"originSessionKey"`
			Reason    string `json:"reason"`
			Advice    string `json:"advice"`
		}{blocked.Error(), blocked.Code, blocked.RequestID, blocked.Depth, blocked.Session, blocked.Reason, blocked.Hint()}), true
	case errors.As(err, &failed):
		return indent(struct {
			Error     string      `json:"error"`
			Code      string      `json:"errorCode"`
			Cited     []string    `json:"citedIds"`
			Sources   []int64     `json:"sourceConversationIds"`
			Expanded  int64       `json:"expandedSummaryCount"`
			Tokens    int64       `json:"totalSourceTokens"`
			Truncated bool        `json:"truncated"`
			Breakdown []Breakdown `json:"conversationBreakdown"`
		}{failed.Message, failed.Code, []string{}, []int64{}, 0, 0, true, failed.Breakdown}), true
	}
	e := struct {
		Error string `json:"error"`
		Hint  string `json:"hint,omitempty"`
	}{err.Error(), hint.Of(err)}
	return indent(e), true
}

// indent returns a value as JSON.stringify(value, null, 2) writes it.
func indent(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		panic(err) // Structs of texts and numbers.
	}
	// Go escapes the two separators that JavaScript writes as they are.
	return separators.Replace(strings.TrimSuffix(b.String(), "\n"))
}

var separators = strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029")
