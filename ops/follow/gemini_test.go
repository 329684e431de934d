package follow_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// geminiSession returns the lines of a session of Gemini CLI: messages that are written again when tools have answered,
// and lists of all messages, as a session that is resumed has them.
func geminiSession(rnd *rand.Rand, turns int) []string {
	const at = `"timestamp":"2026-02-01T10:00:00.000Z"`
	first := `{"sessionId":"g9","projectHash":"5","startTime":"2026-02-01T10:00:00.000Z","lastUpdated":"2026-02-01T10:00:00.000Z","kind":"main"}`
	lines := []string{first, `{"$set":{"messages":[{"id":"i0",` + at + `,"type":"user","content":[{"text":"<session_context>\nToday"}]}]}}`}
	var all []string
	add := func(message string) {
		lines = append(lines, message, `{"$set":{"lastUpdated":"2026-02-01T10:00:01.000Z"}}`)
	}
	for turn := range turns {
		user := fmt.Sprintf(`{"id":"u%d",%s,"type":"user","content":[{"text":"question %d, größer 数"},{"text":"<hook_context>recalled</hook_context>"}]}`, turn, at, turn)
		add(user)
		answer := fmt.Sprintf(`{"id":"m%d",%s,"type":"gemini","content":"answer %d","thoughts":[{"subject":"hm","description":"so"}],"model":"m"`, turn, at, turn)
		add(answer + "}")
		all = append(all, user)
		if rnd.IntN(2) == 0 {
			response := fmt.Sprintf(`[{"functionResponse":{"id":"k%d","name":"read_file","response":{"output":"out %d"}}}]`, turn, turn)
			answer += fmt.Sprintf(`,"toolCalls":[{"id":"k%d","name":"read_file","args":{"path":"x"},"result":%s,"status":"success"}]`, turn, response)
			add(answer + "}")
			add(fmt.Sprintf(`{"id":"r%d",%s,"type":"user","content":%s}`, turn, at, response))
		}
		all = append(all, answer+"}")
		if rnd.IntN(3) == 0 {
			lines = append(lines, first, `{"$set":{"messages":[`+strings.Join(all, ",")+`]}}`)
		}
	}
	return lines
}

// TestASessionOfGeminiThatIsRewound: what the user went back before stays stored, and leaves the context with the next
// message; one that comes back with a list of all stays in it.
func TestASessionOfGeminiThatIsRewound(t *testing.T) {
	t.Parallel()
	const (
		head   = `{"sessionId":"g9","projectHash":"5","startTime":"2026-02-01T10:00:00.000Z","kind":"main"}` + "\n"
		before = head + `{"id":"u1","type":"user","content":[{"text":"one"}]}` + "\n" + `{"id":"m1","type":"gemini","content":"1"}` + "\n" +
			`{"id":"u2","type":"user","content":[{"text":"two"}]}` + "\n" + `{"id":"m2","type":"gemini","content":"2","toolCalls":[{"id":"k","name":"ls","args":{}}]}` + "\n"
	)
	for name, c := range map[string]struct {
		then  string
		items int
	}{
		"one turn":                   {`{"$rewindTo":"u2"}`, 3},
		"all":                        {`{"$rewindTo":"u1"}`, 1},
		"a message that isn't there": {`{"$rewindTo":"gone"}`, 1},
		"a list of all":              {`{"$rewindTo":"u2"}` + "\n" + `{"$set":{"messages":[{"id":"u2","type":"user","content":[{"text":"two"}]}]}}`, 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFollowed(t)
			f.write("g9.jsonl", before)
			f.again(false)
			stored := f.count(countMessages)
			text := before + c.then + "\n"
			f.write("g9.jsonl", text)
			f.again(false)
			f.write("g9.jsonl", text+`{"$set":{"lastUpdated":"2026-02-01T10:00:00.000Z"}}`+"\n"+`{"id":"u3","type":"user","content":"three"}`+"\n")
			f.again(true)
			if got, items := f.count(countMessages), f.count(countItems); stored != 5 || got != 6 || items != c.items {
				t.Errorf("%d messages before, %d after, %d items; want 5, 6 and %d", stored, got, items, c.items)
			}
		})
	}
}

// TestADocumentOfGemini: what older versions write whole, again and again, gives the rows of one import; half a document
// gives none.
func TestADocumentOfGemini(t *testing.T) {
	t.Parallel()
	const head = `{"sessionId":"g8","projectHash":"5","startTime":"2026-02-01T10:00:00.000Z","messages":[`
	messages := []string{
		`{"id":"u1","timestamp":"2026-02-01T10:00:01.000Z","type":"user","content":"list it"}`,
		`{"id":"m1","timestamp":"2026-02-01T10:00:02.000Z","type":"gemini","content":"I will.","model":"m"}`,
		`{"id":"m1","timestamp":"2026-02-01T10:00:02.000Z","type":"gemini","content":"I will.","model":"m","toolCalls":[{"id":"k","name":"ls","args":{},"result":[{"functionResponse":{"id":"k","name":"ls","response":{"output":"empty"}}}]}]}`,
		`{"id":"u2","timestamp":"2026-02-01T10:00:03.000Z","type":"user","content":"and now?"}`,
	}
	document := func(some ...string) string {
		return head + strings.Join(some, ",\n  ") + `],"lastUpdated":"2026-02-01T10:00:04.000Z"}`
	}
	straight, grown := newFollowed(t), newFollowed(t)
	const name = "p/chats/session-2026-02-01T10-00-g8.json"
	whole := document(messages[0], messages[2], messages[3])
	straight.write(name, whole)
	straight.again(false)
	grown.write(name, document(messages[0], messages[1]))
	grown.again(false)
	grown.write(name, whole[:len(whole)/2])
	grown.again(true)
	grown.write(name, whole)
	grown.again(false)
	grown.write("p/logs.json", `[{"sessionId":"g8"}]`)
	grown.again(true)
	got, want := grown.rows(), straight.rows()
	if strings.Join(got, "\n") != strings.Join(want, "\n") || grown.count(countMessages) != 5 {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
