// Package install writes our server into the configuration of an MCP client, and takes it out.
//
// A change is a value first: the file as it is and as it would be. Only our entry differs, every
// other byte stays. A file that isn't valid, or that changed since it was read, is never
// written. The package must not start a client, ask a user, or print.
package install
