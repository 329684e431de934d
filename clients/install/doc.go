// Package install writes into the configuration of coding agents what they need of us: hooks, the MCP server,
// skills, slash commands and rules. It takes them out again, and finds what is wrong with them.
//
// A change is a value first: the file as it is and as it would be. Only what is ours differs, every
// other byte stays. A file that isn't valid, or that changed since it was read, is never
// written. What was written is noted, so that exactly this is taken out. The package must not start a
// client, ask a user, or print.
package install
