package mcp

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// notFound says that there is no resource at an address. The library's error writes the address
// as Go quotes it, which is no JSON where it holds control characters.
func notFound(uri string) error {
	data, _ := json.Marshal(map[string]string{"uri": uri}) // It is text.
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Resource not found", Data: data}
}

// encodable makes errors of the library that can't be sent ones that can: a message that can't be
// encoded ends the connection, with the answers of all other requests.
func encodable(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, r)
		var failed *jsonrpc.Error
		if !errors.As(err, &failed) || len(failed.Data) == 0 || json.Valid(failed.Data) {
			return result, err
		}
		if read, ok := r.GetParams().(*sdk.ReadResourceParams); ok && failed.Code == jsonrpc.CodeInvalidParams {
			return result, notFound(read.URI)
		}
		return result, &jsonrpc.Error{Code: failed.Code, Message: failed.Message}
	}
}
