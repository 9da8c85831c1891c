package sanitizegpu

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"skald/middle/imp"
)

// kernelName is how lowering calls kernels: after the entry point, what they do, and a number.
var kernelName = regexp.MustCompile(
	`(?:^|_)((?:red|scan|hist)_(?:[a-z]+|merge_group|merge_rows)|hist|map|map_sequential|intra|tile|transpose|copy|scalars)(?:_\d+)+$`)

// Shape tells kernels apart for a sanitizer, which looks at how threads share memory: what part of which algorithm a kernel is, and
// what it does that others of the same part need not do. Programs with one shape differ in what they compute.
func Shape(k *imp.Kernel) string {
	kind := "other"
	if m := kernelName.FindStringSubmatch(k.Name); m != nil {
		kind = m[1]
	}
	traits := map[string]bool{}
	shared := 0
	for _, m := range k.Mems {
		if m.Space == imp.Shared {
			shared += m.Count * m.Elem.Size()
		}
	}
	switch {
	case k.Room > 0:
		traits["workgroup memory by launch"] = true
	case shared > staticShared:
		traits["large workgroup memory"] = true
	case shared > 0:
		traits["workgroup memory"] = true
	}
	imp.Walk(k.Body, func(s imp.Stm) bool {
		if t := trait(k, s); t != "" {
			traits[t] = true
		}
		return true
	})
	var list []string
	for t := range traits { // In any order: they are sorted.
		list = append(list, t)
	}
	slices.Sort(list)
	return strings.Join(append([]string{kind}, list...), ", ")
}

// staticShared is the workgroup memory that a kernel may declare; beyond it the launch asks for it.
const staticShared = 48 << 10

// trait is what a statement makes remarkable in a kernel, or "".
func trait(k *imp.Kernel, s imp.Stm) string {
	switch s := imp.MatchStm(s).(type) {
	case *imp.Atomic:
		return atomic(k.Mems[s.Mem])
	case *imp.AtomicUpdate:
		return atomic(k.Mems[s.Mem]) + " by compare and swap"
	case *imp.SubgroupUpdate:
		return "updates by subgroups"
	case *imp.Subgroup:
		return "subgroups"
	case *imp.Barrier:
		return "barriers"
	case *imp.UniformLoad:
		return "uniform loads"
	case *imp.LoadVec:
		return "vector loads"
	case *imp.StoreVec:
		return "vector stores"
	case *imp.Store:
		if n := k.Mems[s.Mem].Elem.Size(); n < 4 {
			return fmt.Sprintf("stores of %d bytes", n)
		}
		return ""
	case *imp.Assert:
		return "assertions"
	case *imp.Invoke:
		return "device functions"
	default:
		return ""
	}
}

func atomic(m imp.MemDecl) string {
	where := "global"
	if m.Space == imp.Shared {
		where = "workgroup"
	}
	return fmt.Sprintf("%s atomics on %d bytes", where, m.Elem.Size())
}
