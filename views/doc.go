// Package views has what the screens of LCM share: what each is given (Env), the list with a text beside it
// (ListScreen), the tabs of a conversation (Tab), the way to a row (Target), the model and the texts that the user
// writes, marks, columns, and the Screens by which a screen opens those of other packages. No screen reads the
// database in Update: work runs in jobs, and its result comes back as a message.
package views
