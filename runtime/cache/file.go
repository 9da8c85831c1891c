package cache

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// Note [Cache files]
// The option --cache-file of executables names a file that holds what its program needs of the cache: a file can be copied together with
// the program, where the folder has the entries of all programs, or there is no home. Entries are looked up in the file first; one that
// is in the folder alone is added to the file. The file is a list of entries, which only grows: each is appended by one write, so what
// a process that was ended left of its last one is cut off by the next. The rules of trust are those of the folder.

// fileMagic begins a cache file.
const fileMagic = "skald cache file 1\n"

// mostFile is how large a file gets before it is begun again: entries for drivers that have gone are never removed one by one.
const mostFile = 256 << 20

// cacheFile is the file in use, if path is set.
var cacheFile struct {
	sync.Mutex
	path    string
	entries map[string][]byte
}

// UseFile makes the entries of a file part of the cache, and has those that are read and written from now on added to it. The file is
// made if it is not there. One that is something else is an error, and stays as it is; one that cannot be trusted is an error, too.
func UseFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	entries, err := readFile(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	cacheFile.Lock()
	defer cacheFile.Unlock()
	cacheFile.path, cacheFile.entries = path, entries
	return nil
}

// Present reports whether there is somewhere to keep entries.
func Present() bool { return fileInUse() || Dir() != "" }

func fileInUse() bool {
	cacheFile.Lock()
	defer cacheFile.Unlock()
	return cacheFile.path != ""
}

// readFile reads the entries of a cache file, and cuts off what is no whole entry.
func readFile(f *os.File) (map[string][]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", f.Name())
	}
	if err := trusted(f.Name(), info); err != nil {
		return nil, err
	}
	r := bufio.NewReader(f)
	begin := make([]byte, len(fileMagic))
	n, err := io.ReadFull(r, begin)
	switch {
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, err
	case string(begin[:n]) != fileMagic[:n]:
		return nil, fmt.Errorf("%s is no cache file of skald, and would be overwritten: remove it, or name another", f.Name())
	case n < len(fileMagic) || info.Size() > mostFile:
		if err := f.Truncate(0); err != nil {
			return nil, err
		}
		_, err = f.WriteAt([]byte(fileMagic), 0)
		return map[string][]byte{}, err
	}
	entries := map[string][]byte{}
	good := int64(n)
	for {
		name, data, size := readEntry(r, info.Size()-good)
		if size == 0 {
			break
		}
		entries[name] = data
		good += size
	}
	if good < info.Size() {
		return entries, f.Truncate(good)
	}
	return entries, nil
}

// entryLine is the line before an entry's digest and data: its name and how many bytes it has.
const entryLine = "%s %d\n"

// readEntry reads an entry, of which at most so many bytes are there; size is that of the whole entry, 0 if it is damaged.
func readEntry(r *bufio.Reader, most int64) (name string, data []byte, size int64) {
	line, err := r.ReadString('\n')
	if err != nil {
		return "", nil, 0
	}
	var n int64
	if k, err := fmt.Sscanf(line, entryLine, &name, &n); err != nil || k != 2 || n < 0 || n > most {
		return "", nil, 0
	}
	rest := make([]byte, sha256.Size+n)
	if _, err := io.ReadFull(r, rest); err != nil {
		return "", nil, 0
	}
	data = rest[sha256.Size:]
	if !bytes.Equal(rest[:sha256.Size], digest([]string{name}, data)) {
		return "", nil, 0
	}
	return name, data, int64(len(line) + len(rest))
}

// inFile is an entry of the file in use, or nil.
func inFile(name []string) []byte {
	cacheFile.Lock()
	defer cacheFile.Unlock()
	return cacheFile.entries[strings.Join(name, "/")]
}

// toFile adds an entry to the file in use, if there is one. ok says that it is in a file then.
func toFile(data []byte, name []string) (ok bool, err error) {
	cacheFile.Lock()
	defer cacheFile.Unlock()
	key := strings.Join(name, "/")
	if cacheFile.path == "" {
		return false, nil
	}
	if bytes.Equal(cacheFile.entries[key], data) {
		return true, nil
	}
	entry := append([]byte(fmt.Sprintf(entryLine, key, len(data))), digest(name, data)...)
	f, err := os.OpenFile(cacheFile.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return false, err
	}
	_, err = f.Write(append(entry, data...))
	if err = errors.Join(err, f.Close()); err == nil {
		cacheFile.entries[key] = data
	}
	return err == nil, err
}
