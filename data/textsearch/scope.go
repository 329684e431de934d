package textsearch

import (
	"slices"
	"strconv"
	"strings"
)

// Scope says of which conversations rows may be read. The zero value is none.
type Scope struct {
	all bool
	ids []int64
}

// AllConversations returns the scope of the whole file.
func AllConversations() Scope { return Scope{all: true} }

// Conversations returns the scope of these conversations, each once and in their order; without any
// it is none.
func Conversations(ids ...int64) (s Scope) {
	seen := make(map[int64]bool, len(ids))
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			s.ids = append(s.ids, id)
		}
	}
	return s
}

// All reports whether the scope is the whole file.
func (s Scope) All() bool { return s.all }

// Empty reports whether no conversation is in the scope.
func (s Scope) Empty() bool { return !s.all && len(s.ids) == 0 }

// IDs returns the conversations of a scope that isn't the whole file.
func (s Scope) IDs() []int64 { return slices.Clone(s.ids) }

// Contains reports whether a conversation is in the scope.
func (s Scope) Contains(id int64) bool { return s.all || slices.Contains(s.ids, id) }

// Intersect returns what lies in both scopes, in s's order.
func (s Scope) Intersect(o Scope) Scope {
	switch {
	case s.all:
		return o
	case o.all:
		return s
	}
	return Conversations(slices.DeleteFunc(s.IDs(), func(id int64) bool { return !o.Contains(id) })...)
}

// Condition returns an SQL condition that a column holds a conversation of the scope.
func (s Scope) Condition(column string) string {
	if s.all {
		return "1"
	}
	numbers := make([]string, len(s.ids))
	for i, id := range s.ids {
		numbers[i] = strconv.FormatInt(id, 10)
	}
	return column + " IN (" + strings.Join(numbers, ", ") + ")"
}
