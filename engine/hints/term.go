package hints

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"lcm-tui/data"
	"lcm-tui/data/searchwords"
	"lcm-tui/data/textsearch"
)

// term is what a prompt may be about: a word, a name, or two characters of a script without blanks.
type term struct {
	text string // In lower case.
	// stem is the word as the search table has it; empty where a text must hold the term as it is.
	stem   string
	weight float64 // The rarer the term, the more.
	count  int64   // Of summaries that have it.
	known  bool    // Some summary has it, or nobody can tell.
	// evidence is how much it says that a text has the term: two of enough make a hint.
	evidence float64
}

// How much of a prompt is looked at: of its beginning, in characters, and of its terms.
const (
	longestPrompt = 2000
	mostTerms     = 40
)

// shortestPrompt is how long a prompt is at least that gets a hint. A character of a script without blanks counts
// as two.
const shortestPrompt = 12

// IsQuestion reports whether a prompt may get a hint: a short one is about what stands before it, and a command of
// the client is about nothing.
func IsQuestion(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	if prompt == "" || strings.ContainsRune("/!#<", rune(prompt[0])) {
		return false
	}
	n := 0
	for _, r := range prompt {
		n++
		if textsearch.IsCJK(r) {
			n++
		}
	}
	return n >= shortestPrompt
}

// termsOf returns the terms of a prompt, each once, without common words.
func termsOf(prompt string) (out []term) {
	if runes := []rune(prompt); len(runes) > longestPrompt {
		prompt = string(runes[:longestPrompt])
	}
	seen := map[string]bool{}
	add := func(t term) {
		key := t.stem + "\x00"
		if t.stem == "" {
			key = t.text
		}
		if !seen[key] && len(out) < mostTerms {
			seen[key] = true
			out = append(out, t)
		}
	}
	for _, chunk := range strings.FieldsFunc(prompt, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("\"'`‘’“”()[]{}<>,;!?|=*。、，！？「」", r)
	}) {
		chunk = strings.Trim(chunk, "_-./:…")
		if isName(chunk) {
			add(term{text: strings.ToLower(chunk)})
			continue
		}
		for _, run := range runs(chunk) {
			if textsearch.IsCJK([]rune(run)[0]) {
				for _, pair := range pairs(run) {
					add(term{text: pair})
				}
				continue
			}
			lower := strings.ToLower(run)
			if stems := searchwords.Stems(lower); len(stems) == 1 && len(lower) > 1 && !common[lower] {
				add(term{text: lower, stem: stems[0]})
			}
		}
	}
	return out
}

// isName reports whether a word is the name of something and no word of a language: a path, an identifier, a version,
// a number of three digits and more.
func isName(word string) bool {
	if len(word) < 3 || strings.ContainsFunc(word, textsearch.IsCJK) {
		return false
	}
	digits, signs, humps, letters := 0, 0, 0, 0
	before := rune(0)
	for _, r := range word {
		switch {
		case unicode.IsDigit(r):
			digits++
		case strings.ContainsRune("_./:#@", r):
			signs++
		case unicode.IsUpper(r) && unicode.IsLower(before):
			humps++
		}
		if unicode.IsLetter(r) {
			letters++
		}
		before = r
	}
	return signs > 0 && letters+digits >= 3 || humps > 0 || digits >= 3 || digits > 0 && letters > 1
}

// runs splits a word where it goes from a script with blanks to one without, and at what is no part of a word.
func runs(word string) (out []string) {
	var run []rune
	flush := func() {
		if len(run) > 0 {
			out = append(out, string(run))
		}
		run = nil
	}
	for _, r := range word {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			flush()
			continue
		}
		if len(run) > 0 && textsearch.IsCJK(run[len(run)-1]) != textsearch.IsCJK(r) {
			flush()
		}
		run = append(run, r)
	}
	flush()
	return out
}

// pairs returns the neighbouring characters of a run, without those in which one only joins words.
func pairs(run string) (out []string) {
	runes := []rune(run)
	for i := 1; i < len(runes); i++ {
		if !joinsWords(runes[i-1]) && !joinsWords(runes[i]) {
			out = append(out, string(runes[i-1:i+1]))
		}
	}
	return out
}

// joinsWords reports whether a character of Chinese or Japanese stands for no thing: particles, pronouns, words of
// questions, and the endings that Japanese writes in Hiragana.
func joinsWords(r rune) bool {
	return unicode.Is(unicode.Hiragana, r) || strings.ContainsRune("的了吗呢吧是在有和与或哪什么怎这那个们我你您他她它请为把被就都也不没能会要给到从对", r)
}

// How much a term says of a text that has it. A word of most prompts says nothing, and one that many summaries have
// neither.
const (
	wordEvidence = 1
	nameEvidence = 2
	pairEvidence = 0.7
	// mostShare is the share of summaries that have such a word, and fewDocuments their number in a small file.
	mostShare    = 0.05
	fewDocuments = 3
)

// How much a term counts beside a word: a name more, a word that stands in most prompts of people who work with agents
// less, and one that no summary has less, because what the prompt is about needn't be called so in the past.
const (
	nameFactor    = 1.5
	usualFactor   = 0.3
	unknownFactor = 0.6
	pairFactor    = 0.7
)

// isTelling reports whether the summaries that have the term are looked for.
func (t term) isTelling() bool { return t.known && t.count <= mostDocuments }

// isPair reports whether the term is two characters of a script without blanks.
func (t term) isPair() bool { return t.stem == "" && textsearch.IsCJK([]rune(t.text)[0]) }

// counts returns how many summaries have each word of some terms, by its stem.
func (r Request) counts(ctx context.Context, db *data.DB, terms []term) (map[string]int64, error) {
	words := map[string]string{} // By their stems.
	for _, t := range terms {
		for _, word := range searchwords.All(t.text) {
			words[searchwords.Stem(searchwords.Fold(word))] = word
		}
	}
	if r.index != nil {
		return r.index.counts(ctx, words)
	}
	return textsearch.SummaryWords(ctx, db, slices.Sorted(maps.Keys(words)))
}

// weigh gives terms their weights, by how many summaries have them.
func (r Request) weigh(ctx context.Context, db *data.DB, terms []term) error {
	counts, err := r.counts(ctx, db, terms)
	if err != nil {
		return err
	}
	all, err := textsearch.CountSummaries(ctx, db)
	if err != nil {
		return err
	}
	for i := range terms {
		t := &terms[i]
		n, isPair := counts[t.stem], t.isPair()
		if t.stem == "" && !isPair {
			n = least(counts, searchwords.Stems(t.text))
		}
		t.known, t.count = n > 0 || isPair, n
		t.weight = math.Log(1 + float64(all+1)/(float64(n)+0.5))
		switch {
		case isPair:
			t.weight, t.evidence = pairFactor*math.Log(1+float64(all+1)), pairEvidence
		case t.stem == "":
			t.weight, t.evidence = t.weight*nameFactor, nameEvidence
		case usual[t.text]:
			t.weight *= usualFactor
		case n <= max(fewDocuments, int64(mostShare*float64(all))):
			t.evidence = wordEvidence
		}
		if !t.known {
			t.weight *= unknownFactor
		}
	}
	return nil
}

// least returns the smallest count of some words: a text that has all of them has the rarest.
func least(counts map[string]int64, words []string) int64 {
	n := int64(math.MaxInt64)
	for _, w := range words {
		n = min(n, counts[w])
	}
	if n == math.MaxInt64 {
		return 0
	}
	return n
}

// common are words that say nothing of what a prompt is about; usual are those of most prompts that people give to
// agents, which say little.
var (
	common = set(`a about above after again against all already also although always am an and another any anything are aren around as at away back be because been
		before behind being below between both but by came can cannot come could couldn did didn do does doesn doing don done down during each either else enough
		etc even ever every everything except few first for from further get gets getting give given go goes going gone got had has hasn have haven having he
		hello her here hers hey hi him his how however i if in instead into is isn it its itself just keep kind last later least less let lets like likely ll long look
		lot made make makes making many may maybe me might more most much must my near need needed needs neither never new next no nor not nothing now of off
		often ok okay on once one only onto or other others otherwise our ours out over own per perhaps please put quite rather really re right said same say
		see seem seems shall she should shouldn since so some something soon still such sure take than thank thanks that the their theirs them then there these
		they thing things think this those though through thus to together too toward try two under until up upon us use used uses using ve very via want wants was wasn
		way we well went were what whatever when where whether which while who whole whom whose why will with within without won would yes yet you your yours`)
	usual = set(`add added adding adds all answer apply ask available bad better bit break broken bug bugs build builds call called calls case cases change changed changes
		check clean clear code command commands commit commits complete continue convert copy correct create created current data date day default delete description design
		different directory doc docs document documentation done edit empty end ensure error errors example examples exist existing exists explain fail failed failing
		failure fails false feature field fields file files final find fine fix fixed fixes fixing folder follow form format found full function functions general
		generate good handle handled handling happen happens help hold idea ignore implement implementation implemented import improve include including info information
		input install issue issues item items know large leave left line lines list load local log logs main match method methods minor missing mode move multiple
		name names note number object old open option options order output page parse part pass path place plan point possible prevent print probably problem problems
		process project proper properly provide pull push question quick read real reason refactor release remove removed rename repeat replace request result results return returned returns review run running runs
		save script search section send separate set sets setting settings setup shape show shows simple simply single size small sort source specific stage start state
		status step steps stop string style suggest summary support supported sync system tell test tested testing tests text time todo tool true turn type types understand unit unused
		update updated updates user users valid value values version view wait warning warnings word work working works write writing wrong`)
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
