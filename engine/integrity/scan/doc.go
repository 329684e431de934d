// Package scan holds what a check keeps of one conversation while and after it reads the rows:
// messages without their texts, summaries with their links, context items, tool calls, and what
// the host notes beside them. It knows no faults.
package scan
