package cli_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// chain is one random sequence of operations on a database, and of what its host does between them.
type chain struct {
	t        *testing.T
	r        *rand.Rand
	path     string
	sessions map[string]*fakehost.Session // By the key that it began with.
	texts    map[string]hostText          // Every text that a host stored, by its mark.
	log      []string
	records  []int64
	before   string // What stood in the file at the start.
	faults   map[string]bool
	next     int
	beside   bool // A host writes between the operations.
	redacted bool
	renamed  map[int64][2]string // The key before and after, by record.
	lost     map[string]bool     // What was reported already.
	gone     map[string]bool     // Marks that stand in no message of the file.
}

// allowedFaults are what these hosts and operations bring by themselves: two histories under one key after a key was
// given away, what somebody said that is a secret, and in copies of messages and in imports the order of times.
var allowedFaults = map[string]bool{"V04": true, "S08": true, "M16": true, "M17": true, "M18": true}

// hostText is a text that a host stored once.
type hostText struct{ role, content string }

// check ends the test on an error of the test itself.
func (c *chain) check(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatalf("%v\n%s", err, strings.Join(c.log, "\n"))
	}
}

// errorf reports what is wrong, and how it came to be.
func (c *chain) errorf(format string, args ...any) {
	c.t.Helper()
	c.t.Errorf(format+"\n  after %s", append(args, strings.Join(c.log, "\n  then  "))...)
}

// found returns the faults that the doctor finds.
func (c *chain) found() map[string]bool {
	out := map[string]bool{}
	_, text, errs := run(c.t, c.path, "doctor", "--json")
	var v struct {
		Findings []struct {
			Fault string `json:"fault"`
		} `json:"findings"`
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		c.t.Fatalf("doctor: %v: %s", err, errs)
	}
	for _, f := range v.Findings {
		out[f.Fault] = true
	}
	return out
}

// do runs a command that changes the file, and notes its record.
func (c *chain) do(args ...string) bool {
	had := c.applied()
	exit, out, errs := run(c.t, c.path, args...)
	c.log = append(c.log, fmt.Sprintf("%s (exit %d) %.160s", strings.Join(args, " "), exit, strings.ReplaceAll(errs, "\n", " ")))
	for _, bad := range []string{"internal error", "refused the statement", "panic", "would break the file"} {
		if strings.Contains(out+errs, bad) {
			c.errorf("%v: %s%s", args, out, errs)
		}
	}
	now := c.applied()
	for _, id := range now {
		if !slices.Contains(had, id) && !slices.Contains(c.records, id) {
			c.records = append(c.records, id)
		}
	}
	return exit == 0
}

// applied returns the records that are not undone.
func (c *chain) applied() (ids []int64) {
	if n, err := testdb.Count(c.path, "SELECT count(*) FROM sqlite_master WHERE name = 'lcm_tui_undo'"); err != nil || n == 0 {
		return nil
	}
	for _, row := range testdb.Rows(c.t, c.path, "SELECT id FROM lcm_tui_undo WHERE undone_at IS NULL ORDER BY id") {
		id, err := strconv.ParseInt(strings.Trim(row, "'\""), 10, 64)
		c.check(err)
		ids = append(ids, id)
	}
	return ids
}

// anyOf returns one of the values that a query answers with.
func (c *chain) anyOf(query string) string {
	rows := testdb.Rows(c.t, c.path, query)
	if len(rows) == 0 {
		return "1"
	}
	return strings.Trim(rows[c.r.IntN(len(rows))], "'\"")
}

// step applies one random operation.
func (c *chain) step() {
	conv := func() string { return c.anyOf("SELECT conversation_id FROM conversations") }
	active := func() string { return c.anyOf("SELECT conversation_id FROM conversations WHERE active = 1") }
	sum := func() string { return c.anyOf("SELECT summary_id FROM summaries") }
	selector := [][]string{{"--older-than", "1d"}, {"--older-than", "50d"}, {"--archived"}, {"--conv", conv()}, {"--agent", "main"}, {"--lane", "cron"}, {"--keep-last", "1", "--older-than", "1d"}}[c.r.IntN(7)]
	switch c.r.IntN(24) {
	case 0, 1:
		c.do(append([]string{"prune", "copies", "--apply"}, selector...)...)
	case 2, 3, 4:
		extra := []string{}
		if c.r.IntN(3) == 0 {
			extra = []string{"--uncovered"}
		}
		c.do(append(append([]string{"prune", "text", "--apply"}, selector...), extra...)...)
	case 5, 6:
		c.do(append([]string{"prune", "payloads", "--forget", "--at-least", "100B", "--apply"}, selector...)...)
	case 7, 8:
		c.do(append([]string{"prune", "conversations", "--apply"}, selector...)...)
	case 9, 10:
		if n := len(c.trash()); n > 0 {
			c.do("trash", "restore", strconv.Itoa(1+c.r.IntN(n)), "--apply")
		}
	case 11:
		c.next++
		id := active()
		key := fmt.Sprintf("agent:main:renamed%d", c.next)
		was := c.anyOf("SELECT session_key FROM conversations WHERE conversation_id = " + id)
		family := []string{}
		if c.r.IntN(2) == 0 {
			family = []string{"--family"}
		}
		if c.do(append([]string{"key", "rename", id, key, "--apply"}, family...)...) {
			c.renamed[c.records[len(c.records)-1]] = [2]string{was, key}
			for _, s := range c.sessions {
				if s.Key == was {
					s.Key = key
				}
			}
		}
	case 12:
		c.do("key", "move", conv(), "--to", active(), "--apply")
	case 13:
		c.do("key", "archive", conv(), "--apply")
	case 14:
		c.do("key", "unarchive", c.anyOf("SELECT conversation_id FROM conversations WHERE active = 0"), "--apply")
	case 15:
		c.do("key", "detach", active(), "--apply")
	case 16:
		if c.r.IntN(3) == 0 && c.do("secrets", "--apply", "--irreversible") {
			c.redacted = true
		}
	case 17:
		c.do("compact", conv(), "--force", "--leaf-only", "--provider", "extractive", "--set", "freshTailCount=4", "--set", "leafChunkTokens=1000", "--apply")
	case 18:
		c.do("dissolve", conv(), "--summary-id", sum(), "--apply", "--force")
	case 19:
		c.do("rewrite", c.anyOf("SELECT conversation_id FROM summaries"), "--all", "--provider", "extractive", "--apply")
	case 20:
		file := filepath.Join(filepath.Dir(c.path), "text.txt")
		c.next++
		c.check(os.WriteFile(file, []byte(fmt.Sprintf("an edited summary %d", c.next)), 0o600))
		c.do("edit", sum(), "--file", file, "--apply")
	case 21:
		c.do("repair", "--all", "--no-model", "--apply", "--force")
	case 22:
		c.do("transplant", conv(), active(), "--apply", "--force")
	case 23:
		c.do("reclaim")
	}
	if c.r.IntN(3) == 0 && len(c.records) > 0 {
		i := len(c.records) - 1
		if c.r.IntN(2) == 0 {
			i = c.r.IntN(len(c.records))
		}
		c.undo(i)
	}
}

// undo undoes one of the records.
func (c *chain) undo(i int) {
	record := c.records[i]
	if !c.do("undo", strconv.FormatInt(record, 10), "--force") {
		return
	}
	for _, s := range c.sessions {
		if k := c.renamed[record]; k[1] != "" && s.Key == k[1] {
			s.Key = k[0]
		}
	}
	c.records = slices.DeleteFunc(c.records, func(id int64) bool { return !slices.Contains(c.applied(), id) })
}

// trash returns the files of the trash.
func (c *chain) trash() []string {
	out, err := filepath.Glob(c.path + ".lcm-tui-trash/*.db")
	c.check(err)
	return out
}

// holds checks what must hold after each step.
func (c *chain) holds(host bool) {
	if out := testdb.Rows(c.t, c.path, "PRAGMA integrity_check"); len(out) != 1 || strings.Trim(out[0], "'\"") != "ok" {
		c.errorf("integrity: %v", out)
	}
	if out := testdb.Rows(c.t, c.path, "PRAGMA foreign_key_check"); len(out) > 0 {
		c.errorf("foreign keys: %v", out)
	}
	for f := range c.found() {
		if !c.faults[f] && !allowedFaults[f] {
			c.errorf("the doctor finds %s", f)
			c.faults[f] = true
		}
	}
	stored := map[string]int{}
	for _, row := range testdb.Rows(c.t, c.path, "SELECT conversation_id || ' ' || content FROM messages") {
		for mark := range marks(row) {
			conv, _, _ := strings.Cut(strings.Trim(row, "'\""), " ")
			stored[mark]++
			stored[conv+mark]++
		}
	}
	trashed := map[string]bool{}
	for _, f := range c.trash() {
		for _, row := range testdb.Rows(c.t, f, "SELECT content FROM messages") {
			for mark := range marks(row) {
				trashed[mark] = true
			}
		}
	}
	for mark := range c.gone {
		if host && stored[mark] > 0 {
			c.errorf("came back: %.60q", c.texts[mark].content)
		}
	}
	c.gone = map[string]bool{}
	for mark, s := range c.texts {
		if stored[mark] == 0 {
			c.gone[mark] = true
		}
		if stored[mark] == 0 && !trashed[mark] && !c.lost[mark] {
			c.errorf("lost: %s %.60q", s.role, s.content)
			c.lost[mark] = true
		}
	}
	for place, n := range stored {
		if n > 1 && !strings.HasPrefix(place, "⟨") && !c.lost[place] {
			c.errorf("%d times in one conversation: %s", n, place)
			c.lost[place] = true
		}
	}
}

// marks returns the marks of texts.
func marks(s string) map[string]bool {
	out := map[string]bool{}
	for {
		_, rest, ok := strings.Cut(s, "⟨")
		if !ok {
			return out
		}
		n, rest, _ := strings.Cut(rest, "⟩")
		out["⟨"+n+"⟩"] = true
		s = rest
	}
}

// play applies operations at random, lets a host write between them, and without a host undoes all at the end.
func (c *chain) play(steps int) {
	c.holds(false)
	for range steps {
		if c.t.Failed() {
			return
		}
		if c.beside && c.r.IntN(2) == 0 {
			c.hostStep()
			c.holds(true)
			continue
		}
		c.step()
		c.holds(false)
	}
	if c.beside || c.redacted || c.t.Failed() {
		return
	}
	for round := 0; len(c.records) > 0 && round < 40; round++ {
		n := len(c.records)
		for i := n - 1; i >= 0; i-- {
			if i < len(c.records) {
				c.undo(i)
			}
		}
		if len(c.records) == n {
			break
		}
	}
	if after := testdb.Dump(c.t, c.path); after != c.before {
		c.errorf("the undo of everything isn't the start; left: %v\n%s", c.records, lineDiff(c.before, after))
	}
}

// lineDiff returns some lines of which one text has more than the other.
func lineDiff(a, b string) string {
	in := map[string]int{}
	for l := range strings.Lines(a) {
		in[l]++
	}
	for l := range strings.Lines(b) {
		in[l]--
	}
	var out []string
	for l, n := range in {
		if n != 0 && len(out) < 12 {
			out = append(out, fmt.Sprintf("%+d %.300s", -n, strings.TrimSpace(l)))
		}
	}
	return strings.Join(out, "\n")
}

// TestChainsOfOperations: whatever is pruned, restored, renamed, rewritten and undone in whatever order, with a host that
// goes on between the operations or without one, the file stays whole, nothing that was said is lost or stored
// twice, nothing that was forgotten comes back, and the undo of everything is the start. LCM_CHAINS is how many
// chains are played, for hours at night.
func TestChainsOfOperations(t *testing.T) {
	t.Parallel()
	if testlength.Short() {
		t.Skip("every chain is one goroutine")
	}
	n, err := strconv.Atoi(os.Getenv("LCM_CHAINS"))
	if err != nil {
		n = 3
	}
	for seed := range n {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			t.Parallel()
			newChain(t, uint64(seed), seed%2 == 1).play(12)
		})
	}
}
