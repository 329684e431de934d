package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine is how long a line on standard input may be, in bytes. A longer one is read to its end,
// forgotten and answered with an error.
const maxLine = 8 << 20

// lines is a transport of one message a line. It differs from the library's in what it does with
// bad input and at the end: a line that is no message is answered with an error and doesn't end
// the connection, and the end of the input is reported only when every request that was read
// has its answer.
type lines struct {
	in  io.Reader
	out io.Writer
}

// Connect starts to read.
func (l *lines) Connect(context.Context) (sdk.Connection, error) {
	c := &lineConnection{out: l.out, incoming: make(chan []byte), closed: make(chan struct{}), answered: make(chan struct{}, 1), waiting: map[jsonrpc.ID]*batch{}}
	go c.readLines(l.in)
	return c, nil
}

// lineConnection is the connection of a lines transport.
type lineConnection struct {
	out      io.Writer
	incoming chan []byte   // The lines; closed at the end of the input.
	closed   chan struct{} // Closed by Close.
	answered chan struct{} // Gets a value when the last waiting request has its answer.
	queue    []jsonrpc.Message
	once     sync.Once

	mu      sync.Mutex // Guards out and what follows.
	waiting map[jsonrpc.ID]*batch
}

// batch is the requests that came in one array, or one request that came alone.
type batch struct {
	array   bool
	left    int
	answers []json.RawMessage
}

// SessionID is empty: there is one session.
func (*lineConnection) SessionID() string { return "" }

// Close ends a Read that waits. Standard input can't be closed while it is read, so the reading
// goroutine ends with the process.
func (c *lineConnection) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

// readLines hands over the lines of r, without those that are blank.
func (c *lineConnection) readLines(r io.Reader) {
	defer close(c.incoming)
	buffered := bufio.NewReaderSize(r, 64<<10)
	for {
		line, tooLong, err := readLine(buffered)
		switch {
		case tooLong:
			c.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the line is longer than %d bytes", maxLine))
		case len(bytes.TrimSpace(line)) > 0:
			select {
			case c.incoming <- line:
			case <-c.closed:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// readLine reads a line of any length and keeps it unless it is too long. The last line may
// lack its end.
func readLine(r *bufio.Reader) (line []byte, tooLong bool, err error) {
	for {
		piece, err := r.ReadSlice('\n')
		if len(line)+len(piece) > maxLine {
			line, tooLong = nil, true
		}
		if !tooLong {
			line = append(line, piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}

// Read gives the next message. A line that is none is answered here.
func (c *lineConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if len(c.queue) > 0 {
			next := c.queue[0]
			c.queue = c.queue[1:]
			return next, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case line, ok := <-c.incoming:
			if !ok {
				return nil, c.drain(ctx)
			}
			c.queue = c.accept(line)
		}
	}
}

// drain waits until every request has its answer, and then reports the end of the input.
func (c *lineConnection) drain(ctx context.Context) error {
	for {
		c.mu.Lock()
		n := len(c.waiting)
		c.mu.Unlock()
		if n == 0 {
			return io.EOF
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.closed:
			return io.EOF
		case <-c.answered:
		}
	}
}

// accept decodes a line: one message, or an array of them. What is no message is refused.
func (c *lineConnection) accept(line []byte) []jsonrpc.Message {
	if !json.Valid(line) {
		c.refuse(nil, jsonrpc.CodeParseError, "the line is not valid JSON")
		return nil
	}
	texts, group := []json.RawMessage{line}, &batch{}
	if bytes.HasPrefix(bytes.TrimSpace(line), []byte("[")) {
		group.array = true
		if err := json.Unmarshal(line, &texts); err != nil || len(texts) == 0 {
			c.refuse(nil, jsonrpc.CodeInvalidRequest, "the batch is empty")
			return nil
		}
	}
	var out []jsonrpc.Message
	for _, text := range texts {
		m, err := jsonrpc.DecodeMessage(text)
		if err != nil {
			c.refuse(idOf(text), jsonrpc.CodeInvalidRequest, "this is no JSON-RPC 2.0 message: "+err.Error())
			continue
		}
		if c.register(m, group) {
			out = append(out, m)
		}
	}
	return out
}

// idOf is the id in a text that is no message otherwise, or null.
func idOf(text []byte) any {
	var m struct {
		ID any `json:"id"`
	}
	_ = json.Unmarshal(text, &m) // Without an id the answer has none.
	switch m.ID.(type) {
	case string, float64:
		return m.ID
	}
	return nil
}

// methodListen is a request that is answered when the client ends it, which nothing waits for.
const methodListen = "subscriptions/listen"

// register notes that a request waits for its answer. It refuses one whose id another has that
// still waits.
func (c *lineConnection) register(m jsonrpc.Message, group *batch) bool {
	request, ok := m.(*jsonrpc.Request)
	if !ok || !request.IsCall() || request.Method == methodListen {
		return true
	}
	c.mu.Lock()
	_, taken := c.waiting[request.ID]
	if !taken {
		c.waiting[request.ID] = group
		group.left++
	}
	c.mu.Unlock()
	if taken {
		c.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the id %v is that of a request that still waits for its answer", request.ID.Raw()))
	}
	return !taken
}

// Write sends a message. The answers to a batch go out together.
func (c *lineConnection) Write(_ context.Context, m jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	answer, ok := m.(*jsonrpc.Response)
	if !ok {
		return c.writeLine(text)
	}
	group := c.waiting[answer.ID]
	if group == nil {
		return c.writeLine(text)
	}
	group.answers = append(group.answers, text)
	if group.left--; group.left == 0 && group.array {
		if text, err = json.Marshal(group.answers); err != nil {
			return fmt.Errorf("encode batch: %w", err)
		}
	}
	if group.left == 0 {
		err = c.writeLine(text)
	}
	delete(c.waiting, answer.ID)
	if len(c.waiting) == 0 {
		select {
		case c.answered <- struct{}{}:
		default: // Nobody has looked at the last one yet.
		}
	}
	return err
}

// refuse answers what is no message with an error. The id is nil where none is known.
func (c *lineConnection) refuse(id any, code int64, message string) {
	text, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": message}})
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.writeLine(text) // The next answer meets the same error and reports it.
}

// writeLine writes a line in one call; the lock is held.
func (c *lineConnection) writeLine(text []byte) error {
	_, err := c.out.Write(append(text, '\n'))
	return err
}
