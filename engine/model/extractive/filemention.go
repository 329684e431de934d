package extractive

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"lcm-tui/internal/lazyregexp"
	"lcm-tui/internal/sorting"
)

// path matches the name of a file: with a folder before it, or with an ending
// that only files have.
var path = lazyregexp.New(`(?:~|\.{1,2}|[A-Za-z]:)?(?:[\\/]?[\w.@+-]+)*[\\/][\w.@+-]*\w\.[A-Za-z]\w{0,7}\b|\b[\w-]+(?:\.[\w-]+)*\.(?:go|mod|sum|ts|tsx|js|jsx|mjs|py|rs|java|kt|swift|rb|php|c|h|cc|cpp|hpp|cs|sh|sql|db|json|jsonl|json5|ya?ml|toml|ini|cfg|conf|env|md|txt|csv|log|html|css|proto|lock|xml)\b`)

var address = lazyregexp.New(`\b[a-zA-Z][a-zA-Z+.-]*://\S+`)

// mention is a file that the source speaks of.
type mention struct {
	name, status string
	times        int
}

// fileAction is what can happen to a file, and the words for it.
type fileAction struct {
	status string
	verb   *lazyregexp.Regexp
}

// fileActions are what can happen to files. They are compiled once they are needed.
var fileActions = sync.OnceValue(func() []fileAction {
	return []fileAction{
		{"deleted", lazyregexp.New(`(?i)\b(?:delet|remov)(?:e|es|ed|ing)\b|删除|削除|삭제`)},
		{"renamed", lazyregexp.New(`(?i)\b(?:renam|mov)(?:e|es|ed|ing)\b|重命名`)},
		{"created", lazyregexp.New(`(?i)\b(?:creat|writ|add|wrote|generat|new file)(?:e|es|ed|ing|ten|s)?\b|创建|新建|作成|생성`)},
		{"modified", lazyregexp.New(`(?i)\b(?:modif|edit|updat|chang|fix|patch|refactor|rewrit|rewrote)(?:y|ied|ies|ying|e|es|ed|ing|s|ten)?\b|修改|更新|変更|수정`)},
		{"read", lazyregexp.New(`(?i)\b(?:read|view|open|inspect|look)(?:s|ed|ing)?\b|读取|查看`)},
	}
})

// mention notes the files of a sentence, and what is done to them in it.
func (d *document) mention(s string) {
	s = address.ReplaceAllString(s, " ")
	files := path.FindAllStringIndex(s, -1)
	if files == nil {
		return
	}
	done := verbs(s)
	for _, at := range files {
		m := d.file(s[at[0]:at[1]])
		m.times++
		if word, ok := bracketedAction(s[at[1]:]); ok {
			m.status = word
			continue
		}
		if did := closestVerb(done, at[0]); did != "" && (m.status == "" || did != "read") {
			m.status = did
		}
	}
}

// bracketedAction returns what follows a file in a line of files: " (created)".
func bracketedAction(rest string) (word string, ok bool) {
	const longest = 20
	if !strings.HasPrefix(rest, " (") {
		return "", false
	}
	word, _, ok = strings.Cut(rest[2:min(len(rest), longest)], ")")
	return strings.ToValidUTF8(word, ""), ok
}

// verb is a word for what is done to files, and where it stands.
type verb struct {
	at     int
	status string
}

// verbs returns those of a sentence, in their order.
func verbs(s string) (all []verb) {
	for _, d := range fileActions() {
		for _, at := range d.verb.FindAllStringIndex(s, -1) {
			all = append(all, verb{at[0], d.status})
		}
	}
	sorting.Stable(all, func(a, b *verb) int { return cmp.Compare(a.at, b.at) })
	return all
}

// closestVerb returns what is done to a file: the last verb before it, or the first behind.
func closestVerb(all []verb, file int) string {
	i, _ := slices.BinarySearchFunc(all, file, func(v verb, at int) int { return cmp.Compare(v.at, at) })
	switch {
	case i > 0:
		return all[i-1].status
	case len(all) > 0:
		return all[0].status
	}
	return ""
}

func (d *document) file(name string) *mention {
	if m, ok := d.named[name]; ok {
		return m
	}
	m := &mention{name: name}
	d.named[name] = m
	d.mentions = append(d.mentions, m)
	return m
}

// files returns the line of files: first those with an action,
// then those that are spoken of most, as many as fit; in their first order.
func (d *document) files(budget int) string {
	order := slices.Clone(d.mentions)
	slices.SortStableFunc(order, func(a, b *mention) int {
		return cmp.Or(cmp.Compare(b.rank(), a.rank()), cmp.Compare(b.times, a.times))
	})
	const start = "Files: "
	left := budget - size(start) - size("\n")
	keep := map[*mention]bool{}
	for _, m := range order {
		if cost := size(m.String()) + size(", "); cost <= left {
			left -= cost
			keep[m] = true
		}
	}
	var names []string
	for _, m := range d.mentions {
		if keep[m] {
			names = append(names, m.String())
		}
	}
	if len(names) == 0 {
		return start + "none"
	}
	return start + strings.Join(names, ", ")
}

func (m *mention) rank() int {
	if m.status == "" || m.status == "read" {
		return 0
	}
	return 1
}

func (m *mention) String() string {
	if m.status == "" {
		return m.name
	}
	return m.name + " (" + m.status + ")"
}

// expand returns the last line: the words of what was left out that say most, as many
// as fit.
func (d *document) expand(kept []int, budget int) string {
	const start = "Expand for details about: "
	left := budget - size(start)
	var words []string
	for _, id := range d.omittedTerms(kept) {
		w := d.words[id]
		if slices.ContainsFunc(words, func(o string) bool { return strings.Contains(o, w) || strings.Contains(w, o) }) {
			continue
		}
		if cost := size(w) + size(", "); cost <= left {
			left -= cost
			words = append(words, w)
		}
		if len(words) == 12 {
			break
		}
	}
	if len(words) == 0 {
		words = []string{"wording"}
	}
	return start + strings.Join(words, ", ")
}

// omittedTerms returns the words that stand only in what was left out, the weightiest
// first.
func (d *document) omittedTerms(kept []int) (ids []int) {
	weights := make([]float64, len(d.words))
	in := map[int]bool{}
	for _, i := range kept {
		in[i] = true
	}
	for i, s := range d.sentences {
		for _, t := range s.terms {
			if in[i] {
				weights[t.id] = -1
			} else if weights[t.id] >= 0 {
				weights[t.id] += t.weight * (1 + s.signal)
			}
		}
	}
	for id, w := range weights {
		if w > 0 && isInformative(d.words[id]) {
			ids = append(ids, id)
		}
	}
	slices.SortStableFunc(ids, func(a, b int) int { return cmp.Compare(weights[b], weights[a]) })
	return ids
}

// isInformative reports whether a word alone says what is spoken of: a number doesn't.
func isInformative(w string) bool { return len(w) > 2 && !strings.ContainsAny(w[:1], "0123456789") }
