// Package pressure finds the conversations whose contexts are fuller than they may be: by their tokens against the
// threshold of their budget, as compact does, or by the number of messages that stand in them. It reads them with one
// statement, the conversation with the newest message first, and decides nothing else: what is tried, and when, is
// decided by a pass.
package pressure
