// Package evaluate computes values that test blocks and literate programs describe: text, files, random values, and expressions in
// FutharkScript, which call entry points of the program.
//
// A Program says how its entry points are called; Values computes what a test block says, and Eval an expression. A Value has a type
// and the plain values (scalars and arrays of them) that stand for it, in the order in which entry points take and give them. How
// expressions are written is package tooling/script's, what blocks are is tooling/spec's; pictures and sounds become arrays by
// tooling/media.
//
//	p := &evaluate.Program{Types: prog, Dir: "examples", Call: call}
//	v, err := p.Eval(exp)   // let (w, h) = (640, 480) in mandelbrot w h
package evaluate
