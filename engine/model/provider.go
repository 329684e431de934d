package model

import "context"

// The providers that aren't reached over HTTP.
const (
	Extractive = "extractive" // The summarizer that is built in.
	Claude     = "claude"     // Anthropic's program, which has a login of its own.
	Codex      = "codex"      // OpenAI's program, which has a login of its own.
	Exec       = "exec"       // Any other command.
)

// IsLocal reports whether a provider isn't reached over HTTP, and so takes no key.
func IsLocal(provider string) bool {
	switch provider {
	case Extractive, Claude, Codex, Exec:
		return true
	}
	return false
}

// ToolModel is a model that may call tools. It may be called from several goroutines, and returns
// soon once ctx is done.
type ToolModel interface {
	// Name is "provider/model".
	Name() string
	// Identity is all that answers depend on beside a request; no key is in it.
	Identity() string
	CallWithTools(ctx context.Context, r ToolRequest) (ToolReply, error)
}

// ToolProgram is a program that answers with the tools of one MCP server: claude or codex, by
// its own login.
type ToolProgram interface {
	// Name is "provider/model".
	Name() string
	// Identity is all that answers depend on beside a request.
	Identity() string
	// Run gives the last message of the program. When ctx is done, the program is killed with all
	// that it started.
	Run(ctx context.Context, r ProgramRequest) (string, error)
}

// ProgramRequest is one run of a program with tools.
type ProgramRequest struct {
	System, Prompt string
	// Server is the command of the MCP server, which offers nothing but Tools.
	Server []string
	Tools  []string
}
