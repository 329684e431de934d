package translate_test

import (
	"errors"
	"strings"
	"testing"

	"lcm-tui/data/postgres/translate"
)

// tables has a table t, one with cells that a column can't hold, and what SQLite says of the columns of t.
func tables(name string) (translate.Table, bool) {
	switch name {
	case "t":
		return translate.Table{Query: "(T)"}, true
	case "odd":
		return translate.Table{Query: "(ODD)", Odd: []string{"content"}}, true
	case "filled":
		return translate.Table{Query: "(F)", NeverNull: []string{"a"}}, true
	case "timed":
		return translate.Table{Query: "(M)", Times: []string{"at"}}, true
	case "numbered":
		return translate.Table{Query: "(N)", HasNumber: true}, true
	case "pragma_table_info(t)":
		return translate.Table{Query: "(COLUMNS)"}, true
	}
	return translate.Table{}, false
}

// meanings are statements of SQLite and what they are in PostgreSQL.
var meanings = map[string]string{
	"SELECT [a], `b`, \"c\" FROM t":                                              `SELECT "a", "b", "c" FROM (T) AS "t"`,
	"SELECT x.a FROM main.t AS x -- all":                                         `SELECT "x"."a" FROM (T) AS "x"`,
	"SELECT a FROM t WHERE a = ? AND b = ?":                                      `SELECT "a" FROM (T) AS "t" WHERE (("a" = $1) AND ("b" = $2))`,
	"SELECT a FROM t WHERE a = ?2 OR b = ?1":                                     `SELECT "a" FROM (T) AS "t" WHERE (("a" = $2) OR ("b" = $1))`,
	"SELECT a FROM t WHERE 1 AND 0":                                              `SELECT "a" FROM (T) AS "t" WHERE (true AND false)`,
	"SELECT a IS b, a IS NOT b, a IS NULL FROM t":                                `SELECT CAST(CAST(("a" IS NOT DISTINCT FROM "b") AS integer) AS bigint), CAST(CAST(("a" IS DISTINCT FROM "b") AS integer) AS bigint), CAST(CAST(("a" IS NULL) AS integer) AS bigint) FROM (T) AS "t"`,
	"SELECT a FROM t WHERE active":                                               `SELECT "a" FROM (T) AS "t" WHERE ("active" <> 0)`,
	"SELECT a FROM t ORDER BY a, b DESC":                                         `SELECT "a" FROM (T) AS "t" ORDER BY "a" NULLS FIRST, "b" DESC NULLS LAST`,
	"SELECT a FROM t ORDER BY 1 LIMIT 5 OFFSET 2":                                `SELECT "a" FROM (T) AS "t" ORDER BY 1 NULLS FIRST LIMIT 5 OFFSET 2`,
	"SELECT a FROM t LIMIT -1":                                                   `SELECT "a" FROM (T) AS "t" LIMIT NULL`,
	"SELECT a FROM numbered ORDER BY a":                                          `SELECT "a" FROM (N) AS "numbered" ORDER BY "a" NULLS FIRST, "numbered"."rowid"`,
	"SELECT a FROM numbered n, t":                                                `SELECT "a" FROM (N) AS "n" CROSS JOIN (T) AS "t" ORDER BY "n"."rowid"`,
	"SELECT max(a) FROM numbered":                                                `SELECT max("a") FROM (N) AS "numbered"`,
	"SELECT DISTINCT a FROM numbered ORDER BY a":                                 `SELECT DISTINCT "a" FROM (N) AS "numbered" ORDER BY "a" NULLS FIRST`,
	"SELECT a FROM t CROSS JOIN t u ON u.a = t.a":                                `SELECT "a" FROM (T) AS "t" JOIN (T) AS "u" ON ("u"."a" = "t"."a")`,
	"SELECT a FROM t JOIN t u":                                                   `SELECT "a" FROM (T) AS "t" CROSS JOIN (T) AS "u"`,
	"SELECT a FROM (SELECT a FROM t)":                                            `SELECT "a" FROM (SELECT "a" FROM (T) AS "t") AS "unnamed 1"`,
	"SELECT a FROM t WHERE a LIKE 'x\\%' ESCAPE '\\'":                            `SELECT "a" FROM (T) AS "t" WHERE (CAST("a" AS text) COLLATE "C" ILIKE 'x\%' ESCAPE '\')`,
	"SELECT a FROM t WHERE a LIKE 'x%'":                                          `SELECT "a" FROM (T) AS "t" WHERE (CAST("a" AS text) COLLATE "C" ILIKE 'x%' ESCAPE '')`,
	"SELECT a FROM t WHERE a GLOB 'mcp_*?'":                                      `SELECT "a" FROM (T) AS "t" WHERE (CAST("a" AS text) LIKE 'mcp#_%_' ESCAPE '#')`,
	"SELECT lower(a), instr(a, 'x') FROM t":                                      `SELECT lower(CAST("a" AS text) COLLATE "C"), CAST(strpos(CAST("a" AS text), 'x') AS bigint) FROM (T) AS "t"`,
	"SELECT length(CAST(a AS BLOB)) FROM t":                                      `SELECT CAST(octet_length(CAST("a" AS text)) AS bigint) FROM (T) AS "t"`,
	"SELECT substr(CAST(a AS BLOB), 1, 9) FROM t":                                `SELECT substr(convert_to(CAST("a" AS text), 'UTF8'), CAST(1 AS integer), CAST(9 AS integer)) FROM (T) AS "t"`,
	"SELECT substr(a, -2) FROM t":                                                `SELECT substr(CAST("a" AS text), (CASE WHEN CAST((-2) AS integer) < 0 THEN length(CAST("a" AS text)) + 1 + CAST((-2) AS integer) ELSE CAST((-2) AS integer) END)) FROM (T) AS "t"`,
	"SELECT max(coalesce(a, 0), 1) FROM t":                                       `SELECT greatest(coalesce("a", 0), 1) FROM (T) AS "t"`, // Never NULL.
	"SELECT ifnull(a, 0), max(a, 1) FROM t":                                      `SELECT coalesce("a", 0), (CASE WHEN "a" IS NULL THEN NULL ELSE greatest("a", 1) END) FROM (T) AS "t"`,
	"SELECT trim(a, char(9, 10)) FROM t":                                         `SELECT btrim(CAST("a" AS text), CAST((chr(CAST(9 AS integer)) || chr(CAST(10 AS integer)) || '') AS text)) FROM (T) AS "t"`,
	"SELECT row_number() OVER (ORDER BY a) AS n, count(*) OVER () FROM t":        `SELECT row_number() OVER (ORDER BY "a" NULLS FIRST) AS "n", count(*) OVER () FROM (T) AS "t"`,
	"SELECT count(*) FILTER (WHERE a) FROM t":                                    `SELECT count(*) FILTER (WHERE ("a" <> 0)) FROM (T) AS "t"`,
	"SELECT EXISTS (SELECT 1 FROM t)":                                            `SELECT CAST(CAST((EXISTS (SELECT 1 FROM (T) AS "t")) AS integer) AS bigint)`,
	"WITH c AS (SELECT a FROM t) SELECT a FROM t WHERE a IN c":                   `WITH RECURSIVE "c" AS (SELECT "a" FROM (T) AS "t") SELECT "a" FROM (T) AS "t" WHERE ("a" IN (SELECT * FROM "c"))`,
	"SELECT a FROM t WHERE a IN (SELECT value FROM json_each(?3))":               `SELECT "a" FROM (T) AS "t" WHERE ("a" IN (SELECT "value" FROM (SELECT CAST(list.value AS bigint) AS "value", list.place - 1 AS "key" FROM json_array_elements_text(CAST($3 AS json)) WITH ORDINALITY AS list(value, place)) AS "json_each"))`,
	"SELECT a FROM t WHERE a IN (SELECT value FROM json_each(?4))":               `SELECT "a" FROM (T) AS "t" WHERE (($4 IS NULL AND false))`,
	"SELECT name FROM pragma_table_info('t')":                                    `SELECT "name" FROM (COLUMNS) AS "pragma_table_info"`,
	"SELECT content, length(CAST(content AS BLOB)) FROM odd o":                   `SELECT (CASE WHEN "o"."cell of content" IS NOT NULL THEN 'o' || "o"."cell of content" ELSE 'h' || CAST("content" AS text) END), CAST(coalesce(octet_length("o"."bytes of content"), octet_length(CAST("content" AS text))) AS bigint) FROM (ODD) AS "o"`,
	"SELECT a || substr(CAST(b AS BLOB), 1, 9) FROM t":                           `SELECT (convert_to(CAST("a" AS text), 'UTF8') || substr(convert_to(CAST("b" AS text), 'UTF8'), CAST(1 AS integer), CAST(9 AS integer))) FROM (T) AS "t"`,
	"SELECT json_extract(a, '$.b') FROM t":                                       `SELECT lcm.json_cell(` + readable(`CAST("a" AS text)`) + `, '$.b') FROM (T) AS "t"`,
	"SELECT e.value FROM t, json_each(t.a) e":                                    `SELECT "e"."value" FROM (T) AS "t" CROSS JOIN LATERAL (SELECT CAST(list.value AS text) COLLATE "C" AS "value", list.place - 1 AS "key" FROM json_array_elements_text(CAST(` + readable(`CAST("t"."a" AS text)`) + ` AS json)) WITH ORDINALITY AS list(value, place)) AS "e"`,
	"SELECT ?1, ?2 FROM (VALUES (?1))":                                           `SELECT CAST($1 AS bigint), CAST($2 AS text) COLLATE "C" FROM (VALUES (CAST($1 AS bigint))) AS "unnamed 1"`,
	"SELECT x FROM t WHERE coalesce(a, b) IS NOT NULL OR coalesce(a, b) IS NULL": `SELECT "x" FROM (T) AS "t" WHERE (("a" IS NOT NULL OR "b" IS NOT NULL) OR ("a" IS NULL AND "b" IS NULL))`,
	"SELECT x FROM t WHERE x IN ()":                                              `SELECT "x" FROM (T) AS "t" WHERE false`,
	"SELECT 'it''s -- no comment', 1.5e3":                                        `SELECT 'it''s -- no comment' COLLATE "C", 1.5e3`,
}

// readable is a JSON without what the functions of PostgreSQL fail on.
func readable(text string) string {
	const bad = `\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})`
	return `(SELECT CASE WHEN r.t ~ '` + bad + `' THEN regexp_replace(r.t, '(?<!\\)((?:\\\\)*)(?:(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|` + bad +
		`)', '\1\2', 'g') ELSE r.t END FROM (SELECT ` + text + ` AS t) AS r)`
}

// TestEncodedTextsHaveTheBytesThatTheyStandFor, also in parts and lengths; how many bytes of a table are needed is that of the encoded text.
func TestEncodedTextsHaveTheBytesThatTheyStandFor(t *testing.T) {
	t.Parallel()
	encoded := func(name string) (translate.Table, bool) {
		if name == translate.BytesOfText {
			return translate.Table{Query: "decoded(?)"}, true
		}
		return tables(name)
	}
	for query, want := range map[string]string{
		"SELECT substr(CAST(a AS BLOB), 1, 9) FROM t":                 `SELECT substr(decoded(CAST("a" AS text)), CAST(1 AS integer), CAST(9 AS integer)) FROM (T) AS "t"`,
		"SELECT substr(CAST(nullif(a, '') AS BLOB), 1, 9) FROM t":     `SELECT substr(decoded(CAST(nullif("a", '') AS text)), CAST(1 AS integer), CAST(9 AS integer)) FROM (T) AS "t"`,
		"SELECT length(CAST(a AS BLOB)), octet_length(a) FROM t":      `SELECT CAST(octet_length(decoded(CAST("a" AS text))) AS bigint), CAST(octet_length(CAST("a" AS text)) AS bigint) FROM (T) AS "t"`,
		"SELECT '[' || substr(CAST(a AS BLOB), 1, 9) || b FROM t":     `SELECT ((convert_to('[', 'UTF8') || substr(decoded(CAST("a" AS text)), CAST(1 AS integer), CAST(9 AS integer))) || decoded(CAST("b" AS text))) FROM (T) AS "t"`,
		"SELECT CASE WHEN a THEN CAST(a AS BLOB) ELSE b END FROM t x": `SELECT (CASE  WHEN ("a" <> 0) THEN decoded(CAST("a" AS text)) ELSE decoded(CAST("b" AS text)) END) FROM (T) AS "x"`,
		"SELECT a || b FROM t": `SELECT (CAST("a" AS text) || CAST("b" AS text)) FROM (T) AS "t"`,
	} {
		if got, err := translate.Statement(query, arguments, false, encoded); err != nil || got.Text != want {
			t.Errorf("%s\ngot  %s, %v\nwant %s", query, got.Text, err, want)
		}
	}
}

// TestAListWithEscapesThatTheServerRefusesIsReadWithoutThem, as one of the calls of tools that a transcript has.
func TestAListWithEscapesThatTheServerRefusesIsReadWithoutThem(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]string{`["a\u0000"]`: readable("CAST($1 AS text)"), `["\uD83d"]`: readable("CAST($1 AS text)"), `["a"]`: "$1"} {
		got, err := translate.Statement("SELECT value FROM json_each(?)", []any{list}, false, tables)
		if err != nil || !strings.Contains(got.Text, "(CAST("+want+" AS json))") {
			t.Errorf("%s: %s, %v", list, got.Text, err)
		}
	}
}

// TestAColumnThatIsNeverNullIsSortedAsItsIndexIs: of others it is said where NULL stands, also where a join or a name makes another column
// of it.
func TestAColumnThatIsNeverNullIsSortedAsItsIndexIs(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"SELECT a FROM filled ORDER BY a":                                           `ORDER BY "a"`,
		"SELECT a FROM filled f JOIN t ON t.b = f.b ORDER BY f.a DESC, b DESC":      `ORDER BY "f"."a" DESC, "b" DESC NULLS LAST`,
		"SELECT a FROM filled ORDER BY a NULLS LAST, a + 1":                         `ORDER BY "a", ("a" + 1) NULLS FIRST`,
		"SELECT b AS a FROM filled ORDER BY a":                                      `ORDER BY "a" NULLS FIRST`,
		"SELECT b a FROM filled f ORDER BY f.a":                                     `ORDER BY "f"."a"`,
		"SELECT f.a FROM t LEFT JOIN filled f ON f.a = t.a ORDER BY f.a":            `ORDER BY "f"."a" NULLS FIRST`,
		"SELECT f.a FROM filled f LEFT JOIN t ON f.a = t.a ORDER BY f.a, t.a":       `ORDER BY "f"."a", "t"."a" NULLS FIRST`,
		"SELECT f.a FROM t LEFT JOIN (t u JOIN filled f) ON f.a = t.a ORDER BY f.a": `ORDER BY "f"."a" NULLS FIRST`,
		"SELECT f.a FROM filled f FULL JOIN t ON f.a = t.a ORDER BY f.a":            `ORDER BY "f"."a" NULLS FIRST`,
		"SELECT a FROM filled UNION ALL SELECT b FROM filled ORDER BY a":            `ORDER BY "a" NULLS FIRST`,
		"SELECT a FROM (SELECT nullif(a, 1) AS a FROM filled) ORDER BY a":           `ORDER BY "a" NULLS FIRST`,
		"VALUES (NULL) ORDER BY a":                                                  `ORDER BY "a" NULLS FIRST`,
		"SELECT 1 FROM t WHERE b IN (SELECT b FROM filled) ORDER BY a":              `ORDER BY "a" NULLS FIRST`,
		"SELECT row_number() OVER (ORDER BY a) FROM filled":                         `OVER (ORDER BY "a" NULLS FIRST) FROM (F) AS "filled"`,
	} {
		if got, err := translate.Statement(query, nil, false, tables); err != nil || !strings.HasSuffix(got.Text, want) {
			t.Errorf("%s\ngot %s, %v\nwant %s", query, got.Text, err, want)
		}
	}
}

// TestATimeThatTheServerHasAsOneIsNotReadAsText where a statement asks whether it is one: in an ORDER BY each row of a table is asked.
func TestATimeThatTheServerHasAsOneIsNotReadAsText(t *testing.T) {
	t.Parallel()
	const known = `("m"."time of at" IS NOT TRUE AND (SELECT CASE`
	for query, want := range map[string]string{
		"SELECT a FROM timed m ORDER BY julianday(m.at) IS NULL":                                      ` ORDER BY ` + known,
		"SELECT a FROM timed m WHERE julianday(m.at) IS NOT NULL":                                     ` WHERE (NOT ` + known,
		"SELECT a FROM timed m WHERE EXISTS (SELECT 1 FROM t WHERE b = 1 OR julianday(m.at) IS NULL)": known,
		"SELECT a FROM timed m ORDER BY julianday(m.other) IS NULL":                                   ` ORDER BY (true AND (SELECT CASE`,
		"SELECT a AS at FROM timed ORDER BY julianday(at) IS NULL":                                    ` ORDER BY (SELECT CASE`,
	} {
		if got, err := translate.Statement(query, nil, false, tables); err != nil || !strings.Contains(got.Text, want) {
			t.Errorf("%s\ngot %s, %v\nwant %s in it", query, got.Text, err, want)
		}
	}
}

// arguments are values for the parameters of the statements: the third is a list of numbers, the fourth of nothing.
var arguments = []any{int64(1), "two", "[3]", "[]", int64(5), int64(6)}

func TestAStatementKeepsItsMeaning(t *testing.T) {
	t.Parallel()
	for query, want := range meanings {
		got, err := translate.Statement(query, arguments, false, tables)
		if err != nil || got.Text != want {
			t.Errorf("%s\ngot  %s, %v\nwant %s", query, got.Text, err, want)
		}
	}
}

func TestTextsThatAreNumbersAreNumbersWhereAsked(t *testing.T) {
	t.Parallel()
	got, err := translate.Statement("SELECT column1 FROM (VALUES (?), (?))", []any{"12", "x"}, true, tables)
	if want := "(VALUES (CAST($1 AS bigint)), ($2))"; err != nil || !strings.Contains(got.Text, want) {
		t.Errorf("got %s, %v; want %s in it", got.Text, err, want)
	}
}

func TestWhatIsNotKnownIsRefused(t *testing.T) {
	t.Parallel()
	for _, query := range []string{
		"", "DELETE FROM t", "PRAGMA data_version", "SELECT a FROM unknown", "SELECT a FROM temp.t", "SELECT random()", "SELECT a FROM t; DROP TABLE t",
		"SELECT 'a", "SELECT a FROM t WHERE a MATCH 'x'", "SELECT ?9", "SELECT a\x00 FROM t", "SELECT (((((", "INSERT INTO t VALUES (1)", "SELECT a FROM t WHERE a GLOB '[x]*'",
	} {
		if got, err := translate.Statement(query, arguments, false, tables); !errors.Is(err, translate.ErrUnknown) {
			t.Errorf("%q: %q, %v", query, got.Text, err)
		}
	}
	deep := "SELECT " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000)
	if _, err := translate.Statement(deep, nil, false, tables); !errors.Is(err, translate.ErrUnknown) {
		t.Errorf("a statement that is too deep: %v", err)
	}
}
