//go:build !static && (linux || darwin) && (amd64 || arm64)

package mpi

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// library is an MPI library, its functions, and the values of its interface: handles are
// pointers to symbols in Open MPI, numbers in MPICH.
type library struct {
	path    string
	version string // in its own words
	family  family

	world, bytes, returnErrors uintptr
	ignoreStatus               uintptr
	anySource                  int
	requestSize                uintptr // of a handle in an array
	statusWords, errorWord     int     // of 32 bits, of a status in an array, and that of its error
	truncated                  int32   // class of the error where more came than expected

	initThread, finalize, abort, setErrorHandler, rank, size uintptr
	send, receive, test, testAll, look, getCount             uintptr
	cancel, wait, errorString, errorClass                    uintptr
	yield, sleep                                             uintptr // of the C library
}

// names returns what libraries of a family are called, likeliest first.
func names(f family) []string {
	switch {
	case f == openMPI && runtime.GOOS == "darwin":
		return []string{"libmpi.40.dylib"}
	case f == openMPI:
		return []string{"libmpi.so.40"}
	case f == mpich && runtime.GOOS == "darwin":
		return []string{"libmpi.12.dylib", "libmpich.12.dylib"}
	case f == mpich:
		return []string{"libmpi.so.12", "libmpich.so.12"}
	case runtime.GOOS == "darwin":
		return []string{"libmpi.dylib"}
	}
	return []string{"libmpi.so"}
}

// folders returns where libraries may be beyond the linker's search path. Result chosen has those
// named by the environment, and those beside the first mpirun found. Result usual has the folders
// where systems install them.
func folders(getenv func(string) string) (chosen, usual []string) {
	for _, name := range []string{"MPI_HOME", "MPI_ROOT", "OPAL_PREFIX", "I_MPI_ROOT"} {
		if prefix := getenv(name); prefix != "" {
			chosen = append(chosen, filepath.Join(prefix, "lib"), filepath.Join(prefix, "lib64"), filepath.Join(prefix, "lib", "release"))
		}
	}
	for _, folder := range filepath.SplitList(getenv("PATH")) {
		if program, err := filepath.EvalSymlinks(filepath.Join(folder, "mpirun")); err == nil {
			prefix := filepath.Dir(filepath.Dir(program))
			chosen = append(chosen, filepath.Join(prefix, "lib"), filepath.Join(prefix, "lib64"))
			break
		}
	}
	patterns := []string{"/usr/lib64/openmpi/lib", "/usr/lib64/mpich/lib", "/usr/lib64/mpi/gcc/*/lib64", "/usr/local/lib", "/opt/*mpi*/lib"}
	if runtime.GOOS == "darwin" {
		patterns = []string{"/opt/homebrew/lib", "/usr/local/lib", "/opt/local/lib/openmpi-mp", "/opt/local/lib/mpich-mp"}
	}
	for _, pattern := range patterns {
		found, _ := filepath.Glob(pattern)
		usual = append(usual, found...)
	}
	return chosen, usual
}

// load loads the library at path, or else the first that is found and fits the launcher.
func load(l Launch, path string, getenv func(string) string) (*library, error) {
	os.Setenv("UCX_ERROR_SIGNALS", "") // before loading: UCX would take Go's signals
	if path != "" {
		lib, err := open(path)
		if err != nil {
			return nil, err
		}
		if l.family != anyFamily && lib.family != l.family {
			return nil, fmt.Errorf("%s is of %s, but %s started this process", path, lib.family, l.By)
		}
		return lib, nil
	}
	order := []family{openMPI, mpich, anyFamily}
	if l.first == mpich {
		order = []family{mpich, openMPI, anyFamily}
	}
	chosen, usual := folders(getenv)
	var looked []string
	var failed error
	for _, f := range order {
		if l.family != anyFamily && f != anyFamily && f != l.family {
			continue
		}
		for _, folder := range slices.Concat(chosen, []string{""}, usual) {
			for _, name := range names(f) {
				path := filepath.Join(folder, name)
				if folder != "" {
					if _, err := os.Stat(path); err != nil {
						continue
					}
				}
				lib, err := open(path)
				switch {
				case err != nil && folder != "":
					failed = err // it is there, and does not load
				case err == nil && (l.family == anyFamily || lib.family == l.family):
					return lib, nil
				}
			}
		}
		looked = append(looked, names(f)...)
	}
	if failed != nil {
		return nil, failed
	}
	return nil, notFound(l, looked, slices.Concat(chosen, usual))
}

// notFound is the error where no library is.
func notFound(l Launch, names, folders []string) error {
	install := "apt install openmpi-bin or mpich, dnf install openmpi or mpich, or the module of your cluster"
	if runtime.GOOS == "darwin" {
		install = "brew install open-mpi or mpich"
	}
	return fmt.Errorf("%s started this process, and no library of %s was found: looked for %s where the linker looks and in %s; install it on this machine (%s)",
		l.By, l.family, strings.Join(names, ", "), strings.Join(folders, ", "), install)
}

// open loads one library.
func open(path string) (*library, error) {
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be loaded: %w", path, err)
	}
	lib := &library{path: path, family: mpich, anySource: -2, requestSize: 4, statusWords: 5, errorWord: 4, truncated: 14,
		world: 0x44000000, bytes: 0x4c00010d, returnErrors: 0x54000001, ignoreStatus: 1}
	if world, err := purego.Dlsym(handle, "ompi_mpi_comm_world"); err == nil {
		lib.family, lib.world, lib.anySource, lib.ignoreStatus = openMPI, world, -1, 0
		lib.requestSize, lib.statusWords, lib.errorWord, lib.truncated = 8, 6, 2, 15
	}
	var missing error
	symbol := func(handle uintptr, name string) uintptr {
		address, err := purego.Dlsym(handle, name)
		missing = cmp.Or(missing, err)
		return address
	}
	if lib.family == openMPI {
		lib.bytes, lib.returnErrors = symbol(handle, "ompi_mpi_byte"), symbol(handle, "ompi_mpi_errors_return")
	}
	lib.initThread, lib.finalize, lib.abort = symbol(handle, "MPI_Init_thread"), symbol(handle, "MPI_Finalize"), symbol(handle, "MPI_Abort")
	lib.setErrorHandler = symbol(handle, "MPI_Comm_set_errhandler")
	lib.rank, lib.size = symbol(handle, "MPI_Comm_rank"), symbol(handle, "MPI_Comm_size")
	lib.send, lib.receive = symbol(handle, "MPI_Isend"), symbol(handle, "MPI_Irecv")
	lib.test, lib.testAll, lib.look = symbol(handle, "MPI_Test"), symbol(handle, "MPI_Testall"), symbol(handle, "MPI_Request_get_status")
	lib.getCount, lib.errorClass = symbol(handle, "MPI_Get_count"), symbol(handle, "MPI_Error_class")
	lib.cancel, lib.wait, lib.errorString = symbol(handle, "MPI_Cancel"), symbol(handle, "MPI_Wait"), symbol(handle, "MPI_Error_string")
	lib.yield, lib.sleep = symbol(purego.RTLD_DEFAULT, "sched_yield"), symbol(purego.RTLD_DEFAULT, "usleep")
	version := symbol(handle, "MPI_Get_library_version")
	if missing != nil {
		return nil, fmt.Errorf("%s is no library of MPI 3 or later: %w", path, missing)
	}
	text, length := make([]byte, 8192), new(int32)
	if err := lib.call(version, uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(length))); err != nil {
		return nil, err
	}
	lib.version = strings.TrimRight(string(text[:*length]), "\x00\n")
	if vendors := []string{"MPICH", "Intel(R) MPI", "MVAPICH"}; lib.family == mpich &&
		!slices.ContainsFunc(vendors, func(name string) bool { return strings.Contains(lib.version, name) }) {
		return nil, fmt.Errorf("%s is neither Open MPI nor of the MPICH ABI: %s", path, firstLine(lib.version))
	}
	return lib, nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	line, _, _ = strings.Cut(line, ",")
	return strings.Join(strings.Fields(line), " ")
}
