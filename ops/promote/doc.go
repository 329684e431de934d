// Package promote writes promoted memory: entries made of summaries by their signals, entries that a person or an agent
// stores, and changes of entries. Nothing is deleted: an entry that another one supersedes is archived. It asks no
// model.
package promote
