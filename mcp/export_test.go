package mcp

// CutText returns a text within the limit of a client, with the rows that begin with a prefix.
func CutText(text, rowPrefix, client string, maxChars int) string {
	a := answer{text: text, narrower: "ask for less"}
	if rowPrefix != "" {
		a.isRow = func(line string) bool { return len(line) >= len(rowPrefix) && line[:len(rowPrefix)] == rowPrefix }
	}
	return a.cut(limitOf(client, maxChars))
}
