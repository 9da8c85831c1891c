// Package sanitizegpu lists small programs that together have a kernel of every shape that our programs have, for NVIDIA's
// compute-sanitizer, under which a kernel takes a hundred times as long: programs.txt, a line a shape with the program that shows it.
//
// What is a shape is said by [Shape]. The test of this package finds the shapes of our programs as they are compiled for an H200, and
// fails if one has no line; -update writes the list.
//
//	scripts/sanitize-gpu.sh                 memcheck, racecheck and synccheck on the list, on the GPU of this machine
//	scripts/sanitize-gpu.sh pack FOLDER     makes a folder which can be carried to a machine without Go
package sanitizegpu
