// Package backfill is the operation that imports a session file: it finds the
// addConversation that the session file belongs to, or makes one, and appends what that
// doesn't have yet, as the host would have stored it. Doing it twice adds nothing.
package backfill
