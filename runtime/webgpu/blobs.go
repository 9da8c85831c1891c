package webgpu

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"unsafe"

	"skald/runtime/cache"
)

// Note [Kept pipelines]
// ~~~~~~~~~~~~~~~~~~~~~
// Dawn hands what it made of a shader, and the driver's own pipeline cache, to whoever opened the device, and asks for it before it
// makes it again, by a key that has everything it depends on but Dawn's own build. So entries of skald's cache are named by a hash of
// that key and of which library file it is; the cache verifies them. Dawn calls from threads of its own, first for the size and then
// for the data. The folder is bounded. wgpu-native 29 has no call for pipeline caches; there the driver's cache is all there is.

const (
	blobFolder = "pipelines"
	mostBlob   = 16 << 20  // Bytes of an entry; larger ones are not kept.
	mostBlobs  = 256 << 20 // Bytes of all entries.
)

// blobs keeps what one library asks to be kept: see Note [Kept pipelines].
type blobs struct {
	library string // Which file it is: path, size and time of change.

	mu     sync.Mutex
	loaded map[string][]byte // Asked for by size, not yet taken.

	found atomic.Int64 // How many entries were taken.
}

// blobStore returns the place to keep what a library compiles: see Note [Kept pipelines].
func blobStore(path string) *blobs {
	b := &blobs{library: path, loaded: map[string][]byte{}}
	if info, err := os.Stat(path); err == nil {
		b.library = fmt.Sprint(path, " ", info.Size(), " ", info.ModTime().UnixNano())
	}
	return b
}

// name is the name of the entry of a key.
func (b *blobs) name(key []byte) string {
	h := sha256.New()
	h.Write([]byte(b.library + "\x00"))
	h.Write(key)
	return hex.EncodeToString(h.Sum(nil))
}

// load returns the size of an entry, 0 if there is none, and copies it to value if that has room.
func (b *blobs) load(key, value []byte) int {
	name := b.name(key)
	b.mu.Lock()
	defer b.mu.Unlock()
	data, ok := b.loaded[name]
	if !ok {
		data = cache.Read(blobFolder, name)
	}
	if len(value) < len(data) {
		b.loaded[name] = data // It will be asked for next.
		return len(data)
	}
	delete(b.loaded, name)
	if len(data) > 0 {
		b.found.Add(1)
	}
	return copy(value, data)
}

// store keeps an entry. Without it the next process compiles again.
func (b *blobs) store(key, value []byte) {
	if len(value) > mostBlob {
		return
	}
	_ = cache.Keep(value, mostBlobs, blobFolder, b.name(key))
}

// blobDescriptor makes Dawn keep what it compiles with the blobs that are registered under id.
func blobDescriptor(id uintptr) *dawnCacheDeviceDescriptor {
	c := callbackTable()
	return &dawnCacheDeviceDescriptor{
		chain: chainedStruct{sType: sTypeDawnCache}, isolationKey: view("skald"), load: c.load, store: c.store, user: id,
	}
}

// loadBlob and storeBlob are called by the library, with the number of a device.
func loadBlob(key, keySize, value, valueSize, id uintptr) uintptr {
	d, ok := owners.Load(id)
	if !ok {
		return 0
	}
	return uintptr(d.(*Device).blobs.load(blob(key, keySize), blob(value, valueSize)))
}

func storeBlob(key, keySize, value, valueSize, id uintptr) uintptr {
	if d, ok := owners.Load(id); ok {
		d.(*Device).blobs.store(blob(key, keySize), blob(value, valueSize))
	}
	return 0
}

// blob is memory of the library.
func blob(p, size uintptr) []byte {
	if size == 0 {
		return nil
	}
	return unsafe.Slice(foreign(p), size)
}
