package translate_test

import (
	"errors"
	"testing"

	"lcm-tui/data/postgres/translate"
)

// relations has a table t with a number of its own, and a table r without.
func relations(name string) (translate.Relation, bool) {
	columns := map[string]translate.Kind{"id": translate.IntegerColumn, "a": translate.TextColumn, "b": translate.IntegerColumn, "c": translate.RealColumn}
	switch name {
	case "t":
		return translate.Relation{Name: `home."t"`, Columns: columns, Identity: "id"}, true
	case "r":
		return translate.Relation{Name: `home."r"`, Columns: columns}, true
	}
	return translate.Relation{}, false
}

// writes are statements of SQLite that change rows, and what they are in PostgreSQL.
var writes = map[string]string{
	"INSERT INTO `r` (`a`, `b`) VALUES (?, ?), (?,?)":                                              `INSERT INTO home."r" AS "r" ("a", "b") VALUES ($1, $2), ($3, $4)`,
	"INSERT INTO t (a) VALUES (?)":                                                                 `INSERT INTO home."t" AS "t" ("a") VALUES ($1) RETURNING "id"`,
	"INSERT INTO t (id, a) VALUES (4, 'x')":                                                        `INSERT INTO home."t" AS "t" ("id", "a") VALUES (4, 'x')`,
	"INSERT OR IGNORE INTO r (a) VALUES (NULL)":                                                    `INSERT INTO home."r" AS "r" ("a") VALUES (NULL) ON CONFLICT DO NOTHING`,
	"INSERT INTO r (a, b) VALUES (?, 5) ON CONFLICT (a, b) DO UPDATE SET a = excluded.a, b = 0":    `INSERT INTO home."r" AS "r" ("a", "b") VALUES ($1, 5) ON CONFLICT ("a", "b") DO UPDATE SET "a" = "excluded"."a", "b" = 0`,
	"INSERT INTO r (a) SELECT a FROM t WHERE b = 1":                                                `INSERT INTO home."r" AS "r" ("a") SELECT "a" FROM (T) AS "t" WHERE ("b" = 1)`,
	"UPDATE r SET a = ?, b = b + ? WHERE id = ?":                                                   `UPDATE home."r" AS "r" SET "a" = $1, "b" = ("b" + $2) WHERE ("id" = $3)`,
	"UPDATE main.r SET b = CASE WHEN b > 1 THEN 0 ELSE 1 END":                                      `UPDATE home."r" AS "r" SET "b" = (CASE  WHEN ("b" > 1) THEN 0 ELSE 1 END)`,
	"DELETE FROM r WHERE a IS ? AND EXISTS (SELECT 1 FROM t WHERE t.a = r.a)":                      `DELETE FROM home."r" AS "r" WHERE (("a" IS NOT DISTINCT FROM $1) AND (EXISTS (SELECT 1 FROM (T) AS "t" WHERE ("t"."a" = "r"."a"))))`,
	"DELETE FROM r WHERE b = 1 RETURNING a":                                                        `DELETE FROM home."r" AS "r" WHERE ("b" = 1) RETURNING "a"`,
	"UPDATE r SET a = json_set(CASE WHEN json_valid(a) THEN a ELSE '{}' END, '$.x', json(?))":      `UPDATE home."r" AS "r" SET "a" = home.json_set(CAST((CASE  WHEN lcm.json_valid(CAST("a" AS text)) THEN "a" ELSE '{}' END) AS text), '$.x', CAST(CAST($1 AS text) AS json))`,
	"UPDATE r SET a = json_set(a, '$.n', coalesce(json_extract(a, '$.n'), 0) + 1) WHERE b NOTNULL": `UPDATE home."r" AS "r" SET "a" = home.json_set(CAST("a" AS text), '$.n', to_json((CAST(coalesce(CAST(lcm.json_cell(` + readable(`CAST("a" AS text)`) + `, '$.n') AS text), CAST(0 AS text)) AS numeric) + 1))) WHERE ("b" IS NOT NULL)`,
}

func TestAWriteKeepsItsMeaning(t *testing.T) {
	t.Parallel()
	for query, want := range writes {
		got, err := translate.WriteStatement(query, []any{"1", int64(2), "3", int64(4)}, tables, relations)
		if err != nil || got.Text != want {
			t.Errorf("%s\ngot  %s, %v\nwant %s", query, got.Text, err, want)
		}
	}
}

// TestAWriteThatIsNotKnownIsRefused: nothing is guessed, and no value is rounded or turned into another one.
func TestAWriteThatIsNotKnownIsRefused(t *testing.T) {
	t.Parallel()
	for query, args := range map[string][]any{
		"SELECT 1":                                nil,
		"INSERT INTO unknown (a) VALUES (1)":      nil,
		"INSERT INTO r VALUES (1)":                nil,
		"INSERT OR REPLACE INTO r (a) VALUES (1)": nil,
		"INSERT INTO r (z) VALUES (1)":            nil,
		"INSERT INTO r (a, b) VALUES (1)":         nil,
		"INSERT INTO r (a) VALUES (1, 2)":         nil,
		"UPDATE r SET z = 1":                      nil,
		"UPDATE r SET a = 1 FROM t":               nil,
		"DELETE FROM r WHERE a = 1; DROP TABLE r": nil,
		"DROP TABLE r":                            nil,
		"PRAGMA foreign_keys":                     nil,
		"INSERT INTO r (a) VALUES (?)":            {[]byte("blob")},
		"INSERT INTO r (b) VALUES (?)":            {1.5},
		"UPDATE r SET b = ?":                      {"no number"},
		"UPDATE r SET c = ?":                      {"no number"},
	} {
		if got, err := translate.WriteStatement(query, args, tables, relations); !errors.Is(err, translate.ErrUnknown) {
			t.Errorf("%q %v: %q, %v", query, args, got.Text, err)
		}
	}
}
