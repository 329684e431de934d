// Package filepair has the statements that compare two lcm.db files on one connection: which rows
// were added, removed or changed, counted by conversation or read one by one.
//
// It knows rows and columns. It must not decide what a difference means to a user, write to
// either file, or hold more rows than its caller asks for.
package filepair
