// Package promote decides which summaries are worth an entry of promoted memory, and why: by the signals of
// lossless-claude 0.2. It asks no model and reads nothing.
package promote
