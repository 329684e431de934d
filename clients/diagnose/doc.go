// Package diagnose finds in the session files of coding agents where hooks and tools of this program failed. It only
// reads these files: it starts no client, and it knows no database.
package diagnose
