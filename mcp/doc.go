// Package mcp offers a database to agents over the Model Context Protocol: the tools,
// resources and prompts by which a model finds what was said before.
//
// It reads and never writes. What it answers are texts for models: those of the host's own
// tools stay byte for byte what engine/retrieve makes of them, within the output limit of the
// client. No call reveals a row of a conversation that lies outside the scope of the server.
//
// The package must not look for a database, read flags or decide what is found: its caller
// opens the file, and engine/retrieve and engine/ask answer. On standard output it writes
// nothing but messages of the protocol.
package mcp
