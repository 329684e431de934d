package search

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// compareHits orders two hits; in the order of the best they are compared by time. Hits without a valid time stand last.
func compareHits(s Sort, a, b *Hit) int {
	if s == ByConversation {
		if c := cmp.Compare(b.Conversation, a.Conversation); c != 0 {
			return c
		}
	}
	if a.At.Valid() != b.At.Valid() {
		if a.At.Valid() {
			return -1
		}
		return 1
	}
	c := b.At.Compare(a.At.Time)
	c = cmp.Or(c, cmp.Compare(b.Message, a.Message), cmp.Compare(kindOrder(a.Kind), kindOrder(b.Kind)), strings.Compare(a.ID(), b.ID()))
	if s == Oldest {
		return -c
	}
	return c
}

// kindOrder returns the place of a kind among hits of the same time.
func kindOrder(k Kind) int {
	switch k {
	case MessageKind:
		return 0
	case PartKind:
		return 1
	case SummaryKind:
		return 2
	case FileKind:
		return 3
	}
	return 4
}

// messageID returns the id of a message as commands take it.
func messageID(id int64) string { return "msg:" + strconv.FormatInt(id, 10) }

// mergeHits adds hits to others, both of which are in order.
func mergeHits(s Sort, all, more []Hit) []Hit {
	if len(more) == 0 {
		return all
	}
	from, _ := slices.BinarySearchFunc(all, &more[0], func(h Hit, first *Hit) int { return compareHits(s, &h, first) })
	behind := slices.Clone(all[from:])
	all = all[:from]
	for len(behind) > 0 && len(more) > 0 {
		next := &behind
		if compareHits(s, &more[0], &behind[0]) < 0 {
			next = &more
		}
		all = append(all, (*next)[0])
		*next = (*next)[1:]
	}
	return append(append(all, behind...), more...)
}
