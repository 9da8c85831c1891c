package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"skald/testsuite/random"
	"skald/testsuite/random/compare"
)

// answer is what a worker writes for a seed, as one line of JSON.
type answer struct {
	compare.Result
	// Program is the program that differs, with its arguments.
	Program string
}

// work answers each seed that comes in, and begins with an empty answer when the executor is open.
func work(o options, in io.Reader, out io.Writer) error {
	exec, err := open(o.backend)
	if err != nil {
		return err
	}
	defer exec.Close() //nolint:errcheck // all results are written
	answers := json.NewEncoder(out)
	if err := answers.Encode(answer{}); err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var seed uint64
		if _, err := fmt.Sscan(lines.Text(), &seed); err != nil {
			return fmt.Errorf("%q is not a seed", lines.Text())
		}
		c := random.Make(seed)
		a := answer{Result: compare.Run(c, exec)}
		if a.Verdict == compare.Differs {
			if o.shrink > 0 {
				c = c.Shrink(o.shrink, func(smaller *random.Case) bool {
					return compare.Run(smaller, exec).Verdict == compare.Differs
				})
				a.Result = compare.Run(c, exec)
			}
			a.Program = c.File()
		}
		if err := answers.Encode(a); err != nil {
			return err
		}
	}
	return lines.Err()
}
