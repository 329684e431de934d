package identity_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"lcm-tui/data/jstext"
	"lcm-tui/engine/identity"
	"lcm-tui/internal/testlength"
)

// preamble returns a user's message as a channel delivers it.
func preamble(about, sender, recap, body string) string {
	s := "Conversation info (untrusted metadata):\n```json\n" + about + "\n```\n\n"
	if sender != "" {
		s += "Sender (untrusted metadata):\n```json\n" + sender + "\n```\n\n"
	}
	return s + recap + body
}

func TestCanonical(t *testing.T) {
	t.Parallel()
	const recap = "Chat history since last reply (untrusted, for context):\n"
	for name, c := range map[string]struct{ role, in, want string }{
		"plain":                  {"user", "ship it", "ship it"},
		"an assistant's":         {"assistant", preamble(`{"chat_id":"7"}`, "", "", "x"), preamble(`{"chat_id":"7"}`, "", "", "x")},
		"volatile members":       {"user", preamble(`{"message_id":"1","timestamp":"now","reply_to_id":2,"sender":"Wei"}`, "", "", "x"), preamble(`{"sender":"Wei"}`, "", "", "x")},
		"sorted, all the way in": {"user", preamble(`{"sender":{"b":1,"a":[{"d":1,"c":2}]},"chat_id":7,"Zed":1,"a_b":1,"ab":2}`, "", "", "x"), preamble(`{"a_b":1,"ab":2,"chat_id":7,"sender":{"a":[{"c":2,"d":1}],"b":1},"Zed":1}`, "", "", "x")},
		"sorted as words are":    {"user", preamble(`{"group_members":{"Zorn":1,"Zoë":2,"Zoe":3,"zoe":4,"Zoe X":5,"Zoe_X":6,"Äpfel":7,"Birne":8,"😀":9,"a€":10,"a1":11,"“q”":12,"…":13}}`, "", "", "x"), preamble(`{"group_members":{"…":13,"“q”":12,"😀":9,"a€":10,"a1":11,"Äpfel":7,"Birne":8,"zoe":4,"Zoe":3,"Zoë":2,"Zoe X":5,"Zoe_X":6,"Zorn":1}}`, "", "", "x")},
		"white space":            {"user", " \n" + preamble("{\n  \"chat_id\": \"7\"\n}", "", "", "x\n"), preamble(`{"chat_id":"7"}`, "", "", "x\n")},
		"a sender":               {"user", preamble(`{"chat_id":1}`, `{ "name":"Wei", "id":"42" }`, "", "x"), preamble(`{"chat_id":1}`, `{"id":"42","name":"Wei"}`, "", "x")},
		"delivered":              {"user", "Delivery: by mail\n\n" + preamble(`{"chat_id":1,"timestamp":2}`, "", "", "x"), "Delivery: by mail\n\n" + preamble(`{"chat_id":1}`, "", "", "x")},
		"a recap, fenced":        {"user", preamble(`{"chat_id":1,"history_count":2,"history_truncated":true}`, "", recap+"```json\n[{\"a\":1}]\n```\n\n", "x"), preamble(`{"chat_id":1}`, "", "", "x")},
		"a recap in lines":       {"user", preamble(`{"chat_id":1,"history_count":2}`, "", recap+"Wei: a\nZoë: b\n\n", "x"), preamble(`{"chat_id":1}`, "", "", "x")},
		"no recap was announced": {"user", preamble(`{"chat_id":1,"history_count":0}`, "", recap+"Wei: a\n\n", "x"), preamble(`{"chat_id":1,"history_count":0}`, "", recap+"Wei: a\n\n", "x")},
		"nothing survives":       {"user", preamble(`{"timestamp":1}`, "", "", "x"), preamble(`{"timestamp":1}`, "", "", "x")},
		"nothing known":          {"user", preamble(`{"mine":1, "b":2}`, "", "", "x"), preamble(`{"mine":1, "b":2}`, "", "", "x")},
		"no body":                {"user", preamble(`{"chat_id": 1}`, "", "", " \n"), preamble(`{"chat_id": 1}`, "", "", " \n")},
		"no JSON":                {"user", preamble(`{"chat_id":}`, "", "", "x"), preamble(`{"chat_id":}`, "", "", "x")},
		"in the middle":          {"user", "see " + preamble(`{"chat_id": 1}`, "", "", "x"), "see " + preamble(`{"chat_id": 1}`, "", "", "x")},
		"not closed":             {"user", "Conversation info (untrusted metadata):\n```json\n{\"chat_id\": 1}", "Conversation info (untrusted metadata):\n```json\n{\"chat_id\": 1}"},
	} {
		if got := identity.Canonical(c.role, c.in); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestHash(t *testing.T) {
	t.Parallel()
	a, b := preamble(`{"chat_id":1,"message_id":"1"}`, "", "", "x"), preamble(`{"message_id":"2","chat_id":1}`, "", "", "x")
	if identity.Hash("user", a) != identity.Hash("user", b) {
		t.Error("two deliveries of one message differ")
	}
	if identity.RawHash("user", a) == identity.Hash("user", a) {
		t.Error("the raw recipe leaves something out")
	}
	if !identity.IsValid("user", a, identity.RawHash("user", a)) || !identity.IsValid("user", a, identity.Hash("user", b)) {
		t.Error("one of the two recipes is refused")
	}
	if identity.IsValid("user", a, identity.Hash("assistant", a)) {
		t.Error("the role doesn't count")
	}
	sum := sha256.Sum256([]byte(`{"role":"tool","content":"a\n<b>"}`))
	if got, want := identity.EntryHash("tool", "a\n<b>"), hex.EncodeToString(sum[:]); got != want {
		t.Errorf("the entry's hash is %s, want %s", got, want)
	}
}

// TestEntryHashOfALongText is that of its JSON, wherever the text is cut into pieces.
func TestEntryHashOfALongText(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for shift := range 5 {
		content := strings.Repeat("x", shift) + strings.Repeat("日\"\n😀\xff\x80\x01", 30_000)
		sum := sha256.Sum256([]byte(`{"role":"user","content":` + string(jstext.Quote(content)) + `}`))
		if got, want := identity.EntryHash("user", content), hex.EncodeToString(sum[:]); got != want {
			t.Errorf("behind %d bytes the hash is %s, want %s", shift, got, want)
		}
	}
}

func FuzzCanonical(f *testing.F) {
	f.Add(preamble(`{"chat_id":1,"history_count":2}`, `{"id":1}`, "Chat history since last reply (untrusted, for context):\n```json\n[]\n```", "x"))
	f.Add("Delivery: x\n\n" + preamble("{}", "{}", "", ""))
	f.Add(strings.Repeat("Conversation info (untrusted metadata):\n", 3))
	f.Fuzz(func(t *testing.T, s string) {
		once := identity.Canonical("user", s)
		if identity.Canonical("assistant", s) != s {
			t.Error("another role's content was changed")
		}
		if len(once) > 8*len(s)+200 {
			t.Errorf("%d bytes became %d", len(s), len(once))
		}
	})
}

// TestValidLeavesLineEndsOpen: how many stand before what the user said isn't known
// for every host, nor where a recap in prose ends.
func TestValidLeavesLineEndsOpen(t *testing.T) {
	t.Parallel()
	content := preamble(`{"chat_id":1,"message_id":"1"}`, "", "", "\nx")
	canonical := identity.Canonical("user", content)
	for name, c := range map[string]struct {
		of   string
		want bool
	}{
		"canonical":    {canonical, true},
		"without ends": {preamble(`{"chat_id":1}`, "", "", "x"), true},
		"another text": {preamble(`{"chat_id":1}`, "", "", "y"), false},
	} {
		if got := identity.IsValid("user", content, identity.RawHash("user", c.of)); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
