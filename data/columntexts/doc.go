// Package columntexts visits every text of every table of a database, replaces texts in them, and looks
// whether a text is still anywhere in the file.
//
// It takes tables and columns from the file and not from a list, so that tables of hosts to come
// are visited as well. It must not know what is looked for.
package columntexts
