package secrets

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data"
	"lcm-tui/engine/redact"
)

// surroundingBytes is how much text is shown before a secret and behind it.
const surroundingBytes = 160

// Surroundings returns the text around a secret, with every secret in it masked. It is empty where the text isn't that of a
// cell with a key of one column, or doesn't hold the secret any more.
func (r Request) Surroundings(ctx context.Context, db *data.DB, f Finding) (string, error) {
	key := db.Schema().Key(f.Table)
	if f.File != "" || len(key) != 1 {
		return "", nil
	}
	var value any = f.Key
	if n, err := strconv.ParseInt(f.Key, 10, 64); err == nil {
		value = n
	}
	rows, err := data.ImagesIn(ctx, db, f.Table, key[0], []any{value}, f.Column)
	if err != nil || len(rows) != 1 {
		return "", err
	}
	return around(data.CellText(rows[0][f.Column]), r.scanner(), f), nil
}

// around returns the text around a finding.
func around(text string, scanner *redact.Scanner, f Finding) string {
	all := scanner.Scan(text)
	at := slices.IndexFunc(all, func(o redact.Finding) bool { return o.Secret.Masked() == f.Masked && o.Secret.Len() == f.Length })
	if at < 0 {
		return ""
	}
	from, to := max(0, all[at].Start-surroundingBytes), min(len(text), all[at].End+surroundingBytes)
	for _, o := range all { // A cut secret would be one that nobody masks.
		if o.Start < from && from < o.End {
			from = o.End
		}
		if o.Start < to && to < o.End {
			to = o.Start
		}
	}
	var b strings.Builder
	if from > 0 {
		b.WriteString("…")
	}
	end := from
	for _, o := range all {
		if o.Start >= from && o.End <= to {
			b.WriteString(text[end:o.Start] + o.Secret.Masked())
			end = o.End
		}
	}
	b.WriteString(text[end:to])
	if to < len(text) {
		b.WriteString("…")
	}
	return strings.ToValidUTF8(b.String(), "")
}
