package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine is how long a line on standard input may be, in bytes. A longer one is read to its end, and answered with an error
// under the id that stands in its first or last bytes, so many of which are kept.
const (
	maxLine  = 8 << 20
	lineEnds = 4 << 10
)

// lines stands between the streams of a client and the library's transport, which ends at the first
// line that is no message and at the end of the input. A line that is no message is answered with an
// error here, and the library sees the end of the input only when every request that was read has
// its answer. It also takes arrays of messages from the library, which has them in old protocols only.
type lines struct {
	out  io.Writer
	open sync.WaitGroup // The requests without an answer.

	mu      sync.Mutex // Guards out and what follows.
	waiting map[jsonrpc.ID]*batch
}

// batch is the requests that came in one array, or one request that came alone.
type batch struct {
	array   bool
	left    int
	answers []json.RawMessage
}

// newTransport starts to read. Standard input can't be closed while it is read, and a server that is
// cancelled gives no answers, so the reading goroutine may end with the process only.
func newTransport(in io.Reader, out io.Writer) sdk.Transport {
	l := &lines{out: out, waiting: map[jsonrpc.ID]*batch{}}
	messages, to := io.Pipe()
	go l.read(in, to)
	return &sdk.IOTransport{Reader: messages, Writer: l, MaxLineLength: -1}
}

// read hands over the messages in the lines of a client.
func (l *lines) read(in io.Reader, to *io.PipeWriter) {
	defer to.Close()
	buffered := bufio.NewReaderSize(in, 64<<10)
	for {
		line, isTooLong, err := readLine(buffered)
		if isTooLong {
			l.refuse(idAtEnds(line[:lineEnds], line[len(line)-lineEnds:]), jsonrpc.CodeInvalidRequest, fmt.Sprintf("the line is longer than %d bytes", maxLine))
			line = nil
		}
		for _, text := range l.accept(bytes.TrimSpace(line)) {
			if _, err := to.Write(append(text, '\n')); err != nil { // The library has closed it.
				return
			}
		}
		if err != nil {
			l.open.Wait()
			return
		}
	}
}

// readLine reads a line of any length. One that is too long has lost its middle. The last line may lack its end.
func readLine(r *bufio.Reader) (line []byte, isTooLong bool, err error) {
	for {
		piece, err := r.ReadSlice('\n')
		if line = append(line, piece...); len(line) > maxLine {
			line, isTooLong = append(line[:lineEnds], line[len(line)-lineEnds:]...), true
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, isTooLong, err
		}
	}
}

// accept splits a line into messages: one, or those in an array. What is no message is refused.
func (l *lines) accept(line []byte) (messages []json.RawMessage) {
	if len(line) == 0 {
		return nil
	}
	if !json.Valid(line) {
		l.refuse(nil, jsonrpc.CodeParseError, "the line is not valid JSON")
		return nil
	}
	texts, group := []json.RawMessage{line}, &batch{array: line[0] == '['}
	if group.array {
		if err := json.Unmarshal(line, &texts); err != nil || len(texts) == 0 {
			l.refuse(nil, jsonrpc.CodeInvalidRequest, "the batch is empty")
			return nil
		}
	}
	for _, text := range texts {
		m, err := jsonrpc.DecodeMessage(text)
		switch {
		case err != nil:
			l.refuse(idOf(text), jsonrpc.CodeInvalidRequest, "this is no JSON-RPC 2.0 message: "+err.Error())
		case !keepsID(text, m):
			l.refuse(idOf(text), jsonrpc.CodeInvalidRequest, badID)
		case l.register(m, group):
			messages = append(messages, text)
		}
	}
	return messages
}

// methodListen is a request that is answered when the client ends it, which nothing waits for.
const methodListen = "subscriptions/listen"

// register notes that a request waits for its answer. It refuses one whose id another has that
// still waits.
func (l *lines) register(m jsonrpc.Message, group *batch) bool {
	request, ok := m.(*jsonrpc.Request)
	if !ok || !request.IsCall() || request.Method == methodListen {
		return true
	}
	l.mu.Lock()
	_, taken := l.waiting[request.ID]
	if !taken {
		l.waiting[request.ID] = group
		group.left++
		l.open.Add(1)
	}
	l.mu.Unlock()
	if taken {
		l.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the id %v is that of a request that still waits for its answer", request.ID.Raw()))
	}
	return !taken
}

// Write takes a message of the library, which it writes in one call. The answers to a batch go out
// together.
func (l *lines) Write(line []byte) (n int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m, _ := jsonrpc.DecodeMessage(line) // It was encoded a moment ago.
	answer, ok := m.(*jsonrpc.Response)
	if !ok || l.waiting[answer.ID] == nil {
		return l.out.Write(line)
	}
	defer l.open.Done()
	group := l.waiting[answer.ID]
	delete(l.waiting, answer.ID)
	group.left--
	if !group.array {
		return l.out.Write(line)
	}
	group.answers = append(group.answers, bytes.Clone(line))
	if group.left > 0 {
		return len(line), nil
	}
	all, _ := json.Marshal(group.answers) // They are JSON.
	_, err = l.out.Write(append(all, '\n'))
	return len(line), err
}

// Close leaves the output open for the errors of lines that are no messages.
func (*lines) Close() error { return nil }

// refuse answers what is no message with an error. The id is nil where none is known.
func (l *lines) refuse(id any, code int64, message string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = l.out.Write(errorAnswer(id, code, message)) // The next answer meets the same error and reports it.
}
