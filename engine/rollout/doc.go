// Package rollout lays the session file that Codex wrote beside what a conversation
// stores of it and what a model is shown of that.
//
// It must not write anything, nor decide what belongs into a conversation: importing
// does that.
package rollout
