// Package tasks exchanges points to be labelled, and the labels they got, with the tools
// that people label with: tables, Label Studio's JSON and Prodigy's JSON lines.
//
// [Write] makes the tasks of points, and [Read] takes labels from what the tool exports
// then. The number of a row travels with its task, so that labels find their rows again;
// where a file has none, rows are found by what they are called, or by their text.
//
// The formats are those that the tools document: Label Studio's tasks
// (https://labelstud.io/guide/task_format) with choices, and Prodigy's annotation tasks
// (https://prodi.gy/docs/api-interfaces) for its interfaces choice and classification.
package tasks
