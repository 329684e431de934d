// Package pieces knows pieces of texts again without keeping the texts: of each text it keeps salted digests of short
// pieces at equal distances, and finds every place in other bytes that has one of them. It reads no file and no
// database.
package pieces
