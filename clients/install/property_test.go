package install_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"lcm-tui/clients/install"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testlength"
)

// configWriter makes up configurations.
type configWriter struct {
	*rand.Rand
	strings.Builder
	hasComments bool
	newline     string
	container   string // Of all servers, where one of them is an older entry of ours.
	start, end  int    // Where that stands.
}

// one returns one of several texts.
func (w *configWriter) one(texts ...string) string { return texts[w.IntN(len(texts))] }

// space writes what may stand between two parts of JSON.
func (w *configWriter) space(depth int) {
	for w.IntN(3) > 0 {
		w.WriteString(w.one("", " ", "\t", w.newline, w.newline+strings.Repeat("  ", depth), w.newline+strings.Repeat("  ", depth)))
		if w.hasComments && w.IntN(6) == 0 {
			w.WriteString(w.one(`// a "comment" {`+w.newline, "/* , } */", "/* over"+w.newline+" lines */"))
		}
	}
}

// list writes parts between brackets.
func (w *configWriter) list(depth int, brackets string, count int, part func(i int)) {
	w.WriteByte(brackets[0])
	w.space(depth)
	for i := range count {
		part(i)
		w.space(depth)
		if i < count-1 || w.hasComments && w.IntN(5) == 0 {
			w.WriteByte(',')
			w.space(depth)
		}
	}
	w.WriteByte(brackets[1])
}

// value writes any value of JSON.
func (w *configWriter) value(depth int) {
	switch kind := w.IntN(8); {
	case kind < 2 && depth < 4:
		w.object(depth + 1)
	case kind == 2 && depth < 4:
		w.list(depth+1, "[]", w.IntN(3), func(int) { w.value(depth + 1) })
	default:
		w.WriteString(w.one("true", "null", "-1.5e+3", "0", `""`, `"\" } , // \\"`, `"[mcp_servers.lcm]"`, `"é漢😀\ud800"`))
	}
}

// object writes an object with some members, and first or last those of the names.
func (w *configWriter) object(depth int, names ...string) {
	for i := range w.IntN(4) {
		names = append(names, fmt.Sprintf("%s%d", w.one("a", "lcm", "mcpServers", "servers", `x\"y`, `\ud83d\ude00`), i))
	}
	w.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
	w.list(depth, "{}", len(names), func(i int) {
		isEntry := depth == 2 && names[i] == "lcm"
		if isEntry {
			w.start = w.Len()
		}
		w.WriteString(`"` + names[i] + `"`)
		w.space(depth)
		w.WriteByte(':')
		w.space(depth)
		switch {
		case isEntry:
			w.entry()
			w.end = w.Len()
		case depth == 1 && names[i] == w.container:
			w.object(depth+1, "lcm")
		case depth == 1 && (names[i] == "mcpServers" || names[i] == "servers"):
			w.object(depth + 1)
		default:
			w.value(depth)
		}
	})
}

// What an older entry of ours has, and what an installation writes in its place.
const (
	oldCommand, newCommand = `"/old/lcm-tui"`, `"/opt/lcm/lcm-tui"`
	oldArgs, newArgs       = `["mcp", "--old"]`, `["mcp","--db","/data/my lcm.db"]`
)

// entry writes an older entry of ours, in which somebody may have written more.
func (w *configWriter) entry() {
	members := []string{`"command":` + oldCommand, `"args": ` + oldArgs, `"timeout" : 9`}[:2+w.IntN(2)]
	w.Shuffle(len(members), func(i, k int) { members[i], members[k] = members[k], members[i] })
	w.list(3, "{}", len(members), func(i int) { w.WriteString(members[i]) })
}

// newJSONWithEntry makes up a configuration in JSON that has an older entry of ours, which stands
// between two parts.
func newJSONWithEntry(r *rand.Rand, client string) (before, entry, after string) {
	w := &configWriter{Rand: r, hasComments: client != "claude-code", container: "mcpServers"}
	if client == "vscode" {
		w.container = "servers"
	}
	w.newline = w.one("\n", "\n", "\r\n")
	w.WriteString(w.one("", "", "\ufeff"))
	w.space(0)
	w.object(1, w.container)
	w.space(0)
	return w.String()[:w.start], w.String()[w.start:w.end], w.String()[w.end:]
}

// newTOMLWithEntry makes up a configuration in TOML as newJSONWithEntry does.
func newTOMLWithEntry(r *rand.Rand) (before, entry, after string) {
	w := &configWriter{Rand: r}
	w.newline = w.one("\n", "\n", "\r\n")
	before = strings.TrimRight(newTOML(r), "\r\n") + w.newline + w.one("", w.newline, w.newline+"# ours"+w.newline)
	values := []string{"command = " + oldCommand, "args=" + oldArgs}
	w.Shuffle(2, func(i, k int) { values[i], values[k] = values[k], values[i] })
	w.WriteString(w.one("[mcp_servers.lcm]", "[ mcp_servers . 'lcm' ]") + w.newline + values[0] + w.newline + "  " + values[1] + w.newline)
	after = w.one("", w.newline, w.newline+"# the end") + w.one("", w.newline+"[zz] # z"+w.newline+"a = 1", w.newline+"[[zz]]"+w.newline)
	return before, w.String(), after
}

// newJSON makes up a configuration in JSON.
func newJSON(r *rand.Rand, hasComments bool) string {
	w := &configWriter{Rand: r, hasComments: hasComments}
	w.newline = w.one("\n", "\n", "\r\n")
	w.WriteString(w.one("", "", "\ufeff"))
	w.space(0)
	if names := [][]string{nil, {"mcpServers"}, {"servers"}, {"mcpServers", "servers"}}; w.IntN(20) > 0 {
		w.object(1, names[w.IntN(len(names))]...)
	} else if w.Len() > 3 { // A blank file is empty for every client.
		w.Reset()
	}
	w.space(0)
	return w.String()
}

// newTOML makes up a configuration in TOML.
func newTOML(r *rand.Rand) string {
	w := &configWriter{Rand: r}
	w.newline = w.one("\n", "\n", "\r\n")
	w.WriteString(w.one("", "", "\ufeff"))
	values := func() string {
		return w.one("1", "'[mcp_servers.lcm]'", `"a # b"`, "nan", "2026-03-02T09:00:00Z", "{ a = 1, b.c = [ { } ] }", "[ 1, # one"+w.newline+" 2 ]",
			`"""`+w.newline+"[mcp_servers.lcm]"+w.newline+`command = "x"`+w.newline+`"""`)
	}
	blank := func() {
		for w.IntN(3) == 0 {
			w.WriteString(w.one(w.newline, "# a comment [x]"+w.newline, "  "+w.newline))
		}
	}
	keys := func(prefix string) {
		for i := range w.IntN(4) {
			blank()
			key := fmt.Sprintf(w.one("a%d", "lcm%d", `"x.y%d"`, "b.c%d"), i)
			fmt.Fprintf(w, "%s%s = %s%s%s", prefix, key, values(), w.one("", " # note"), w.newline)
		}
	}
	keys("")
	if w.IntN(3) == 0 {
		keys("mcp_servers.z.")
	} else if w.IntN(3) == 0 {
		w.WriteString("[mcp_servers]" + w.newline)
		keys("")
	}
	for i := range w.IntN(4) {
		blank()
		w.WriteString(fmt.Sprintf(w.one("[t%d]", "[mcp_servers.s%d]", "[ mcp_servers . 'l%d' . env ]", "[[h%d]]", "[profiles.lcm.p%d]"), i) + w.newline)
		keys("")
	}
	return strings.TrimRight(w.String(), w.one("", "\n", "\r\n", " \r\n"))
}

// TestInstallAndUninstall: whatever a configuration holds, the installation leaves every byte of
// it and writes one text more; taking it out restores every byte. Without the backup, everything
// that was there is still there.
func TestInstallAndUninstall(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(11, 7))
	e := newEnvironment(t)
	refused := 0
	for i := range 600 {
		if !testlength.Runs(i / 5) {
			continue
		}
		r := request(t, install.Names()[i%5])
		var content string
		if r.Client.Name == "codex" {
			content = newTOML(random)
		} else {
			content = newJSON(random, r.Client.Name != "claude-code")
		}
		path := configure(t, e, r, content)
		c, err := r.Install(e)
		if err != nil {
			if refused++; hint.Of(err) == "" {
				t.Fatalf("%q: %v", content, err)
			}
			continue
		}
		installed := string(c.After)
		if !isInsertion(content, installed) {
			t.Fatalf("%s: %q became %q", r.Client.Name, content, installed)
		}
		// What Apply does is tested beside this; here it would wait for the disk.
		backup := path + ".lcm-tui-20260302T093000Z.bak"
		write(t, path, installed)
		write(t, backup, content)
		if c, err = r.Uninstall(e); err != nil || c.Removes || string(c.After) != content {
			t.Fatalf("%s: %q became %q, %v", r.Client.Name, content, c.After, err)
		}
		if err := os.Remove(backup); err != nil {
			t.Fatal(err)
		}
		withoutBackup(t, e, r, path, content)
	}
	if refused > 200 {
		t.Errorf("%d of 600 were refused", refused)
	}
}

// isInsertion reports whether a text is another with one text more in it.
func isInsertion(before, after string) bool {
	i := 0
	for i < len(before) && i < len(after) && before[i] == after[i] {
		i++
	}
	rest := before[i:]
	// An empty file becomes an object, of which nothing was there.
	return strings.HasSuffix(after, rest) || strings.Trim(before, "\ufeff \t\r\n") == ""
}

// TestUpdateAndRemove: of an older entry of ours only the command and its arguments change, byte for
// byte. When it is taken out and no backup says what was there before, only blanks, line breaks and
// one comma beside it go with it.
func TestUpdateAndRemove(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 3))
	e := newEnvironment(t)
	for i := range 600 {
		if !testlength.Runs(i / 5) {
			continue
		}
		r := request(t, install.Names()[i%5])
		var before, entry, after string
		args := newArgs
		if r.Client.Name == "codex" {
			before, entry, after = newTOMLWithEntry(random)
			args = strings.ReplaceAll(newArgs, ",", ", ")
		} else {
			before, entry, after = newJSONWithEntry(random, r.Client.Name)
		}
		configure(t, e, r, before+entry+after)
		c, err := r.Install(e)
		if err != nil {
			t.Fatalf("%s: %q: %v", r.Client.Name, before+entry+after, err)
		}
		want := before + strings.NewReplacer(oldCommand, newCommand, oldArgs, args).Replace(entry) + after
		if string(c.After) != want {
			t.Fatalf("%s: %q became %q", r.Client.Name, before+entry+after, c.After)
		}
		c, err = r.Uninstall(e)
		if err != nil {
			t.Fatalf("%s: %q: %v", r.Client.Name, before+entry+after, err)
		}
		rest, commas := string(c.After), strings.Count(before+after, ",")-strings.Count(string(c.After), ",")
		if !c.Removes && (withoutBlanks(rest) != withoutBlanks(before+after) || commas < 0 || commas > 1) {
			t.Fatalf("%s: %q became %q", r.Client.Name, before+entry+after, rest)
		}
	}
}

// withoutBlanks returns a text without blanks, line breaks and commas.
func withoutBlanks(text string) string {
	return strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "", ",", "").Replace(text)
}

// withoutBackup uninstalls where there is no backup: our entry goes, and with it the file if
// that has nothing else.
func withoutBackup(t *testing.T, e install.Environment, r install.Request, path, content string) {
	t.Helper()
	c, err := r.Uninstall(e)
	if err != nil {
		t.Fatalf("%s: %q: %v", r.Client.Name, content, err)
	}
	if c.Removes {
		text := strings.Join(strings.Fields(strings.TrimPrefix(content, "\ufeff")), "")
		if !slices.Contains([]string{"", "{}", `{"mcpServers":{}}`, `{"servers":{}}`}, text) {
			t.Fatalf("%s: %q was removed", r.Client.Name, content)
		}
		return
	}
	write(t, path, string(c.After))
	if _, err := r.Uninstall(e); !errors.Is(err, install.ErrNothing) {
		t.Fatalf("%s: %q became %q: %v", r.Client.Name, content, c.After, err)
	}
}

// FuzzInstall: no content of a file makes the program fail, and what it writes can be taken out.
func FuzzInstall(f *testing.F) {
	for _, x := range examples {
		f.Add(x.client, x.before)
	}
	for _, x := range refusals {
		if len(x.content) < 1000 {
			f.Add(x.client, x.content)
		}
	}
	f.Fuzz(func(t *testing.T, client, content string) {
		if _, ok := install.ClientNamed(client); !ok || client == "openclaw" {
			return
		}
		e, r := newEnvironment(t), request(t, client)
		path := configure(t, e, r, content)
		c, err := r.Install(e)
		if err != nil {
			if read(t, path) != content {
				t.Errorf("refused, but written: %v", err)
			}
			return
		}
		if c.Diff() == "" {
			t.Error("no diff")
		}
		hadEntry := strings.Contains(content, "lcm") || strings.Contains(content, `\u`)
		apply(t, c, nil)
		c, err = r.Uninstall(e)
		apply(t, c, err)
		if !hadEntry && read(t, path) != content {
			t.Errorf("%q became %q", content, read(t, path))
		}
	})
}
