// Package size writes sizes of memory for people.
package size

import "fmt"

// Text writes a number of bytes with three digits in KB, MB or GB, which are
// powers of 1024.
func Text(bytes int64) string {
	switch {
	case bytes < 1<<20:
		return fmt.Sprintf("%.3g KB", float64(bytes)/(1<<10))
	case bytes < 1000<<20:
		return fmt.Sprintf("%.3g MB", float64(bytes)/(1<<20))
	case bytes < 1000<<30:
		return fmt.Sprintf("%.3g GB", float64(bytes)/(1<<30))
	}
	return fmt.Sprintf("%.4g TB", float64(bytes)/(1<<40))
}
