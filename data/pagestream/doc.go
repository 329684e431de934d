// Package pagestream sends a database as a stream of its pages, and makes a file of them: all pages, or those
// that changed since an earlier copy. It reads one state of the file, also while others write, and
// checks what it receives. It must not know where the stream comes from or goes to.
package pagestream
