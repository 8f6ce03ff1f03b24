package embed

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"lapsvm/internal/system/atomicfile"
	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/regular"
	"lapsvm/internal/system/size"
)

// key is the SHA-256 of an input: of a text, or of the bytes of a picture's file.
type key [sha256.Size]byte

// keyOf returns the key of a text, or of the picture at a path.
func keyOf(input string, picture bool) (k key, err error) {
	sum := sha256.New()
	if !picture {
		io.WriteString(sum, "text\x00"+input)
		return key(sum.Sum(nil)), nil
	}
	f, _, err := regular.Open(input)
	if err != nil {
		return k, err
	}
	defer f.Close()
	io.WriteString(sum, "picture\x00")
	if _, err := io.Copy(sum, f); err != nil {
		return k, err
	}
	return key(sum.Sum(nil)), nil
}

// cache keeps vectors in the files of a folder, and all of them in memory. Each file has what one call of put
// was given, and is called by the hash of its content. So processes that share a folder never write the same file with other
// bytes. Each sees the files of its beginning.
//
// A file has the magic line, the length of a vector and their number as uint32, the keys, the vectors as float32, and the
// SHA-256 of all that, in little-endian order.
type cache struct {
	folder  string
	mu      sync.Mutex
	vectors map[key][]float32
}

const cacheMagic = "lapsvm vectors 1\n"

// openCache opens the vectors that one network or command made, which a hash tells. Missing folders are made.
// More of them than so many bytes are an error; 0 is no limit. A folder that can only be read is.
func openCache(folder, source string, memory int64) (*cache, error) {
	c := &cache{folder: filepath.Join(folder, source[:min(32, len(source))]), vectors: make(map[key][]float32)}
	if err := os.MkdirAll(c.folder, 0o777); err != nil && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS) {
		return nil, fmt.Errorf("the folder of kept vectors cannot be made: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(c.folder, "*.vectors"))
	if err != nil {
		return nil, err
	}
	const grown = 3 // times its file that the vectors of a file take in memory, with their places in a map
	taken := int64(0)
	for _, path := range files {
		f, length, err := regular.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted just now
		}
		if err != nil {
			return nil, fmt.Errorf("kept vectors: %w", err)
		}
		if taken += grown * length; memory > 0 && taken > memory {
			f.Close()
			return nil, fault.Memory.Errorf("the vectors kept in %s take more than the %s of memory that may be used: delete old files there, or allow more", c.folder, size.Text(memory))
		}
		data := make([]byte, length)
		_, err = io.ReadFull(f, data)
		f.Close()
		if err == nil {
			err = c.read(data)
		}
		if err != nil {
			return nil, fault.Errorf("kept vectors: %s: %w: delete the file, and its vectors are made again", path, err)
		}
	}
	return c, nil
}

// read takes the vectors of a file.
func (c *cache) read(data []byte) error {
	damaged := errors.New("the file is damaged")
	head := len(cacheMagic) + 8
	if len(data) < head+sha256.Size || !bytes.HasPrefix(data, []byte(cacheMagic)) {
		return damaged
	}
	body, sum := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	if own := sha256.Sum256(body); !bytes.Equal(own[:], sum) {
		return damaged
	}
	width, count := int(binary.LittleEndian.Uint32(body[len(cacheMagic):])), int(binary.LittleEndian.Uint32(body[len(cacheMagic)+4:]))
	rest := body[head:]
	if width < 1 || width > len(rest)/4 || count > len(rest)/sha256.Size || len(rest) != count*(sha256.Size+4*width) {
		return damaged
	}
	keys, numbers := rest[:count*sha256.Size], rest[count*sha256.Size:]
	for i := range count {
		v := make([]float32, width)
		for k := range v {
			v[k] = math.Float32frombits(binary.LittleEndian.Uint32(numbers[4*(i*width+k):]))
		}
		c.vectors[key(keys[i*sha256.Size:(i+1)*sha256.Size])] = v
	}
	return nil
}

// get returns a vector, or nil. c may be nil.
func (c *cache) get(k key) []float32 {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.vectors[k]
}

// put keeps vectors of one length. c may be nil.
func (c *cache) put(keys []key, vectors [][]float32) error {
	if c == nil || len(keys) == 0 {
		return nil
	}
	var b bytes.Buffer
	b.WriteString(cacheMagic)
	var number [4]byte
	uint := func(v uint32) {
		binary.LittleEndian.PutUint32(number[:], v)
		b.Write(number[:])
	}
	uint(uint32(len(vectors[0])))
	uint(uint32(len(vectors)))
	for _, k := range keys {
		b.Write(k[:])
	}
	for _, v := range vectors {
		for _, x := range v {
			uint(math.Float32bits(x))
		}
	}
	sum := sha256.Sum256(b.Bytes())
	b.Write(sum[:])
	path := filepath.Join(c.folder, hex.EncodeToString(sum[:16])+".vectors")
	err := atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(b.Bytes())
		return err
	})
	if err != nil {
		return fmt.Errorf("vectors cannot be kept: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, k := range keys {
		c.vectors[k] = vectors[i]
	}
	return nil
}
