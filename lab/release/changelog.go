package main

import (
	"fmt"
	"regexp"
	"strings"
)

// heading is one of a version in the changelog.
var heading = regexp.MustCompile(`(?m)^## (.+)$`)

// checkChangelog checks a changelog for a version: its section of unreleased changes is
// empty or missing, and its first version is this one and has changes.
func checkChangelog(text, version string) error {
	found := heading.FindAllStringSubmatchIndex(text, -1)
	for k, at := range found {
		name, end := text[at[2]:at[3]], len(text)
		if k+1 < len(found) {
			end = found[k+1][0]
		}
		changes := strings.TrimSpace(text[at[1]:end])
		switch {
		case name == "Unreleased" && changes == "":
		case name == "Unreleased":
			return fmt.Errorf("CHANGELOG.md has changes under Unreleased: give them the heading \"## %s\", and commit", version)
		case strings.Fields(name)[0] != version:
			return fmt.Errorf("CHANGELOG.md begins with %s, but the tag of this commit says %s: correct one of them", name, version)
		case changes == "":
			return fmt.Errorf("CHANGELOG.md has nothing under %s: say what changed", name)
		default:
			return nil
		}
	}
	return fmt.Errorf("CHANGELOG.md has no version: give the changes the heading \"## %s\"", version)
}

// released is a version that is published: v1.2.3, or v1.2.3-rc.1 before it.
var released = regexp.MustCompile(`^v\d+\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?$`)
