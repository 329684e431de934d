package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
)

// conversation is what the command line says of one.
type conversation struct {
	ID           int64  `json:"conversation_id"`
	Key          string `json:"session_key"`
	Session      string `json:"session_id"`
	Active       bool   `json:"active"`
	Summaries    int64  `json:"summaries"`
	MaxDepth     int64  `json:"max_depth"`
	ContextItems int64  `json:"context_items"`
}

// conversations asks the program for all of them.
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

// heaviest finds the conversation with the largest graph and, among those that
// were summarised, the one with most in its context. Only what is on the first
// screen, so with a key and active, can be opened from there.
func heaviest(all []conversation) (graph, full conversation, err error) {
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
