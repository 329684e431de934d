package lcm_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/lcm"
)

// TestReplaceFileIDs: the ids of files are whole words, in any case; of others nothing
// changes.
func TestReplaceFileIDs(t *testing.T) {
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
		if got := lcm.ReplaceFileIDs(text, of); got != want {
			t.Errorf("%q becomes %q, wanted %q", text, got, want)
		}
	}
}

// TestMentionedFiles: each id once, in lower case and in the order of the texts.
func TestMentionedFiles(t *testing.T) {
	t.Parallel()
	const a, b = "file_00000000000000aa", "file_00000000000000bb"
	got := lcm.MentionedFiles("see "+b+" and FILE_00000000000000AA", "again "+b+", not file_1", "")
	if diff := cmp.Diff([]string{b, a}, got); diff != "" {
		t.Error(diff)
	}
	if lcm.MentionedFiles() == nil {
		t.Error("no texts give nil, which is not a JSON list")
	}
}
