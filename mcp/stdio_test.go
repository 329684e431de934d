package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/mcp"
)

// serve gives the whole input to a server over a pipe and returns the lines of its output.
func serve(t *testing.T, o mcp.Options, input string) (answers []reply) {
	t.Helper()
	in, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	go func() {
		_, _ = io.WriteString(write, input)
		_ = write.Close()
	}()
	var out strings.Builder
	if err := mcp.New(o).Serve(t.Context(), in, &out); err != nil {
		t.Errorf("at the end of the input: %v", err)
	}
	for line := range strings.Lines(out.String()) {
		var r reply
		if err := json.Unmarshal([]byte(line), &r); err != nil || r.Version != "2.0" {
			t.Errorf("a line of the output is no message: %q (%v)", line, err)
		}
		answers = append(answers, r)
	}
	return answers
}

// reply is a line of output.
type reply struct {
	Version string `json:"jsonrpc"`
	ID      any    `json:"id"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	Result struct {
		Protocol string                  `json:"protocolVersion"`
		Versions []string                `json:"supportedVersions"`
		Content  []struct{ Text string } `json:"content"`
		IsError  bool                    `json:"isError"`
	} `json:"result"`
}

// handshake begins a session of the older protocol.
const handshake = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"` + handshakeVersion + `","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// request returns a line of the older protocol.
func request(id any, method, params string) string {
	text, _ := json.Marshal(id)
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`+"\n", text, method, params)
}

// status returns a call that needs the database.
func status(id any) string { return request(id, "tools/call", `{"name":"lcm_status","arguments":{}}`) }

// find returns the answer with an id, which has to be there once.
func find(t *testing.T, all []reply, id any) (found reply) {
	t.Helper()
	n := 0
	for _, r := range all {
		if fmt.Sprint(r.ID) == fmt.Sprint(id) {
			found = r
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d answers have the id %v", n, id)
	}
	return found
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	const nameless = "<nil>"
	for name, c := range map[string]struct {
		input string
		id    any // Of the error.
		code  int
	}{
		"half a line in the middle":       {`{"jsonrpc":"2.0","id":1,"meth` + "\n", nameless, -32700},
		"not JSON":                        {"hello\n", nameless, -32700},
		"NUL":                             {"\x00\n", nameless, -32700},
		"broken UTF-8":                    {"\xff\xfe\n", nameless, -32700},
		"an array without messages":       {"[]\n", nameless, -32600},
		"a number":                        {"5\n", nameless, -32600},
		"no version":                      {`{"id":7,"method":"ping"}` + "\n", 7, -32600},
		"a method that is no text":        {`{"jsonrpc":"2.0","id":7,"method":5}` + "\n", 7, -32600},
		"a resource with escape codes":    {handshake + `{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"lcm://summary/sum_\u001b[31m\u0007\n"}}` + "\n", 7, -32602},
		"an address that is none of ours": {handshake + `{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"\u0000\u001b\u2028"}}` + "\n", 7, -32602},
		"an id that is a list":            {`{"jsonrpc":"2.0","id":[1],"method":"ping"}` + "\n", nameless, -32600},
		"an id with a fraction":           {handshake + request(1.5, "ping", "{}"), 1.5, -32600},
		"an id that is too large":         {handshake + request(1e20, "ping", "{}"), 1e20, -32600},
		"an id that floats don't hold":    {handshake + `{"jsonrpc":"2.0","id":9007199254740995,"method":"ping"}` + "\n", 9007199254740996.0, -32600},
		"an id that becomes 2^53":         {handshake + `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}` + "\n", 9007199254740992.0, -32600},
		"a prompt without its argument":   {handshake + request(7, "prompts/get", `{"name":"recall"}`), 7, -32602},
		"an unknown method":               {request(7, "nope", "{}"), 7, -32601},
		"an unknown tool":                 {request(7, "tools/call", `{"name":"nope"}`), 7, -32602},
		"parameters that are a list":      {request(7, "tools/call", `[1]`), 7, -32602},
		"an unknown protocol version": {
			request(7, "tools/list", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}`), 7, -32022,
		},
		"a line of 9 MB":                {strings.Repeat(" ", 9<<20) + request(7, "ping", "{}"), nameless, -32600},
		"a line of 9 MB behind its id":  {`{"jsonrpc":"2.0","id":"x7","method":"ping","params":{"a":"` + strings.Repeat("y", 9<<20) + "\"}}\n", "x7", -32600},
		"a line of 9 MB before its id":  {`{"method":"ping","params":{"a":{"id":5,"b":"` + strings.Repeat("y", 9<<20) + `"}},"jsonrpc":"2.0","id":7}` + "\n", 7, -32600},
		"a line of 9 MB with other ids": {`{"method":"ping","params":{"id":5,"b":"` + strings.Repeat("y", 9<<20) + `","id":6}}` + "\n", nameless, -32600},
		"deeply nested":                 {strings.Repeat("[", 100_000) + "\n", nameless, -32700},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := serve(t, options(path), handshake+c.input+status("after"))
			if bad := find(t, all, c.id); bad.Error == nil || bad.Error.Code != c.code {
				t.Errorf("answered %+v, want the error %d", bad.Error, c.code)
			}
			if r := find(t, all, "after"); r.Error != nil || r.Result.IsError {
				t.Errorf("the call after it: %+v", r)
			}
		})
	}
}

func TestInputEndsEarly(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	if all := serve(t, options(path), ""); len(all) != 0 {
		t.Errorf("without input it says %v", all)
	}
	if all := serve(t, options(path), "\n \r\n"); len(all) != 0 {
		t.Errorf("to blank lines it says %v", all)
	}
	all := serve(t, options(path), handshake+status(1)+`{"jsonrpc":"2.0","id":2,"method":"tools/ca`)
	if r := find(t, all, 1); len(r.Result.Content) != 1 || r.Result.IsError {
		t.Errorf("the call before half a line: %+v", r)
	}
	all = serve(t, options(path), handshake+strings.TrimSuffix(status(1), "\n"))
	if r := find(t, all, 1); len(r.Result.Content) != 1 {
		t.Errorf("a last line without an end: %+v", r)
	}
	all = serve(t, options(path), request(1, "subscriptions/listen", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"notifications":{}}`))
	for _, r := range all {
		if r.Error != nil && r.Error.Code == -32603 {
			t.Errorf("a subscription at the end: %+v", r.Error)
		}
	}
}

func TestCallBeforeHandshake(t *testing.T) {
	t.Parallel()
	all := serve(t, options(testdb.Sample(t, fakehost.Head)), status(1)+handshake+status(2))
	if r := find(t, all, 1); r.Error == nil {
		t.Errorf("a call without version or handshake was answered: %+v", r)
	}
	if r := find(t, all, 2); len(r.Result.Content) != 1 {
		t.Errorf("the call behind the handshake: %+v", r)
	}
}

func TestLongLine(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	input := handshake + request(1, "tools/call", `{"name":"lcm_conversations","arguments":{"filter":"`+strings.Repeat("x", 5<<20)+`"}}`) + status(2)
	all := serve(t, options(testdb.Sample(t, fakehost.Head)), input)
	for _, id := range []int{1, 2} {
		if r := find(t, all, id); len(r.Result.Content) != 1 || len(r.Result.Content[0].Text) > 20_000 {
			t.Errorf("call %d: %+v", id, r.Error)
		}
	}
}

func TestManyCallsAtOnce(t *testing.T) {
	t.Parallel()
	const calls = 100
	var input strings.Builder
	input.WriteString(handshake)
	for i := range calls {
		input.WriteString(request(i, "tools/call", `{"name":"lcm_conversations","arguments":{}}`))
	}
	all := serve(t, options(testdb.Sample(t, fakehost.Head)), input.String())
	if len(all) != calls+1 {
		t.Errorf("%d answers to %d requests", len(all), calls+1)
	}
	for i := range calls {
		if r := find(t, all, i); r.Result.IsError || len(r.Result.Content) != 1 {
			t.Errorf("call %d: %+v", i, r)
		}
	}
}

func TestBatch(t *testing.T) {
	t.Parallel()
	in := strings.NewReader(handshake + `[{"jsonrpc":"2.0","method":"notifications/initialized"},` + strings.TrimSpace(status(1)) + "," + strings.TrimSpace(request(2, "ping", "{}")) + "]\n")
	var out strings.Builder
	if err := mcp.New(options(testdb.Sample(t, fakehost.Head))).Serve(t.Context(), in, &out); err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(out.String(), "\n")
	var both []reply
	if err := json.Unmarshal([]byte(line), &both); err != nil || len(both) != 2 {
		t.Errorf("the answers to a batch: %v: %s", err, line)
	}
	out.Reset()
	in = strings.NewReader("[" + strings.TrimSpace(request(1, "ping", "{}")) + "," + strings.TrimSpace(request(1, "ping", "{}")) + "]\n")
	if err := mcp.New(options("none")).Serve(t.Context(), in, &out); err != nil || !strings.Contains(out.String(), "still waits for its answer") {
		t.Errorf("two requests with one id: %v: %s", err, out.String())
	}
}

func TestAnswersInFlightSurviveTheEndOfTheInput(t *testing.T) {
	t.Parallel()
	path, opening := testdb.Sample(t, fakehost.Head), make(chan struct{})
	o := options(path)
	open := o.Open
	o.Open = func(ctx context.Context) (*data.DB, error) {
		<-opening // Until the input has ended.
		return open(ctx)
	}
	in := &endedReader{Reader: strings.NewReader(handshake + status(1) + status(2)), ended: func() { close(opening) }}
	var out strings.Builder
	if err := mcp.New(o).Serve(t.Context(), in, &out); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "## LCM Status"); n != 2 {
		t.Errorf("%d of 2 calls have an answer: %s", n, out.String())
	}
}

// endedReader reports that its end was read.
type endedReader struct {
	io.Reader
	ended func()
	once  sync.Once
}

func (r *endedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		r.once.Do(func() { time.AfterFunc(0, r.ended) })
	}
	return n, err
}

// TestClientIsGone: the server ends when nobody reads its answers any more, whether its input has
// ended or not and however many answers are open.
func TestClientIsGone(t *testing.T) {
	t.Parallel()
	input := handshake + request(1, "ping", "{}") + request(2, "ping", "{}")
	in, write := io.Pipe()
	defer write.Close()
	go func() { _, _ = io.WriteString(write, input) }()
	for _, in := range []io.Reader{strings.NewReader(input), in} {
		read, out := io.Pipe()
		if err := read.Close(); err != nil {
			t.Fatal(err)
		}
		if err := mcp.New(options("none")).Serve(t.Context(), in, out); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("ended with %v", err)
		}
	}
}

func TestCancelledServerEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	in, write := io.Pipe()
	defer write.Close()
	ended := make(chan error)
	go func() { ended <- mcp.New(options(testdb.Sample(t, fakehost.Head))).Serve(ctx, in, io.Discard) }()
	if _, err := io.WriteString(write, handshake); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}
