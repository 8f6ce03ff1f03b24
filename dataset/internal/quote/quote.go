// Package quote shows in error messages what a file holds.
package quote

import (
	"fmt"
	"strings"

	"lapsvm/internal/system/fault"
)

// Names lists names, at most twenty of them.
func Names(names []string) string {
	const most = 20
	if len(names) == 0 {
		return "none"
	}
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// Meant asks whether the name of the nearest spelling was meant, "" where none is near.
func Meant(name string, names []string) string {
	const shortest = 3 // letters: any letter is near another
	if best := fault.Nearest(name, names); best != "" && (len([]rune(name)) >= shortest || strings.EqualFold(name, best)) {
		return fmt.Sprintf(", did you mean %q", best)
	}
	return ""
}

// Field quotes what a file holds, cut to a readable length.
func Field(text []byte) string {
	const most = 40
	if len(text) > most {
		return fmt.Sprintf("%.*q…", most, text)
	}
	return fmt.Sprintf("%q", text)
}
