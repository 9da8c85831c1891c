package cpu

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"skald/runtime/cache"
)

// Note [Kept code without a compiler]
//
// Code is kept by the version of the compiler that made it, so that a new one compiles everything again. Where none is found any more (the
// cache is part of an image that has none, or a cache file was copied along with the program) the version has to come from somewhere: a
// program whose code is made or found leaves an entry that says by which compiler. Its code is then found as before; kernels
// of which none is kept run as WebAssembly (Note [Compilers that fail]). A program without such an entry is WebAssembly as a whole, which
// it is lowered for.

// remember notes that the code of a program is this compiler's.
func (c *compiler) remember(program string) {
	if program == "" || c.gone != nil {
		return
	}
	name, entry := rememberedName(program), fmt.Sprintf("%d\n%s\n%s", c.modules, c.path, c.version)
	if string(cache.Read(cacheFolder, name)) != entry {
		keepCode(name, []byte(entry))
	}
}

// remembered is the compiler that made the code of a program; nil if there is no code. Nothing more can be compiled, as gone says.
func remembered(program string, gone error) *compiler {
	if program == "" {
		return nil
	}
	c := &compiler{gone: fmt.Errorf("not all code of the program is kept, and %w", gone)}
	entry := strings.SplitN(string(cache.Read(cacheFolder, rememberedName(program))), "\n", 3)
	if len(entry) < 3 {
		return nil
	}
	if _, err := fmt.Sscan(entry[0], &c.modules); err != nil || c.modules < 1 {
		return nil
	}
	c.path, c.version = entry[1], entry[2]
	return c
}

// rememberedName is what the compiler of a program's code is kept by, for this processor.
func rememberedName(program string) string {
	text := strings.Join([]string{program, features(), strings.Join(Flags(), " ")}, "\n")
	return fmt.Sprintf("%x.compiler", sha256.Sum256([]byte(text)))
}
