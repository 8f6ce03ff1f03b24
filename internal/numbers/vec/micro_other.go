//go:build (!amd64 && !arm64) || purego

package vec

func kernels32(isa) *micro[float32] { return &go32 }

func kernels64(isa) *micro[float64] { return &go64 }

// Prefetch does nothing here.
func Prefetch[T any](x []T) {}
