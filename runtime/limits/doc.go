// Package limits knows how much memory the process may still take, so that too little of it is an error with a sentence: Go ends a process
// that is refused memory with a trace, and Linux kills one that outgrows its cgroup without a word.
//
// # Place
//
// Commands call Watch as they start. Whoever is about to make an array whose size a program chooses asks Check first. The package imports
// nothing of ours. Only Linux says what the limits are; elsewhere there are none.
//
// # Limits
//
//   - what the machine has left (MemAvailable);
//   - that of the cgroup, or of one around it, of either version: what is resident counts, but for the cache of files;
//   - that of the address space (ulimit -v): what is reserved counts. Go reserves some 600 MB and cannot start at all with less.
//
// Example:
//
//	if err := limits.Check(n); err != nil { … } // out of memory: 800 MiB are wanted, and the cgroup has 300 MiB left
package limits
