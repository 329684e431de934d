// Package programs runs a program as a model: Claude Code and Codex, by their own logins and also with
// the tools of an MCP server, or any other command that reads a request and writes a summary.
//
// It must not give a program a key of the environment that isn't its own login, nor a folder in which
// it could read or damage anything; only a command that the user named runs as the user would run it.
package programs
