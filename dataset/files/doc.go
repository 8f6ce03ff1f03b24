// Package files reads and writes data sets as files: CSV and TSV tables, LIBSVM
// text, NumPy arrays (npy and npz) and SciPy's sparse matrices, MAT-files of level
// 5, JSON, JSON lines, Parquet, Arrow IPC and idx files, each plain or compressed
// with gzip or Zstandard. It also reads folders of images. [Formats] lists them.
//
// Tables, which are CSV, TSV, Parquet, Arrow, JSON and JSON lines, hand the text of
// their fields to a [dataset.Table]: the same row gives the same features in all
// of them.
//
// [ReadFile] and [WriteFile] choose the format by the file's name. A reader never trusts a size
// that a file claims: it allocates in proportion to what it has read. A bad file gives a
// [dataset.Error] with the place and with advice.
package files
