// Package tasks exchanges points to be labelled, and the labels they got, with the tools
// that people label with: tables, Label Studio's JSON and Prodigy's JSON lines.
//
// [Write] makes the tasks of points, and [ReadFile] takes labels from the file that the tool
// exports. A task carries the number of its row, so that labels find their rows again.
// Where a file has no numbers, rows are found by their names or by their texts.
//
// The formats are those that the tools document: Label Studio's tasks
// (https://labelstud.io/guide/task_format) with choices, and Prodigy's annotation tasks
// (https://prodi.gy/docs/api-interfaces) for its interfaces choice and classification.
package tasks
