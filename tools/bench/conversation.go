package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
)

// conversation is one of the output of `conversations`.
type conversation struct {
	ID           int64  `json:"conversation_id"`
	Key          string `json:"session_key"`
	Session      string `json:"session_id"`
	Active       bool   `json:"active"`
	Messages     int64  `json:"messages"`
	Summaries    int64  `json:"summaries"`
	MaxDepth     int64  `json:"max_depth"`
	ContextItems int64  `json:"context_items"`
}

// conversations lists all conversations of the database.
func conversations(ctx context.Context, o options) ([]conversation, error) {
	out, err := exec.CommandContext(ctx, o.bin, "--db", o.path, "--json", "conversations").Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return nil, fmt.Errorf("list conversations: %w: %s", err, exit.Stderr)
		}
		return nil, fmt.Errorf("list conversations: %w", err)
	}
	var list struct {
		Conversations []conversation `json:"conversations"`
	}
	if err := json.Unmarshal(out, &list); err != nil {
		return nil, fmt.Errorf("read conversations: %w", err)
	}
	return list.Conversations, nil
}

// largestConversations returns the conversation with most summaries, and the summarized one
// with most context items. Both have a key and are active, so that the first screen lists
// them.
func largestConversations(all []conversation) (graph, full conversation, err error) {
	for _, c := range all {
		if !c.Active || c.Key == "" || c.Summaries == 0 {
			continue
		}
		if c.MaxDepth > 0 && c.Summaries > graph.Summaries {
			graph = c
		}
		if c.ContextItems > full.ContextItems {
			full = c
		}
	}
	if graph.Key == "" || full.Key == "" {
		return graph, full, errors.New("the file has no active conversation with condensed summaries")
	}
	return graph, full, nil
}
