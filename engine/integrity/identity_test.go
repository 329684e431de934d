package integrity

import "testing"

const info = "Conversation info (untrusted metadata):\n```json\n"

func TestDecorated(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ content, canonical, body string }{
		"what changes is dropped, the rest is sorted": {
			info + "{\n  \"message_id\": \"7\",\n  \"timestamp\": \"now\",\n  \"sender\": \"Zoë <a>\",\n  \"chat_id\": \"c\"\n}\n```\n\nhello",
			info + `{"chat_id":"c","sender":"Zoë <a>"}` + "\n```\n\nhello", "hello",
		},
		"a sender's block follows": {
			info + "{\"chat_id\":\"c\"}\n```\n\nSender (untrusted metadata):\n```json\n{\"name\":\"Z\",\"id\":\"4\"}\n```\n\nhello\nyou",
			info + "{\"chat_id\":\"c\"}\n```\n\nSender (untrusted metadata):\n```json\n{\"id\":\"4\",\"name\":\"Z\"}\n```\n\nhello\nyou", "hello\nyou",
		},
		"a prelude stays": {
			"Delivery: later\n\n" + info + "{\"chat_id\":\"c\"}\n```\n\nhello", "Delivery: later\n\n" + info + "{\"chat_id\":\"c\"}\n```\n\nhello", "hello",
		},
		"a recap is taken out": {
			info + "{\"chat_id\":\"c\",\"history_count\":2}\n```\n\nChat history since last reply (untrusted, for context):\n```json\n[1]\n```\n\nhello",
			info + "{\"chat_id\":\"c\"}\n```\n\nhello", "hello",
		},
		"without words it stays as it is": {
			info + "{\"chat_id\":\"c\",\"message_id\":\"1\"}\n```\n\n ", info + "{\"chat_id\":\"c\",\"message_id\":\"1\"}\n```\n\n ", "",
		},
	} {
		p, ok := decorated("user", c.content)
		if !ok || p.canonical != c.canonical || p.body != c.body {
			t.Errorf("%s: %v %q %q", name, ok, p.canonical, p.body)
		}
	}
}

func TestNotDecorated(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ role, content string }{
		"an assistant":         {"assistant", info + "{\"chat_id\":\"c\"}\n```\n\nhello"},
		"no key that is known": {"user", info + "{\"what\":\"c\"}\n```\n\nhello"},
		"nothing stays":        {"user", info + "{\"message_id\":\"c\"}\n```\n\nhello"},
		"no JSON":              {"user", info + "{chat_id}\n```\n\nhello"},
		"no fence":             {"user", info + "{\"chat_id\":\"c\"}"},
		"in the middle":        {"user", "see " + info + "{\"chat_id\":\"c\"}\n```\n\nhello"},
	} {
		if p, ok := decorated(c.role, c.content); ok {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestUnmasked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		masked, text string
		want         bool
	}{
		{"the key is ****** and stays", "the key is swordfish and stays", true},
		{"the key is [REDACTED] and stays", "the key is swordfish and stays", true},
		{"the key *** is *** and stays", "the key a is b and stays", true},
		{"the key is ****** and stays", "the key is swordfish and goes", false},
		{"***", "anything at all", false},
		{"no mask at all here", "no mask at all here", false},
	} {
		if got := unmasked(c.masked, c.text); got != c.want {
			t.Errorf("%q of %q: %v", c.masked, c.text, got)
		}
	}
}

func TestIdentified(t *testing.T) {
	t.Parallel()
	content := info + "{\"message_id\":\"7\",\"chat_id\":\"c\"}\n```\n\nhello"
	p, dressed := decorated("user", content)
	for name, c := range map[string]struct {
		hash string
		want bool
	}{
		"as hosts take it now":    {Identity("user", content), true},
		"of the text as it is":    {identity("user", content), true},
		"of another text":         {identity("user", "hello"), false},
		"of another role":         {identity("assistant", content), false},
		"with a line end between": {identity("user", p.head+"\nhello"), false},
	} {
		if got := identified(c.hash, "user", content, p, dressed); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if Identity("user", content) == identity("user", content) {
		t.Error("what changes from one delivery to the next is in the hash")
	}
	if Identity("tool", content) != identity("tool", content) {
		t.Error("only what users say is taken apart")
	}
}
