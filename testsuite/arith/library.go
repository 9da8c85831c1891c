package main

import (
	"fmt"
	"slices"
	"strings"

	"skald/runtime/prim"
	"skald/shaders"
)

// operators are what a dialect writes instead of functions on types that are its own.
var operators = map[string]string{
	"add": "+", "sub": "-", "mul": "*", "div": "/", "and": "&", "or": "|", "xor": "^", "neg": "-", "not": "~",
	"lt": "<", "le": "<=", "eq": "==",
}

// operatorOf finds the operator that is a function, by the name of the function; not division of signed integers,
// which rounds down in Futhark.
func operatorOf(sig signature) (string, bool) {
	op := operators[sig.Name[:strings.LastIndexByte(sig.Name, '_')]]
	return op, op != "" && !(op == "/" && sig.Params[0].IsInt())
}

// libraryOf is the text that declares a function and what goes with it. Where the dialect has an operator instead,
// that is declared as a function.
func libraryOf(d shaders.Dialect, sig signature) (string, error) {
	names := helpers(append(sig.Params, sig.Result)...)
	if d.Language == shaders.CUDA {
		names = slices.Clone(cBits)
	}
	declared := ""
	if _, ok := shaders.Lookup(d, sig.Name); ok {
		names = append(names, sig.Name)
	} else if op, ok := operatorOf(sig); ok {
		declared = asFunction(d, sig, op)
	} else {
		return "", fmt.Errorf("%s is neither a function nor an operator", sig.Name)
	}
	library, err := shaders.Library(d, names)
	if d.Float16 {
		library = "enable f16;\n" + library
	}
	return library + declared, err
}

// asFunction declares an operator as a function of a and b.
func asFunction(d shaders.Dialect, sig signature, op string) string {
	body := "a " + op + " b"
	if len(sig.Params) == 1 {
		body = op + "a"
	}
	if d.Language == shaders.CUDA {
		return cudaFunction(sig, body)
	}
	if op == "-" && sig.Params[0] == prim.U64 && len(sig.Params) == 1 {
		body = "(a - a) - a" // WGSL negates signed numbers only.
	}
	name := func(t prim.Type) string {
		if t == prim.Bool {
			return "bool"
		}
		return strings.ToUpper(t.String()) // The alias.
	}
	params := make([]string, len(sig.Params))
	for i, p := range sig.Params {
		params[i] = string(rune('a'+i)) + ": " + name(p)
	}
	return fmt.Sprintf("fn %s(%s) -> %s { return %s; }\n", sig.Name, strings.Join(params, ", "), name(sig.Result), body)
}

// functionsOf lists the functions of Futhark that can be swept in a dialect: its own, and the operators that the
// portable dialect has as functions.
func functionsOf(d shaders.Dialect) []string {
	names := shaders.Names(d)
	for _, name := range shaders.Names(shaders.Portable) {
		if sig, _, ok := exactReference(name); ok && !slices.Contains(names, name) {
			if _, ok := operatorOf(sig); ok {
				names = append(names, name)
			}
		}
	}
	return names
}
