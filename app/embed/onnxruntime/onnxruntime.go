//go:build !static && (linux || darwin) && (amd64 || arm64)

// Package onnxruntime runs networks of ONNX files by the library onnxruntime, which is loaded at run time.
package onnxruntime

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// The functions of the C interface by their places in OrtApi. New versions add functions behind these, so the places hold for
// every version from 1.2 on, of which apiVersion is the number.
const (
	apiVersion = 2

	getErrorMessage             = 2
	createEnv                   = 3
	createSession               = 7
	createSessionFromArray      = 8
	run                         = 9
	createSessionOptions        = 10
	setIntraOpNumThreads        = 24
	sessionGetInputCount        = 30
	sessionGetOutputCount       = 31
	sessionGetInputTypeInfo     = 33
	sessionGetInputName         = 36
	sessionGetOutputName        = 37
	createTensorWithData        = 49
	getTensorMutableData        = 51
	castTypeInfoToTensorInfo    = 55
	getTensorElementType        = 60
	getDimensionsCount          = 61
	getDimensions               = 62
	getTensorTypeAndShape       = 65
	createCPUMemoryInfo         = 69
	allocatorFree               = 76
	getAllocator                = 78
	releaseStatus               = 93
	releaseValue                = 96
	releaseTypeInfo             = 98
	releaseTensorShape          = 99
	releaseSessionOptions       = 100
	sessionGetModelMetadata     = 111
	metadataLookup              = 116
	releaseModelMetadata        = 118
	functions                   = 119
	errorsAlone                 = 3    // of what the library says
	arenaAllocator, defaultType = 1, 0 // of memory
)

// library is a loaded onnxruntime.
type library struct {
	path, version          string
	api                    *[functions]uintptr
	env, memory, allocator uintptr
}

// names returns what the library is called, likeliest first.
func names() []string {
	if runtime.GOOS == "darwin" {
		return []string{"libonnxruntime.dylib", "libonnxruntime.1.dylib"}
	}
	return []string{"libonnxruntime.so", "libonnxruntime.so.1"}
}

// homeVariable names the folder of the library.
const homeVariable = "ONNXRUNTIME_HOME"

// load loads the library at path. Without a path it looks into the folder of the environment, and then asks the system's linker. It never looks
// into the working directory by itself.
func load(path string, getenv func(string) string) (*library, error) {
	if path != "" {
		absolute, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		return open(absolute)
	}
	home := getenv(homeVariable)
	if home != "" && !filepath.IsAbs(home) {
		return nil, fmt.Errorf("%s is %q, which is no absolute path: give one, or the file of the library", homeVariable, home)
	}
	for _, folder := range []string{home, filepath.Join(home, "lib")} {
		for _, name := range names() {
			path := filepath.Join(folder, name)
			if _, err := os.Stat(path); home != "" && err == nil {
				return open(path)
			}
		}
	}
	if home != "" {
		return nil, fmt.Errorf("%s is %s, and neither it nor lib in it has %s", homeVariable, home, strings.Join(names(), " or "))
	}
	for _, name := range names() {
		if lib, err := open(name); err == nil {
			return lib, nil
		}
	}
	return nil, fmt.Errorf("the library onnxruntime was not found: the linker knows no %s; get it from github.com/microsoft/onnxruntime/releases, or by npm install onnxruntime-node, and give its file",
		strings.Join(names(), " or "))
}

// open loads one library.
func open(path string) (*library, error) {
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be loaded: %w", path, err)
	}
	base, err := purego.Dlsym(handle, "OrtGetApiBase")
	if err != nil {
		return nil, fmt.Errorf("%s is no library onnxruntime: %w", path, err)
	}
	address, _, _ := purego.SyscallN(base)
	if address == 0 {
		return nil, fmt.Errorf("%s gives no interface of onnxruntime: take another library", path)
	}
	first := *(**[2]uintptr)(unsafe.Pointer(&address))
	if first[0] == 0 || first[1] == 0 {
		return nil, fmt.Errorf("%s gives no interface of onnxruntime: take another library", path)
	}
	api, _, _ := purego.SyscallN(first[0], apiVersion)
	version, _, _ := purego.SyscallN(first[1])
	lib := &library{path: path, version: text(version)}
	if api == 0 {
		return nil, fmt.Errorf("%s is onnxruntime %s, which does not have version %d of the interface: take a newer one", path, lib.version, apiVersion)
	}
	lib.api = *(**[functions]uintptr)(unsafe.Pointer(&api))
	name := cString("lapsvm")
	err = errors.Join(lib.call(createEnv, errorsAlone, uintptr(unsafe.Pointer(&name[0])), uintptr(unsafe.Pointer(&lib.env))),
		lib.call(createCPUMemoryInfo, arenaAllocator, defaultType, uintptr(unsafe.Pointer(&lib.memory))),
		lib.call(getAllocator, uintptr(unsafe.Pointer(&lib.allocator))))
	if err != nil {
		return nil, fmt.Errorf("%s (onnxruntime %s): %w", path, lib.version, err)
	}
	return lib, nil
}

// call calls a function, whose status becomes an error. Pointer arguments must be converted in the call
// expression, so that their memory does not move until call returns.
//
//go:uintptrescapes
func (l *library) call(function int, args ...uintptr) error {
	status, _, _ := purego.SyscallN(l.api[function], args...)
	if status == 0 {
		return nil
	}
	message, _, _ := purego.SyscallN(l.api[getErrorMessage], status)
	err := errors.New(text(message))
	purego.SyscallN(l.api[releaseStatus], status)
	return err
}

// text copies a string of C.
func text(address uintptr) string {
	if address == 0 {
		return ""
	}
	at := *(**byte)(unsafe.Pointer(&address))
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(at), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(at, n))
}

func cString(s string) []byte { return append([]byte(s), 0) }

// Session is a network that is ready to run. Several goroutines may run it.
type Session struct {
	lib     *library
	session uintptr
	inputs  []Input
	outputs []string
}

// Open loads the library at path, or else the one that is found, and a network from its bytes. Nil bytes stand for those of its file. Its operators
// run on one thread each, so that results do not depend on how many there are.
func Open(libraryPath, network string, data []byte, getenv func(string) string) (*Session, error) {
	lib, err := load(libraryPath, getenv)
	if err != nil {
		return nil, err
	}
	s := &Session{lib: lib}
	if err := s.open(network, data); err != nil {
		return nil, fmt.Errorf("%s cannot be run by onnxruntime %s (%s): %w", network, lib.version, lib.path, err)
	}
	return s, nil
}

func (s *Session) open(network string, data []byte) error {
	lib := s.lib
	var options uintptr
	if err := lib.call(createSessionOptions, uintptr(unsafe.Pointer(&options))); err != nil {
		return err
	}
	defer purego.SyscallN(lib.api[releaseSessionOptions], options)
	if err := lib.call(setIntraOpNumThreads, options, 1); err != nil {
		return err
	}
	path := cString(network)
	var err error
	if len(data) > 0 {
		err = lib.call(createSessionFromArray, lib.env, uintptr(unsafe.Pointer(&data[0])), uintptr(len(data)), options, uintptr(unsafe.Pointer(&s.session)))
	} else {
		err = lib.call(createSession, lib.env, uintptr(unsafe.Pointer(&path[0])), options, uintptr(unsafe.Pointer(&s.session)))
	}
	if err != nil {
		return err
	}
	var inputs, outputs uintptr
	err = errors.Join(lib.call(sessionGetInputCount, s.session, uintptr(unsafe.Pointer(&inputs))), lib.call(sessionGetOutputCount, s.session, uintptr(unsafe.Pointer(&outputs))))
	if err != nil {
		return err
	}
	if inputs == 0 || outputs == 0 {
		return fmt.Errorf("it has %d inputs and %d outputs: export it with one of each at least", inputs, outputs)
	}
	for k := range inputs {
		name, err := s.name(sessionGetInputName, k)
		if err != nil {
			return err
		}
		var info, tensor uintptr // the tensor belongs to the info
		if err := lib.call(sessionGetInputTypeInfo, s.session, k, uintptr(unsafe.Pointer(&info))); err != nil {
			return err
		}
		in := Input{Name: name}
		err = lib.call(castTypeInfoToTensorInfo, info, uintptr(unsafe.Pointer(&tensor)))
		if err == nil && tensor != 0 {
			in.Type, in.Shape, err = lib.shape(tensor)
		}
		purego.SyscallN(lib.api[releaseTypeInfo], info)
		if err != nil {
			return err
		}
		s.inputs = append(s.inputs, in)
	}
	for k := range outputs {
		name, err := s.name(sessionGetOutputName, k)
		if err != nil {
			return err
		}
		s.outputs = append(s.outputs, name)
	}
	return nil
}

// name returns the name of an input or output.
func (s *Session) name(function int, k uintptr) (string, error) {
	var name uintptr
	if err := s.lib.call(function, s.session, k, s.lib.allocator, uintptr(unsafe.Pointer(&name))); err != nil {
		return "", err
	}
	defer purego.SyscallN(s.lib.api[allocatorFree], s.lib.allocator, name)
	return text(name), nil
}

// shape returns the type and the dimensions of a tensor, by what the library knows of it.
func (l *library) shape(info uintptr) (Type, []int64, error) {
	var element int32
	var count uintptr
	err := errors.Join(l.call(getTensorElementType, info, uintptr(unsafe.Pointer(&element))), l.call(getDimensionsCount, info, uintptr(unsafe.Pointer(&count))))
	if err != nil {
		return 0, nil, err
	}
	dims := make([]int64, count+1)
	err = l.call(getDimensions, info, uintptr(unsafe.Pointer(&dims[0])), count)
	return Type(element), dims[:count], err
}

// Inputs returns the inputs of the network.
func (s *Session) Inputs() []Input { return s.inputs }

// Metadata returns what the network's file says under a key, "" where it says nothing.
func (s *Session) Metadata(key string) (string, error) {
	var metadata, value uintptr
	if err := s.lib.call(sessionGetModelMetadata, s.session, uintptr(unsafe.Pointer(&metadata))); err != nil {
		return "", err
	}
	defer purego.SyscallN(s.lib.api[releaseModelMetadata], metadata)
	name := cString(key)
	if err := s.lib.call(metadataLookup, metadata, s.lib.allocator, uintptr(unsafe.Pointer(&name[0])), uintptr(unsafe.Pointer(&value))); err != nil || value == 0 {
		return "", err
	}
	defer purego.SyscallN(s.lib.api[allocatorFree], s.lib.allocator, value)
	return text(value), nil
}

// Run runs the network on tensors in the order of [Session.Inputs], and returns its first output, which has float32.
func (s *Session) Run(ctx context.Context, inputs []Tensor) (Tensor, error) {
	if err := ctx.Err(); err != nil {
		return Tensor{}, err
	}
	lib := s.lib
	var pins runtime.Pinner
	defer pins.Unpin()
	values, inNames := make([]uintptr, len(inputs)), make([]uintptr, len(inputs))
	defer func() {
		for _, v := range values {
			if v != 0 {
				purego.SyscallN(lib.api[releaseValue], v)
			}
		}
	}()
	pinned := func(name string) uintptr {
		c := cString(name)
		pins.Pin(&c[0])
		return uintptr(unsafe.Pointer(&c[0]))
	}
	for k := range inputs {
		t := &inputs[k]
		data, size, element := t.memory()
		if size == 0 {
			return Tensor{}, fmt.Errorf("the input %s is empty", s.inputs[k].Name)
		}
		pins.Pin(data)
		if err := lib.call(createTensorWithData, lib.memory, uintptr(data), uintptr(size), uintptr(unsafe.Pointer(&t.Shape[0])), uintptr(len(t.Shape)), uintptr(element), uintptr(unsafe.Pointer(&values[k]))); err != nil {
			return Tensor{}, err
		}
		inNames[k] = pinned(s.inputs[k].Name)
	}
	outName := pinned(s.outputs[0])
	var out uintptr
	if err := lib.call(run, s.session, 0, uintptr(unsafe.Pointer(&inNames[0])), uintptr(unsafe.Pointer(&values[0])), uintptr(len(values)), uintptr(unsafe.Pointer(&outName)), 1, uintptr(unsafe.Pointer(&out))); err != nil {
		return Tensor{}, err
	}
	defer purego.SyscallN(lib.api[releaseValue], out)
	var info, data uintptr
	if err := lib.call(getTensorTypeAndShape, out, uintptr(unsafe.Pointer(&info))); err != nil {
		return Tensor{}, err
	}
	element, shape, err := lib.shape(info)
	purego.SyscallN(lib.api[releaseTensorShape], info)
	if err != nil {
		return Tensor{}, err
	}
	if element != Float32 {
		return Tensor{}, fmt.Errorf("the output %s has numbers of type %d, not float32", s.outputs[0], element)
	}
	if err := lib.call(getTensorMutableData, out, uintptr(unsafe.Pointer(&data))); err != nil {
		return Tensor{}, err
	}
	count := 1
	for _, d := range shape {
		count *= int(d)
	}
	t := Tensor{Shape: shape, Singles: make([]float32, count)}
	if count > 0 {
		copy(t.Singles, unsafe.Slice(*(**float32)(unsafe.Pointer(&data)), count))
	}
	return t, nil
}

// memory returns where the numbers of a tensor are, their bytes and their type.
func (t *Tensor) memory() (data unsafe.Pointer, size int, element Type) {
	switch {
	case len(t.Singles) > 0:
		return unsafe.Pointer(&t.Singles[0]), 4 * len(t.Singles), Float32
	case len(t.Whole) > 0:
		return unsafe.Pointer(&t.Whole[0]), 8 * len(t.Whole), Int64
	}
	return nil, 0, 0
}
