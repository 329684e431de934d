package prompts

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escaper is a function of templates that escapes its arguments as one text.
func escaper(escape func(string) string) func([]any) (any, error) {
	return func(args []any) (any, error) {
		values := make([]any, len(args))
		for i, v := range args {
			values[i] = printable(v)
		}
		return escape(fmt.Sprint(values...)), nil
	}
}

// htmlReplacer has the spellings of text/template, which differ from those of package html.
var htmlReplacer = strings.NewReplacer("\x00", "\uFFFD", `"`, "&#34;", "'", "&#39;", "&", "&amp;", "<", "&lt;", ">", "&gt;")

// escapeHTML is a text that HTML shows as it is.
func escapeHTML(s string) string { return htmlReplacer.Replace(s) }

// escapeQuery is a text in a query of a URL.
func escapeQuery(s string) string { return url.QueryEscape(s) }

// escapeJavaScript is a text within a string of JavaScript.
func escapeJavaScript(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '\\' || r == '\'' || r == '"':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || strings.ContainsRune("<>&=", r) || r >= utf8.RuneSelf && !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\u%04X`, r)
		case r == utf8.RuneError:
			_, size := utf8.DecodeRuneInString(s[i:])
			b.WriteString(s[i : i+size]) // A byte that is no UTF-8 stays.
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
