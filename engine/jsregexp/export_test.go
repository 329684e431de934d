package jsregexp

var InItsTime = inItsTime[int]
