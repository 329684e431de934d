package ops

import (
	"bytes"
	"encoding/json"
)

// Impact is what a plan comes to. Tokens are the stored counts, summed over the
// contexts that change.
type Impact struct {
	ItemsBefore  int   `json:"items_before"`
	ItemsAfter   int   `json:"items_after"`
	TokensBefore int64 `json:"tokens_before"`
	TokensAfter  int64 `json:"tokens_after"`
	ModelCalls   int   `json:"model_calls"`
	InputTokens  int64 `json:"input_tokens"`
	OutputTokens int64 `json:"output_tokens"`
	// Unknown says that TokensAfter isn't known before a model has answered.
	Unknown bool `json:"-"`
}

// counts is an Impact as plain numbers.
type counts Impact

// MarshalJSON gives null where the tokens aren't known.
func (i Impact) MarshalJSON() ([]byte, error) {
	if !i.Unknown {
		return json.Marshal(counts(i))
	}
	return json.Marshal(struct {
		counts
		TokensAfter *int64 `json:"tokens_after"`
	}{counts: counts(i)})
}

// UnmarshalJSON reads what MarshalJSON gives. A field that it doesn't know is an error.
func (i *Impact) UnmarshalJSON(b []byte) error {
	read := struct {
		*counts
		TokensAfter *int64 `json:"tokens_after"`
	}{counts: &counts{}}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&read); err != nil {
		return err
	}
	*i = Impact(*read.counts)
	if i.Unknown = read.TokensAfter == nil; !i.Unknown {
		i.TokensAfter = *read.TokensAfter
	}
	return nil
}
