package mcp

import (
	"context"
	"encoding/json"
)

// Entry is what a client asks to store as an entry of promoted memory.
type Entry struct {
	Text string
	Tags []string
	// Folder is the working folder of the project that the entry belongs to, also as seen from that of the server, which an
	// empty one is.
	Folder string
}

// storeTool stores an entry. It is offered only where the server was started with it.
func storeTool() tool {
	return tool{
		name: "lcm_store", title: "Store a memory entry", writes: true,
		about: "Store a short text for later sessions of this project: a decision with its reason, a root cause, a preference. At most 8,000 characters. Not for what the repository holds already. Passwords and keys in it become placeholders.",
		parameters: []parameter{
			{name: "text", kind: isText, required: true, about: "The text."},
			{name: "tags", kind: isTexts, about: "At most 16 tags, such as decision, fix, preference."},
			{name: "projectPath", kind: isText, about: "The folder of the project, if not that of the server. A server that is limited to a project or session stores for its own project only."},
		},
		call: store,
	}
}

func store(ctx context.Context, c *call) (answer, error) {
	id, err := c.Store(ctx, c.db, Entry{Text: c.args.text("text"), Tags: c.args.texts("tags"), Folder: c.args.text("projectPath")})
	if err != nil {
		return answer{}, err
	}
	text, err := json.Marshal(map[string]any{"stored": true, "id": id})
	return answer{text: string(text) + "\n"}, err
}
