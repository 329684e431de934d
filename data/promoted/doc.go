// Package promoted reads promoted memory: short entries that outlive their conversations, such as a decision and its
// reason. They stand in a table of their own, which the first entry makes; hosts pass over tables that they don't
// know. The table has the columns of lossless-claude 0.2 and one more, which says that the file isn't one of that
// program. It doesn't decide what is promoted.
package promoted
