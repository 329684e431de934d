package transplant

import "testing"

// TestRenamed: the ids of files are whole words, in any case; of others nothing
// changes.
func TestRenamed(t *testing.T) {
	t.Parallel()
	const id, other = "file_0123456789abcdef", "file_fedcba9876543210"
	of := func(s string) string { return map[string]string{id: other}[s] }
	for text, want := range map[string]string{
		"":                                "",
		id:                                other,
		"_" + id:                          "_" + id,
		id + "0":                          id + "0",
		"a " + id + ", " + id + ".":       "a " + other + ", " + other + ".",
		"FILE_0123456789ABCDEF":           other,
		"my_file_ and file_0123 and _":    "my_file_ and file_0123 and _",
		"file_0123456789abcdeg":           "file_0123456789abcdeg",
		`["` + id + `","` + other + `"]`:  `["` + other + `","` + other + `"]`,
		"日本" + id + "日本":                  "日本" + other + "日本",
		"file_file_0123456789abcdef":      "file_file_0123456789abcdef",
		"file-" + id:                      "file-" + other,
		"file_ffffffffffffffff " + id:     "file_ffffffffffffffff " + other,
		"file_0123456789abcde_file_" + id: "file_0123456789abcde_file_" + id,
	} {
		if got := renamed(text, of); got != want {
			t.Errorf("%q becomes %q, wanted %q", text, got, want)
		}
	}
}

// TestIdentity: hosts make up what is left open, and never correct what isn't.
func TestIdentity(t *testing.T) {
	t.Parallel()
	const hash = "b8d1b91a5a5ee6e0a3bb5b1e1f3a7c0e" // Of nothing in particular.
	if got := identity("user", "hello"); got == nil || got == hash || len(got.(string)) != 64 {
		t.Errorf("hello: %v", got)
	}
	if identity("user", "hello") == identity("assistant", "hello") {
		t.Error("roles make no difference")
	}
	if got := identity("user", "Conversation info (untrusted metadata):\n```json\n{}\n```\n\nhello"); got != nil {
		t.Errorf("with what the host puts around it: %v", got)
	}
}
