package dynlib

import (
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

// open loads a library by its full path, or by name from the folders that only the system and the application write: never from the
// current directory or the PATH.
func open(path string, _ Scope) (uintptr, error) {
	from := uintptr(windows.LOAD_LIBRARY_SEARCH_DEFAULT_DIRS)
	if filepath.IsAbs(path) {
		from |= windows.LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR
	}
	h, err := windows.LoadLibraryEx(path, 0, from)
	return uintptr(h), err
}

func symbol(library uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(library), name)
}
