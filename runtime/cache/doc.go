// Package cache is what skald keeps on disk between runs: libraries and drivers that the fetching scripts put there, the library of an
// executable, programs as they are compiled for a device, machine code of kernels, and results of probes.
//
// # Place
//
// The devices (runtime/webgpu, runtime/cuda) and package compiler read and write it. It imports nothing of ours. The folder is
// $SKALD_CACHE, else skald
// under $XDG_CACHE_HOME or ~/.cache; scripts/fetch.sh names the same one.
//
// # Invariants
//
// Code is loaded from here, so nothing is taken on trust. A file is used only if it, its folder, and each folder up to the cache's own
// belong to the user or to root and nobody else may write them (on Windows the folder's own access list has to do), and if its
// contents have the SHA-256 that was written when it came: that of an entry precedes it, those of a fetched folder in its file
// SHA256SUMS, and a file of it is read again when it has changed (Note [Verified files]). An entry that does not pass is as one that is
// not there: the work is done again.
//
// A file can take the place of the folder for one program: Note [Cache files].
//
//	cache.Write(code, "cubin", key)      // ~/.cache/skald/cubin/KEY
//	code = cache.Read("cubin", key)      // nil if damaged, foreign or absent
//	err := cache.Verify(pathOfLibrary)   // says what is wrong with a fetched file
package cache
