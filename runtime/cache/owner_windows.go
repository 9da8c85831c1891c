package cache

import "os"

// Trusted is satisfied with a file that is there: who may write below a user's profile is said by access lists, which others do not pass.
func Trusted(path string) error {
	_, err := os.Stat(path)
	return err
}

// trusted is Trusted of a file whose information is known.
func trusted(string, os.FileInfo) error { return nil }
