package ask

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sync"

	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/atomicfile"
)

// Usage is what tools have returned. Its methods may be called from several goroutines.
type Usage struct {
	mu    sync.Mutex
	state usageState
}

// usageState is a Usage as it is stored for the process that started another one.
type usageState struct {
	// Seen are the summaries of which a text was returned, in order.
	Seen []string `json:"seen"`
	// Expanded are those that were expanded, Described the leaves that were described, with their
	// tokens.
	Expanded  []string         `json:"expanded"`
	Described map[string]int64 `json:"described"`
	// Tokens are those of all expansions. Truncated says that something didn't fit.
	Tokens    int64 `json:"tokens"`
	Truncated bool  `json:"truncated"`
}

func (u *Usage) addSeen(ids ...string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.state.addSeen(ids)
}

func (s *usageState) addSeen(ids []string) {
	for _, id := range ids {
		if !slices.Contains(s.Seen, id) {
			s.Seen = append(s.Seen, id)
		}
	}
}

// isNew reports whether the text of a summary wasn't returned yet.
func (u *Usage) isNew(id string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return !slices.Contains(u.state.Seen, id)
}

func (u *Usage) addDescribed(id string, tokens int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.state.Described == nil {
		u.state.Described = map[string]int64{}
	}
	u.state.Described[id] = tokens
}

// addExpansions counts what was expanded. The text of what was expanded isn't in its expansion,
// but that of its leaves' messages and of its sources is, so an id with neither was not read.
func (u *Usage) addExpansions(e *retrieve.Expansions) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, x := range e.Expansions {
		if len(x.Children)+len(x.Messages) == 0 {
			continue
		}
		u.state.addSeen([]string{x.ID})
		if !slices.Contains(u.state.Expanded, x.ID) {
			u.state.Expanded = append(u.state.Expanded, x.ID)
		}
		for _, c := range x.Children {
			u.state.addSeen([]string{c.ID})
		}
	}
	u.state.Tokens += e.Tokens
	u.state.Truncated = u.state.Truncated || e.Truncated
}

// refused notes that nothing was returned because the budget is used up.
func (u *Usage) refused(err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.state.Truncated = u.state.Truncated || isRefusal(err, RefusedBudget)
}

// apply replaces the counts of an answer by those of what was returned, and drops the ids that
// were cited and not returned.
func (u *Usage) apply(a Answer) Answer {
	u.mu.Lock()
	defer u.mu.Unlock()
	var cited []string
	for _, id := range a.Cited {
		if slices.Contains(u.state.Seen, id) {
			cited = append(cited, id)
		} else {
			a.Dropped = append(a.Dropped, id)
		}
	}
	a.Cited = cited
	a.Expanded, a.SourceTokens, a.Truncated = int64(len(u.state.Expanded)), u.state.Tokens, u.state.Truncated
	for id, tokens := range u.state.Described {
		if !slices.Contains(u.state.Expanded, id) {
			a.Expanded++
			a.SourceTokens += tokens
		}
	}
	return a
}

// WriteFile stores the usage in a file that only the user can read, for ReadUsage.
func (u *Usage) WriteFile(path string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	b, err := json.Marshal(u.state)
	if err == nil {
		err = atomicfile.Write(path, b, atomicfile.Options{Replace: true})
	}
	if err != nil {
		return fmt.Errorf("store what was read: %w", err)
	}
	return nil
}

// ReadUsage reads what WriteFile stored. Without a file nothing was returned.
func ReadUsage(path string) (*Usage, error) {
	u := &Usage{}
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return u, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &u.state)
	}
	if err != nil {
		return nil, fmt.Errorf("read what was returned: %w", err)
	}
	return u, nil
}
