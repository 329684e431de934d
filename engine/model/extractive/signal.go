package extractive

import (
	"sync"

	"lcm-tui/internal/lazyregexp"
)

// signals are what a summary must not lose. A sentence that has one counts for
// more, by so much. They are compiled once they are needed: most commands summarize nothing.
var signals = sync.OnceValue(func() []weightedSign {
	return []weightedSign{
		{2.2, lazyregexp.New(`(?i)\b(?:decid\w+|decisions?|chose|chosen|agree[ds]?|agreement|approved?|rejected|conclu\w+|root cause|settled on|switch(?:ed)? to|instead of|will use|must(?: not)?|should not|never|always|require[sd]?|constraints?|revert(?:ed)?|roll(?:ed)? ?back|deprecated)\b|决定|決定|决策|采用|採用|选择|改为|改用|必须|不能|結論|합의|결정`)},
		{1.6, lazyregexp.New(`(?i)\b(?:errors?|fail(?:s|ed|ures?|ing)?|panic|exception|fatal|traceback|crash(?:ed|es)?|time(?:d )?outs?|denied|refused|undefined|corrupt\w*|broken|bugs?|conflicts?|regression)\b|\bE[A-Z]{4,}\b|错误|錯誤|失败|失敗|异常|崩溃|エラー|오류|실패`)},
		{1.2, lazyregexp.New(`(?i)\b(?:todo|fixme|block(?:ed|ers?|ing)|next steps?|pending|remaining|in progress|done|completed?|finished|fixed|shipped|merged|deployed|released)\b|待办|下一步|完成|完了|未完`)},
		{0.8, path},
		{1, lazyregexp.New("`[^`]+`" + `|(?:^|\s)\$ \S|\b(?:go (?:build|test|run|vet|get|mod|install|generate)|git [a-z-]{3,}|(?:npm|pnpm|yarn) (?:run|install|test|ci|i|add)|cargo [a-z]+|docker [a-z]+|kubectl [a-z]+|pip3? install|curl |psql |sqlite3 |systemctl |make [a-z]+-?[a-z]*$)`)},
		{0.5, lazyregexp.New(`\b[a-z]+[A-Z]\w*\b|\b\w+_\w+\b|\b[0-9a-f]{7,40}\b|#\d+\b|\bv?\d+\.\d+(?:\.\d+)*\b|\w\(\)|\w::\w|\b[A-Z]{2,}-\d+\b|--[a-z][\w-]+`)},
		{0.5, lazyregexp.New(`(?i)\b\d{4}-\d\d-\d\d\b|\b\d{1,2}:\d\d\b|\b(?:today|tomorrow|yesterday|deadline|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?\b|\d+[年月日时時]`)},
	}
})

// weightedSign is a sign of what matters, and how much that counts.
type weightedSign struct {
	weight float64
	sign   *lazyregexp.Regexp
}

// signal returns how much of that is in a sentence, and whether it is a decision or an
// error, which come first in the list.
func signal(s string) (sum float64, vital bool) {
	s = address.ReplaceAllString(s, " ") // What looks like a file there is none.
	for i, g := range signals() {
		if g.sign.MatchString(s) {
			sum += g.weight
			vital = vital || i < 2
		}
	}
	return sum, vital
}
