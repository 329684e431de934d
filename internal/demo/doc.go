// Package demo writes two made-up databases: the demonstration that the program shows,
// and the large one that benchmarks measure. It is built into the program, so it must
// import nothing that only tests need.
package demo
