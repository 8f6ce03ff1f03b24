//go:build race

package detector

const watches = true
