package compiler

// Named is named, for tests.
var Named = named
