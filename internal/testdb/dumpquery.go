package testdb

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
)

// query selects the rows of a table in an order that only the data decides.
func (t table) query(db *sql.DB) (string, error) {
	name := t.name
	if t.search {
		name += "_content"
	}
	var cols, keys []string
	rows, err := db.QueryContext(context.Background(), "SELECT name, pk FROM pragma_table_info(?)", name)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	for rows.Next() {
		var c string
		var pk int
		if err := rows.Scan(&c, &pk); err != nil {
			return "", err
		}
		cols = append(cols, quoted(c))
		if pk > 0 {
			keys = append(keys, quoted(c))
		}
	}
	if t.search {
		return t.searchQuery(cols), rows.Err()
	}
	if len(keys) == 0 {
		keys = cols
	}
	return "SELECT " + strings.Join(cols, ", ") + " FROM " + quoted(name) + " ORDER BY " + strings.Join(keys, ", "), rows.Err()
}

// searchQuery selects the documents of a search table. Only where the row number says
// which message it is does it belong to the data.
func (t table) searchQuery(cols []string) string {
	if len(cols) > 2 {
		cols = cols[1:]
	}
	return "SELECT " + strings.Join(cols, ", ") + ", (SELECT sz FROM " + quoted(t.name+"_docsize") + " d WHERE d.id = c.id) AS sz FROM " +
		quoted(t.name+"_content") + " c ORDER BY " + strings.Join(cols, ", ")
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// appendValue writes a value so that its storage class is plain.
func appendValue(text []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(text, "NULL"...)
	case string:
		return strconv.AppendQuote(text, v)
	case []byte:
		return fmt.Appendf(text, "x'%x'", v)
	case int64:
		return strconv.AppendInt(text, v, 10)
	case float64:
		return strconv.AppendFloat(text, v, 'e', -1, 64)
	}
	return fmt.Append(text, v)
}
