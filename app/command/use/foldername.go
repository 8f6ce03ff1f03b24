package use

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lapsvm/dataset/files"
)

// folderNames returns a folder's name for every class: the name of the class where
// every system accepts that. An empty name becomes a single %. In other names the
// following bytes are written as %XX:
//
//   - control characters, including those of the direction of writing, and any of
//     / \ : * ? " < > | and %
//   - a dot at either end and a blank at the end
//   - the first byte of a device name of Windows, or of the name of a folder of images
//     without labels
//   - the first bytes of all but one of the names that differ in case alone
func folderNames(classes []string) []string {
	names := make([]string, len(classes))
	taken := make(map[string]bool)
	for k, class := range classes {
		for plain := 0; ; plain++ { // so many bytes more are written as %XX
			names[k] = folderName(class, plain)
			if folded := strings.ToLower(names[k]); !taken[folded] {
				taken[folded] = true
				break
			}
		}
	}
	return names
}

// folderName writes a class as the name of a folder, its first bytes as %XX.
func folderName(class string, first int) string {
	if class == "" {
		return "%"
	}
	if keptForOthers(class) {
		first = max(first, 1)
	}
	var b strings.Builder
	for at, r := range class {
		size := utf8.RuneLen(r)
		end := at+size == len(class)
		if at < first || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || strings.ContainsRune(`/\:*?"<>|%`, r) || r == '.' && (at == 0 || end) || r == ' ' && end {
			for _, c := range []byte(class[at : at+size]) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// keptForOthers reports whether a folder of this name would not be a class: a device of
// Windows, with an ending or without, or images without labels.
func keptForOthers(class string) bool {
	base, _, _ := strings.Cut(strings.ToUpper(class), ".")
	base = strings.TrimRight(base, " ")
	device := slices.Contains([]string{"CON", "PRN", "AUX", "NUL"}, base) ||
		len(base) == 4 && (base[:3] == "COM" || base[:3] == "LPT") && base[3] >= '0' && base[3] <= '9'
	return device || slices.Contains(files.UnlabelledFolders(), strings.ToLower(class))
}
