package machine

import (
	"math"
	"unsafe"

	"golang.org/x/sys/windows"
)

// memoryStatus is MEMORYSTATUSEX of the Windows API.
type memoryStatus struct {
	length, load                    uint32
	totalMemory, freeMemory         uint64
	totalCommit, freeCommit         uint64 // of memory and page file
	totalAddresses, freeAddresses   uint64
	freeExtendedAddressesAlwaysZero uint64
}

// memoryCounters is PROCESS_MEMORY_COUNTERS of the Windows API.
type memoryCounters struct {
	length, pageFaults         uint32
	peakWorkingSet, workingSet uintptr
	pools                      [4]uintptr
	commit, peakCommit         uintptr
}

// kernel returns a function of kernel32, nil where that has none of the name.
func kernel(name string) *windows.LazyProc {
	f := windows.NewLazySystemDLL("kernel32.dll").NewProc(name)
	if f.Find() != nil {
		return nil
	}
	return f
}

// Free returns the bytes of memory that this process may still take, or 0 where the system does not
// tell. It is the least of free memory, memory that may still be committed, and free addresses.
// Limits of job objects, as containers have them, are not known.
func Free() int64 {
	f, s := kernel("GlobalMemoryStatusEx"), memoryStatus{length: uint32(unsafe.Sizeof(memoryStatus{}))}
	if f == nil {
		return 0
	}
	if done, _, _ := f.Call(uintptr(unsafe.Pointer(&s))); done == 0 {
		return 0
	}
	return int64(max(min(s.freeMemory, s.freeCommit, s.freeAddresses, math.MaxInt64), 1))
}

// Peak returns the most bytes of memory that this process has used so far, or 0 where
// the system does not tell.
func Peak() int64 {
	f, c := kernel("K32GetProcessMemoryInfo"), memoryCounters{length: uint32(unsafe.Sizeof(memoryCounters{}))}
	if f == nil {
		return 0
	}
	if done, _, _ := f.Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(&c)), uintptr(c.length)); done == 0 {
		return 0
	}
	return int64(c.peakWorkingSet)
}
