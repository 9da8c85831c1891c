// Package compare runs the programs of package random on an executor and compares what they do with the interpreter: the same
// results, or the same failure in the same words. On a device a program runs twice, the second time with tuning parameters that choose
// other versions of nested parallelism.
//
//	result := compare.Run(random.Make(7), executor)
//	if result.Verdict == compare.Differs { ... }
//
// Executors are those of tooling/conformance, and Evaluator, the evaluator of the core IR. It is above package skald.
package compare
