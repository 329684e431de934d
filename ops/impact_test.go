package ops_test

import (
	"encoding/json"
	"testing"

	"lcm-tui/data/change"
	"lcm-tui/ops"
)

// TestImpactSaysWhatIsNotKnown: tokens that only a model's answer decides are null, and
// no number.
func TestImpactSaysWhatIsNotKnown(t *testing.T) {
	t.Parallel()
	for want, unknown := range map[string]bool{"9": false, "null": true} {
		b, err := json.Marshal(ops.Plan{Impact: ops.Impact{ItemsBefore: 3, ItemsAfter: 3, TokensBefore: 7, TokensAfter: 9, ModelCalls: 2, Unknown: unknown}})
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Impact map[string]json.RawMessage `json:"impact"`
		}
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatal(err)
		}
		if string(got.Impact["tokens_after"]) != want || string(got.Impact["tokens_before"]) != "7" || len(got.Impact) != 7 {
			t.Errorf("unknown %v: %s", unknown, b)
		}
	}
}

// TestCallsThatWerentMadeAreNotSpent: of a plan whose texts a model would still have to
// make, only the rest is written, and no call with it.
func TestCallsThatWerentMadeAreNotSpent(t *testing.T) {
	t.Parallel()
	made := ops.Plan{RowPlan: ops.RowPlan{Changes: []change.Change{{}}}, Impact: ops.Impact{ModelCalls: 3, InputTokens: 5}}
	if got := made.Spent(); got.ModelCalls != 3 || got.InputTokens != 5 {
		t.Errorf("a plan that was made: %+v", got)
	}
	part := made
	part.More = true
	if got := part.Spent(); got.ModelCalls != 0 || got.InputTokens != 0 {
		t.Errorf("a part: %+v", got)
	}
}
