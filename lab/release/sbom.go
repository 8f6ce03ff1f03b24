package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"runtime/debug"
	"strings"
	"time"
)

// The types below are the written part of CycloneDX 1.6: the modules from which a
// program is linked. https://cyclonedx.org/docs/1.6/json/

type bill struct {
	Format       string        `json:"bomFormat"`
	Version      string        `json:"specVersion"`
	Number       int           `json:"version"`
	Metadata     billMetadata  `json:"metadata"`
	Components   []component   `json:"components"`
	Dependencies []billDepends `json:"dependencies"`
}

type billMetadata struct {
	Time      string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type       string         `json:"type"`
	Ref        string         `json:"bom-ref"`
	Name       string         `json:"name"`
	Version    string         `json:"version"`
	Scope      string         `json:"scope,omitempty"`
	Hashes     []billHash     `json:"hashes,omitempty"`
	URL        string         `json:"purl"`
	Properties []billProperty `json:"properties,omitempty"`
}

type billHash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type billProperty struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type billDepends struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn"`
}

// billOf writes the bill of materials of a program from the linker's notes in the
// program: the modules with their hashes in go.sum, and Go's own library.
func billOf(name string, program []byte, info *debug.BuildInfo, at time.Time) ([]byte, error) {
	sum := sha256.Sum256(program)
	main := moduleOf(&info.Main)
	main.Type, main.Hashes = "application", []billHash{{"SHA-256", hex.EncodeToString(sum[:])}}
	main.Properties = []billProperty{{"file", name}}
	for _, s := range info.Settings {
		main.Properties = append(main.Properties, billProperty{"go:build:" + s.Key, s.Value})
	}
	goVersion := strings.TrimPrefix(info.GoVersion, "go")
	all := []component{{Type: "library", Ref: "pkg:golang/std@" + goVersion, Name: "std", Version: goVersion, Scope: "required", URL: "pkg:golang/std@" + goVersion}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		all = append(all, moduleOf(m))
	}
	depends := billDepends{Ref: main.Ref}
	for _, c := range all {
		depends.On = append(depends.On, c.Ref)
	}
	return json.MarshalIndent(bill{"CycloneDX", "1.6", 1, billMetadata{at.UTC().Format(time.RFC3339), main}, all, []billDepends{depends}}, "", " ")
}

// moduleOf is a module as a component. The sum that Go has of a module is SHA-256 over
// the sums of its files.
func moduleOf(m *debug.Module) component {
	url := "pkg:golang/" + m.Path + "@" + strings.ReplaceAll(m.Version, "+", "%2B")
	c := component{Type: "library", Ref: url, Name: m.Path, Version: m.Version, Scope: "required", URL: url}
	if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:")); err == nil && len(sum) == sha256.Size {
		c.Hashes = []billHash{{"SHA-256", hex.EncodeToString(sum)}}
	}
	return c
}
