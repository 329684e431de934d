package retrieve_test

import (
	"errors"
	"strings"
	"testing"

	"lcm-tui/engine/retrieve"
)

const (
	sumID  = "sum_0123456789abcdef"
	fileID = "file_fedcba9876543210"
)

func TestAnIDIsReadFromItselfAndFromAReferenceBlock(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, id string }{
		"a summary":                 {sumID, sumID},
		"a file":                    {fileID, fileID},
		"white space around":        {" \n\t" + sumID + "\u00a0\n", sumID},
		"an id that isn't of hex":   {"sum_doesnotexist-0_0", "sum_doesnotexist-0_0"},
		"the block of a file":       {"[LCM File: " + fileID + " | notes.txt | text/plain | 2,224 bytes]", fileID},
		"the block of an output":    {"[LCM Tool Output: " + fileID + " | tool=exec | 9 bytes]\n\nExploration Summary:\nmore about file_1111111111111111", fileID},
		"the block of a payload":    {"[LCM Raw Payload: " + fileID + "| role=user | reason=large_raw_message | 1 bytes] and on", fileID},
		"a block with nothing else": {"[LCM File:" + fileID + "]", fileID},
	} {
		if id, err := retrieve.ParseID(c.text); id != c.id || err != nil {
			t.Errorf("%s: %q, %v", name, id, err)
		}
	}
}

func TestATextThatIsNoIDIsRefusedWithAHint(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, says string }{
		"nothing":                     {" ", "no id"},
		"a word":                      {"nonsense", "no id"},
		"another kind of id":          {"msg_0123456789abcdef", "no id"},
		"prose":                       {"see " + sumID + " please", sumID + " stands inside"},
		"a call":                      {"lcm_describe(" + sumID + ")", sumID + " stands inside"},
		"two ids":                     {sumID + " " + fileID, "several ids: " + sumID + ", " + fileID},
		"one id twice":                {sumID + "," + sumID, sumID + " stands inside"},
		"upper case":                  {"sum_0123456789ABCDEF", "sum_0123456789ABCDEF has upper-case"},
		"an upper-case prefix":        {"SUM_0123456789abcdef", "SUM_0123456789abcdef has upper-case"},
		"an empty suffix":             {"sum_", "sum_ names nothing"},
		"zeros":                       {"file_0000000000000000", "file_0000000000000000 names nothing"},
		"zeros in a block":            {"[LCM File: file_0000000000000000 | x | y | 1 bytes]", "file_0000000000000000 names nothing"},
		"a block that isn't closed":   {"[LCM File: " + fileID + " | notes.txt", fileID + " stands inside"},
		"a block closed a line later": {"[LCM File: " + fileID + " |\nnotes.txt]", fileID + " stands inside"},
		"a block of another kind":     {"[LCM Image: " + fileID + " | a.png]", fileID + " stands inside"},
		"a block behind prose":        {"x [LCM File: " + fileID + " | notes.txt]", fileID + " stands inside"},
		"a block with words":          {"[LCM File: the " + fileID + " | notes.txt]", fileID + " stands inside"},
	} {
		_, err := retrieve.ParseID(c.text)
		var tool *retrieve.ToolError
		switch {
		case !errors.As(err, &tool):
			t.Errorf("%s: %v", name, err)
		case !strings.Contains(tool.Error(), c.says):
			t.Errorf("%s: %q doesn't say %q", name, tool, c.says)
		case !strings.Contains(tool.Hint(), "one bare id") || !strings.Contains(tool.Hint(), "reference block"):
			t.Errorf("%s: the hint %q doesn't name both forms", name, tool.Hint())
		}
	}
}
