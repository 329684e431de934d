// Package postgres is the replica of many databases in one PostgreSQL server: how the server is reached, its schema and
// roles, what can go wrong, and how a cell of SQLite stands in a column there.
//
// Tables describes each table once. The columns that are copied, the codec of cells and the subquery by which a
// source is read are made from it.
//
// The package must not read a database file, decide what is sent, or keep anything in a session of the server: with a
// pooler between, the next statement may run in another session.
package postgres
