package ask

import "testing"

func TestRoutes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		q      Question
		action Action
		tokens int64
		risk   Risk
	}{
		{Question{Text: "why?", TokenCap: 4000}, AnswerDirectly, 0, RiskLow},
		{Question{Text: "which port?", IsQuery: true, Depth: 1, Candidates: 1, TokenCap: 4000}, AnswerDirectly, 220, RiskLow},
		{Question{Text: "which port?", IsQuery: true, Depth: 2, Candidates: 1, TokenCap: 4000}, AnswerDirectly, 363, RiskLow},
		{Question{Text: "which port?", Depth: 1, Candidates: 1, TokenCap: 4000}, ExpandShallow, 220, RiskLow},
		{Question{Text: "which port?", IsQuery: true, Candidates: 1, TokenCap: 4000}, ExpandShallow, 633, RiskLow}, // Depth 3 is multi-hop.
		{Question{Text: "which port?", Candidates: 3, TokenCap: 4000}, ExpandShallow, 1898, RiskModerate},
		{Question{Text: "which port?", Candidates: 5, TokenCap: 4000}, DelegateTraversal, 3163, RiskHigh},
		{Question{Text: "which port?", IncludeMessages: true, Depth: 1, Candidates: 2, TokenCap: 4000}, ExpandShallow, 836, RiskLow},
		{Question{Text: "what changed over the last quarter", IsQuery: true, Depth: 1, Candidates: 1, TokenCap: 4000}, ExpandShallow, 297, RiskLow},
		{Question{Text: "root cause in the past year", Depth: 1, Candidates: 1, TokenCap: 4000}, DelegateTraversal, 372, RiskLow},
		{Question{Text: "how did the cache lead to it, from 2021 to 2024?", Depth: 1, Candidates: 1, TokenCap: 4000}, DelegateTraversal, 372, RiskLow},
		{Question{Text: "2023 and 2024", Depth: 99, Candidates: 1, TokenCap: 100000}, ExpandShallow, 1884, RiskLow},
		{Question{Text: "which port?", Depth: -2.5, Candidates: 1, TokenCap: 315}, ExpandShallow, 220, RiskModerate},
		{Question{Text: "which port?", Depth: 1.9, Candidates: 1, TokenCap: 314}, DelegateTraversal, 220, RiskHigh},
	} {
		r := RouteOf(c.q)
		if r.Action != c.action || r.EstimatedTokens != c.tokens || r.Risk != c.risk {
			t.Errorf("%+v: %s, %d tokens, %s; want %s, %d, %s", c.q, r.Action, r.EstimatedTokens, r.Risk, c.action, c.tokens, c.risk)
		}
	}
}

func TestQuestionsOfALongTimeAndOfSeveralFacts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]bool{
		"what happened last month":                       {true, false},
		"in the past quarters":                           {true, false},
		"throughout years":                               {true, false},
		"a timeline of the release":                      {true, false},
		"long-term plans":                                {true, false},
		"between Monday and Friday":                      {true, false},
		"1999 or 2001":                                   {true, false},
		"1999 or 2000":                                   {false, false},
		"port 2024 and 12026":                            {false, false},
		"the last monthly report":                        {false, false},
		"the chain of events":                            {false, true},
		"a multi-step job":                               {false, true},
		"How did the lock\tlead to that":                 {false, true},
		"how did it lead\nto that":                       {false, false},
		"between " + string(make([]byte, 41)) + " and x": {false, false},
	} {
		r := RouteOf(Question{Text: text, Depth: 1, Candidates: 1, TokenCap: 4000})
		if r.BroadTime != want[0] || r.MultiHop != want[1] {
			t.Errorf("%q: broad %v, several facts %v; want %v", text, r.BroadTime, r.MultiHop, want)
		}
	}
}
