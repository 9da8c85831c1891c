// Package reference computes real functions to about 200 bits, from series in big.Float: what the inexact functions of
// the shader library are measured against.
//
// It is used by testsuite/arith alone and imports nothing of ours but runtime/prim, for the functions' names. Arguments
// are finite and inside the function's domain; the caller knows what NaN, infinities and poles give.
package reference
