package selector

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/sorting"
)

// sortOldestFirst sorts by the newest message. What has no time comes first.
func sortOldestFirst(cs []Conversation) {
	sorting.Stable(cs, func(a, b *Conversation) int { return cmp.Or(a.Newest.Compare(b.Newest), cmp.Compare(a.ID, b.ID)) })
}

// keptOfFamilies returns the newest conversations of each session, which stay.
func (s Selector) keptOfFamilies(all []Conversation) map[int64]bool {
	kept := map[int64]bool{}
	if s.KeepLast == 0 {
		return kept
	}
	families := map[string][]Conversation{}
	for _, c := range all {
		name := family(c)
		families[name] = append(families[name], c)
	}
	for _, cs := range families {
		// The one that a host goes on with is the newest whatever its time.
		sorting.Stable(cs, func(a, b *Conversation) int {
			return cmp.Or(-cmp.Compare(active(a), active(b)), -a.Newest.Compare(b.Newest), -cmp.Compare(a.ID, b.ID))
		})
		for _, c := range cs[:min(len(cs), s.KeepLast)] {
			kept[c.ID] = true
		}
	}
	return kept
}

func active(c *Conversation) int {
	if c.Active {
		return 1
	}
	return 0
}

// CountFamilies counts, for each conversation by its id, those of its session, itself included.
func CountFamilies(all []Conversation) map[int64]int {
	sizes, out := map[string]int{}, make(map[int64]int, len(all))
	for _, c := range all {
		sizes[family(c)]++
	}
	for _, c := range all {
		out[c.ID] = sizes[family(c)]
	}
	return out
}

// family returns the session that a conversation is of: its key, or its session where it has none. A
// scheduled run of its own is alone, as it is to hosts.
func family(c Conversation) string {
	switch {
	case lcm.IsScheduledRun(c.Key), strings.TrimSpace(c.Key) == "" && c.Session == "":
		return "id " + strconv.FormatInt(c.ID, 10)
	case strings.TrimSpace(c.Key) == "":
		return "session " + c.Session
	}
	return "key " + c.Key
}

// MatchKey reports whether a session key matches a pattern as the host reads it: * is anything
// but a colon, ** is anything, and all other characters stand for themselves.
func MatchKey(pattern, key string) bool {
	text := regexp.QuoteMeta(pattern)
	text = strings.ReplaceAll(text, `\*\*`, `(?s:.*)`)
	text = strings.ReplaceAll(text, `\*`, `[^:]*`)
	ok, err := regexp.MatchString("^(?:"+text+")$", key)
	return err == nil && ok
}
