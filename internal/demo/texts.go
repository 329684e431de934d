package demo

import (
	"embed"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"

	"lcm-tui/internal/fakehost"
)

//go:embed texts/*.txt
var textFiles embed.FS

// fact is one line of a file of texts: what it is and what it says.
type fact struct{ key, text string }

// readTexts reads a file of the demonstration's texts: blocks of "key: text" lines.
func readTexts(name string) [][]fact {
	b, err := textFiles.ReadFile("texts/" + name + ".txt")
	if err != nil {
		panic(err) // embedded
	}
	var out [][]fact
	for block := range strings.SplitSeq(strings.TrimSpace(string(b)), "\n\n") {
		var facts []fact
		for line := range strings.SplitSeq(block, "\n") {
			k, v, _ := strings.Cut(line, ": ")
			facts = append(facts, fact{k, strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t").Replace(v)})
		}
		out = append(out, facts)
	}
	return out
}

// topic is a piece of work: its facts by name.
type topic map[string]string

// topics reads the pieces of work.
func topics() []topic {
	var out []topic
	for _, facts := range readTexts("topics") {
		t := topic{}
		for _, f := range facts {
			t[f.key] = f.text
		}
		r, n := utf8.DecodeRuneInString(t["area"])
		t["Area"] = string(unicode.ToUpper(r)) + t["area"][n:]
		out = append(out, t)
	}
	return out
}

// fill chooses one of the phrasings of a text and puts the topic's facts into it.
func (t topic) fill(rng *rand.Rand, text string) string {
	alt := strings.Split(text, " || ")
	text = alt[rng.IntN(len(alt))]
	var pairs []string
	for k, v := range t {
		pairs = append(pairs, "{"+k+"}", v)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// tool gives the call, the input and the output of a step of a topic.
func (t topic) tool(kind string, n int) (name, input, output string) {
	switch kind {
	case "grep":
		return "grep", jsonObject("pattern", t["pattern"], "path", t["dir"]), t["hits"]
	case "read":
		return "read_file", jsonObject("path", t["file"]), t["code"]
	case "edit":
		return "edit", jsonObject("path", t["file"], "old", t["old"], "new", t["new"]), "Applied 1 edit to " + t["file"]
	case "note":
		return "edit", jsonObject("path", t["doc"], "append", "## "+t["Area"]+"\n\n"+t["decision"]+"\n\n    "+t["roll"]+"\n"), "Appended 5 lines to " + t["doc"]
	case "test":
		command := strings.Replace(t["test"], "go test ", "go test -v ", 1)
		return "exec", jsonObject("command", command), testOutput(command, n) + t["testout"]
	case "roll":
		return "exec", jsonObject("command", t["roll"]), rolloutOutput(n) + t["rollout"]
	case "metric":
		return "exec", jsonObject("command", fmt.Sprintf("tw-admin metric %q --compare 7d", t["metric"])), "before  " + t["before"] + "\nafter   " + t["after"]
	case "status":
		return "exec", jsonObject("command", "git diff --stat main"),
			fmt.Sprintf(" %s | %d ++--\n %s | %d ++\n 2 files changed", t["file"], 3+n%17, t["doc"], 4+n%9)
	}
	return "exec", jsonObject("command", t["cmd"]), t["out"]
}

// jsonObject returns a JSON object with its keys in the order given.
func jsonObject(pairs ...string) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		fmt.Fprintf(&b, ",%s:%s", fakehost.Quote(pairs[i]), fakehost.Quote(pairs[i+1]))
	}
	return "{" + strings.TrimPrefix(b.String(), ",") + "}"
}
