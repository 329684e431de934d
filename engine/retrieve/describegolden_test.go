package retrieve_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/testdb"
)

// answered is a fixture with the reference engine's answers about it.
type answered struct {
	name, folder string
	files        string // The files folder.
	old          bool   // Of a version that walked the other way and had no subtree.
	db           *data.DB
}

// eachAnswered runs a test on every fixture for which the reference engine's answers are in a
// file of this name.
func eachAnswered(t *testing.T, golden string, test func(t *testing.T, f answered)) {
	t.Helper()
	for _, path := range testdb.FixtureFiles(t, filepath.Join("*", "*.goldens", golden)) {
		folder := filepath.Dir(path)
		database := strings.TrimSuffix(folder, ".goldens")
		version := filepath.Base(filepath.Dir(folder))
		name := filepath.Base(database)
		t.Run(version+"/"+name, func(t *testing.T) {
			t.Parallel()
			f := answered{name: version + "/" + name, folder: folder, old: version == "v0.1.0", db: testdb.Open(t, testdb.Copy(t, database+".db"))}
			f.files = filepath.Join(filepath.Dir(folder), "lcm-files-"+name)
			if f.old {
				f.files = filepath.Join(filepath.Dir(folder), "home-"+name, ".openclaw", "lcm-files")
			}
			test(t, f)
		})
	}
}

// read reads the answers of a file.
func (f answered) read(t *testing.T, name string, into any) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(f.folder, name))
	if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// described is one answer of describe.json. Without options it has a result, with them a digest of
// the content.
type described struct {
	ID      string
	Options *struct {
		ExpandFileMaxBytes int64
		StartLine, EndLine *int64
	}
	Result                     map[string]any
	ContentTruncated           bool
	ContentSha256, ContentHead string
	ContentLength              int
}

// TestDescribeGoldens: describe answers as the reference engine does about every summary and file.
// Of 0.1.0 our answer has more: that version had no subtree, counters, depth nor line counts.
func TestDescribeGoldens(t *testing.T) {
	t.Parallel()
	eachAnswered(t, "describe.json", func(t *testing.T, f answered) {
		var golden struct{ Results []described }
		f.read(t, "describe.json", &golden)
		for _, want := range golden.Results {
			if want.Options != nil {
				f.checkContent(t, want)
				continue
			}
			got := f.describe(t, retrieve.DescribeRequest{ID: want.ID})
			delete(got, "manifest")
			if f.old && got != nil {
				keepKeys(got, want.Result)
			}
			if diff := cmp.Diff(want.Result, got); diff != "" {
				t.Errorf("%s:\n%s", want.ID, diff)
			}
		}
	})
}

// describe returns the JSON of a description, or nil where there is none.
func (f answered) describe(t *testing.T, r retrieve.DescribeRequest) map[string]any {
	t.Helper()
	d, err := r.Run(t.Context(), f.db, retrieve.AllConversations())
	if err != nil {
		return nil
	}
	return asJSON(t, d)
}

// asJSON returns a value as its JSON.
func asJSON(t *testing.T, v any) (out map[string]any) {
	t.Helper()
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// keepKeys deletes from got, in every depth, the keys that want doesn't have.
func keepKeys(got, want map[string]any) {
	for k, v := range got {
		w, ok := want[k]
		if !ok {
			delete(got, k)
		}
		inner, isObject := v.(map[string]any)
		if wanted, ok := w.(map[string]any); ok && isObject {
			keepKeys(inner, wanted)
		}
	}
}

func (f answered) checkContent(t *testing.T, want described) {
	t.Helper()
	o := want.Options
	got := f.describe(t, retrieve.DescribeRequest{ID: want.ID, File: retrieve.FileRequest{
		Content: true, Folder: f.files, MaxBytes: o.ExpandFileMaxBytes, FirstLine: o.StartLine, LastLine: o.EndLine,
	}})
	file, ok := got["file"].(map[string]any)
	content, isText := file["content"].(string)
	if !ok || !isText {
		t.Fatalf("%s %+v: there is no content", want.ID, o)
	}
	sum := sha256.Sum256([]byte(content))
	if hex.EncodeToString(sum[:]) != want.ContentSha256 || !strings.HasPrefix(content, strings.TrimRight(want.ContentHead, "\ufffd")) {
		t.Errorf("%s %+v: the content is another:\n%.80q\n%.80q", want.ID, o, content, want.ContentHead)
	}
	if file["contentTruncated"] != want.ContentTruncated {
		t.Errorf("%s %+v: truncated is %v", want.ID, o, file["contentTruncated"])
	}
}

// called is one answer of tools.json.
type called struct {
	Tool   string
	Params struct {
		ID               string
		AllConversations bool
		ConversationID   *int64
		TokenCap         *int64
		SummaryIDs       []string
		IncludeMessages  bool
		MaxDepth         *int64
	}
	Result struct {
		Content []struct{ Text string }
		Details map[string]any
	}
}

// calls returns the calls of a tool, by what they ask.
func (f answered) calls(t *testing.T, tool string) []called {
	t.Helper()
	var all []called
	f.read(t, "tools.json", &all)
	return slices.DeleteFunc(all, func(c called) bool { return c.Tool != tool })
}

// scope returns the scope of a call: the session that called was that of conversation 1.
func (f answered) scope(t *testing.T, c called) retrieve.Scope {
	t.Helper()
	r := retrieve.ScopeRequest{Conversation: c.Params.ConversationID, AllConversations: c.Params.AllConversations}
	if caller, err := lcm.ReadConversation(t.Context(), f.db, 1); err == nil {
		r.SessionKey, r.SessionID = caller.SessionKey, caller.SessionID
	}
	s, err := r.Resolve(t.Context(), f.db)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestDescribeToolGoldens: the text and the details are the reference tool's, byte for byte.
func TestDescribeToolGoldens(t *testing.T) {
	t.Parallel()
	eachAnswered(t, "tools.json", func(t *testing.T, f answered) {
		for _, c := range f.calls(t, "lcm_describe") {
			d, err := retrieve.DescribeRequest{ID: c.Params.ID, TokenCap: c.Params.TokenCap}.Run(t.Context(), f.db, f.scope(t, c))
			var text string
			var details map[string]any
			if err != nil {
				text, details = errorText(t, err)
			} else {
				text, details = d.Text(), asJSON(t, d.Details())
			}
			if diff := cmp.Diff(c.Result.Content[0].Text, text); diff != "" {
				t.Errorf("%s:\n%s", c.Params.ID, diff)
			}
			if diff := cmp.Diff(c.Result.Details, details); diff != "" {
				t.Errorf("details of %s:\n%s", c.Params.ID, diff)
			}
		}
	})
}

// errorText returns the text of a tool's error, and the same as details.
func errorText(t *testing.T, err error) (text string, details map[string]any) {
	t.Helper()
	e, ok := err.(*retrieve.ToolError) //nolint:errorlint // The tools give it as it is.
	if !ok {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(e.Text()), &details); err != nil {
		t.Fatalf("%v: %s", err, fmt.Sprint(e))
	}
	return e.Text(), details
}
