package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"lcm-tui/internal/lazyregexp"
)

// badID is what is said of an id under which the library would not answer.
const badID = "an id is a text, or a whole number below 2^53"

// idOf returns the id in a text that is no message otherwise, or null.
func idOf(text []byte) any {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(text, &m) // Without an id the answer has none.
	var number json.Number
	var words string
	if json.Unmarshal(m.ID, &words) == nil || json.Unmarshal(m.ID, &number) == nil {
		return m.ID
	}
	return nil
}

// keepsID reports whether the library answers a request under the id that it has. It reads numbers as JavaScript does and
// cuts off what stands behind the point, so that an answer would belong to another request.
func keepsID(text []byte, m jsonrpc.Message) bool {
	request, ok := m.(*jsonrpc.Request)
	if !ok || !request.IsCall() {
		return true
	}
	id, ok := request.ID.Raw().(int64)
	if !ok {
		return true
	}
	const tooLarge = 1 << 53 // Also what the next whole number becomes.
	given, _ := idOf(text).(json.RawMessage)
	value, err := strconv.ParseFloat(string(given), 64)
	return err == nil && value == float64(id) && -tooLarge < id && id < tooLarge
}

// Where clients write the id of a request: before its parameters, or behind them.
var (
	idBefore = lazyregexp.New(`^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*("[^"\\]*"|-?\d{1,15})\s*,`)
	idBehind = lazyregexp.New(`,\s*"id"\s*:\s*("[^"\\]*"|-?\d{1,15})(?:\s*,\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*")*\s*\}\s*$`)
)

// idAtEnds returns the id of a request of which only the beginning and the end are known, or null.
func idAtEnds(start, end []byte) any {
	for _, found := range [][][]byte{idBefore.FindSubmatch(start), idBehind.FindSubmatch(end)} {
		if found != nil {
			return json.RawMessage(found[1])
		}
	}
	return nil
}

// errorAnswer returns an answer that is an error. The id is nil where none is known.
func errorAnswer(id any, code int64, message string) []byte {
	text, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": message}})
	return append(text, '\n')
}

// messagesIn returns the messages of an array, or the one that a text is.
func messagesIn(text []byte) (messages []json.RawMessage) {
	if json.Unmarshal(text, &messages) != nil {
		return []json.RawMessage{text}
	}
	return messages
}

// checkIDs answers requests that the library would answer under another id, and bodies that break off. It hands on all others.
func checkIDs(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		refuse := func(status int, id any, code int64, message string) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = w.Write(errorAnswer(id, code, message)) // Who has gone reads no answer.
		}
		body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1)) // The library says what is too long.
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			refuse(http.StatusRequestTimeout, nil, jsonrpc.CodeInvalidRequest, "the request did not come to its end within "+bodyTimeout.String())
			return
		case err != nil:
			refuse(http.StatusBadRequest, nil, jsonrpc.CodeInvalidRequest, "the request broke off")
			return
		}
		for _, text := range messagesIn(body) {
			if m, err := jsonrpc.DecodeMessage(text); err == nil && !keepsID(text, m) {
				refuse(http.StatusBadRequest, idOf(text), jsonrpc.CodeInvalidRequest, badID)
				return
			}
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}
