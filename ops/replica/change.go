package replica

import (
	"cmp"
	"slices"

	"lcm-tui/internal/sorting"
)

// how says how a conversation gets equal.
type how int

const (
	isEqual how = iota
	isNew
	isAppended // Its messages go on, and everything else of it is replaced.
	isReplaced
	isGone
)

// groupChange is a conversation that isn't equal.
type groupChange struct {
	group int64
	how   how
	from  int64 // Of an appended one: the last message that the replica has.
	rows  int64 // About how many are sent.
	bytes int64
	known *groupState // What the replica has, or nil.
	equal []string    // Of an appended one: tables of which the replica has the same rows.

	isUnchosen bool // Of a gone one: the file has it, and the filter doesn't choose it.
}

// changes is what has to be sent.
type changes struct {
	groups []groupChange // By group.
	tables []string      // Whose images are sent again.
	gone   []string      // Tables that the file doesn't have any more.
}

// compare finds out what of a file the replica doesn't have. sent are the conversations that a filter chooses.
func compare(file, replica *fileState, sent chosen) changes {
	var out changes
	for group, f := range file.groups {
		k := replica.groups[group]
		if c := compareGroup(f, k, file.depth); c != isEqual {
			if c == isAppended && group == noGroup {
				c = isReplaced
			}
			change := groupChange{group: group, how: c, rows: f.rows, bytes: f.bytes, known: k}
			if c == isAppended {
				change.from = k.lastMessage
				change.rows = max(f.rows-k.rows, 0)
				change.bytes = f.bytes * change.rows / max(f.rows, 1)
			}
			out.groups = append(out.groups, change)
		}
	}
	for group, k := range replica.groups {
		if file.groups[group] == nil {
			isChosen, inFile := sent[group]
			out.groups = append(out.groups, groupChange{group: group, how: isGone, rows: k.rows, known: k, isUnchosen: inFile && !isChosen})
		}
	}
	sorting.Stable(out.groups, func(a, b *groupChange) int { return cmp.Compare(a.group, b.group) })
	for name, f := range file.tables {
		if k, ok := replica.tables[name]; !ok || k.digest != f.digest || k.rows != f.rows {
			out.tables = append(out.tables, name)
		}
	}
	for name := range replica.tables {
		if _, ok := file.tables[name]; !ok {
			out.gone = append(out.gone, name)
		}
	}
	slices.Sort(out.tables)
	slices.Sort(out.gone)
	return out
}

// compareGroup finds out how a conversation gets equal. k is what the replica has of it, or nil.
func compareGroup(f, k *groupState, d depth) how {
	if k == nil {
		return isNew
	}
	isSame, goesOn := f.index == k.index, f.knownIndex == k.index
	if d >= byCells {
		isSame, goesOn = isSame && f.short.messages == k.short.messages, goesOn && f.knownShort == k.short.messages
	}
	if d == byBytes {
		isSame, goesOn = isSame && f.full.messages == k.full.messages, goesOn && f.knownFull == k.full.messages
	}
	isRestSame := f.short.other == k.short.other && (d < byBytes || f.full.other == k.full.other)
	switch {
	case isSame && isRestSame:
		return isEqual
	case k.lastMessage > 0 && goesOn && (isSame || f.lastMessage > k.lastMessage):
		return isAppended // Also where only the rest differs.
	}
	return isReplaced
}
