package hostactivity

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// WhyKnown says why a host of 1.0 may know the session of a conversation: its key or its id stands in a database of
// an agent, also in a turn that is still to be committed. What isn't found or can't be read counts as
// known. Empty is that no host knows it.
func (c *Check) WhyKnown(ctx context.Context, conv Conversation) string {
	stores, own := 0, agentOf(conv.Key)
	ownFound := own == ""
	for _, folder := range c.agentFolders() {
		index := c.index(ctx, folder)
		if index.err != nil {
			return fmt.Sprintf("the host's sessions can't be read: %v", index.err)
		}
		if !index.store {
			continue
		}
		stores++
		ownFound = ownFound || strings.EqualFold(filepath.Base(folder), own)
		for _, name := range []string{conv.Session, conv.Key} {
			if name != "" && index.names[name] {
				return "the host knows its session " + name
			}
		}
	}
	switch {
	case stores == 0:
		return "no database of the host's sessions was found"
	case !ownFound:
		return "no database with the sessions of agent " + own + " was found"
	}
	return ""
}

// agentOf returns the agent of a session key, agent:<agent>:<lane>; empty where it names none.
func agentOf(key string) string {
	fields := strings.SplitN(key, ":", 3)
	if len(fields) < 2 || fields[0] != "agent" {
		return ""
	}
	return fields[1]
}
