package openclaw

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"lcm-tui/internal/lazyregexp"
	"lcm-tui/internal/regularfile"
)

var variable = lazyregexp.New(`\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

// substitute replaces ${NAME} in every text of a value. What isn't set is left as
// it is, so that it shows.
func substitute(v any, env Getenv) any {
	switch v := v.(type) {
	case string:
		return variable.ReplaceAllStringFunc(v, func(m string) string {
			if value := env(m[2 : len(m)-1]); value != "" {
				return value
			}
			return m
		})
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = substitute(e, env)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = substitute(e, env)
		}
		return out
	}
	return v
}

// Substitute replaces ${NAME} in every text of a value, as hosts do. What isn't set is left as it is.
func Substitute(v any, env Getenv) any { return substitute(v, env) }

// readDotEnv reads NAME=value lines, as a shell would set them.
func readDotEnv(path string) (map[string]string, error) {
	b, err := regularfile.Read(path, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read variables: %w", err)
	}
	vars := map[string]string{}
	for line := range strings.Lines(string(b)) { // However long it is.
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		name, value, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		vars[strings.TrimSpace(name)] = unquote(strings.TrimSpace(value))
	}
	return vars, nil
}

func unquote(s string) string {
	for _, q := range []string{`"`, `'`} {
		if len(s) >= 2 && strings.HasPrefix(s, q) && strings.HasSuffix(s, q) {
			return s[1 : len(s)-1]
		}
	}
	return s
}

// hostVariables returns env.vars, and what stands in env itself.
func hostVariables(env map[string]any) map[string]string {
	vars := map[string]string{}
	inner, _ := env["vars"].(map[string]any)
	for _, from := range []map[string]any{env, inner} {
		for name, v := range from {
			if s, ok := v.(string); ok {
				vars[name] = s
			}
		}
	}
	return vars
}

// maxFile is how many bytes of a file of settings are read.
const maxFile = 64 << 20
