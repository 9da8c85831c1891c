// Package types defines Futhark's types and the typed program that the checker produces.
//
// It is between the front end and what runs or translates a program: the interpreter evaluates a Prog, and
// the middle end's surface passes rewrite a Prog until internalisation can turn it into core IR. It imports only the
// leaves frontend/source and runtime/prim; it knows neither the syntax tree nor the checker.
//
// The typed program is an explicitly typed language in the style of System F. What the checker resolved away:
//
//   - modules, functors, `open`, `import` and `local`: a Prog is one flat list of definitions, each before its uses;
//   - names: every occurrence points at its Symbol;
//   - polymorphism: each use of a polymorphic symbol carries its type and size arguments (Var.TypeArgs, Var.SizeArgs);
//   - overloading: literals have their primitive type, operators are Op nodes with a primitive operator;
//   - sections, pipes into functions, puns, ascriptions and default initialisers of loops: they are lambdas,
//     applications, plain fields and nothing.
//
// # Sizes
//
// A size is an i64 that a type mentions: a constant, a Symbol, or (rarely) a whole expression. Every size symbol has one
// binder: a size parameter of a Def, a size binder of a Let, Loop or function parameter, an i64 variable, or the Ext list of
// an expression. Note [Existential sizes] in exp.go says what Ext means.
//
// Invariants of a checked Prog (Verify): no Meta or AnySize remains; every Symbol mentioned is bound by something that is
// evaluated before, sizes in type arguments excepted; each Symbol is bound once in the whole Prog.
//
// Example. The source
//
//	def f [n] (xs: [n]i32) = filter (> 0) xs
//
// becomes, printed with everything explicit,
//
//	def f [n] (xs: [n]i32) : ?[k].[k]i32 =
//	  filter 'i32 [n] (\(x: i32) -> x > 0i32) xs   -- Ext [k], type [k]i32
package types
