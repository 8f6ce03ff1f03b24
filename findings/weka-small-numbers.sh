#!/bin/sh
# Weka 3.6 writes six decimals into every file, whatever the number: 0.0000004 becomes 0 in ARFF, sparse ARFF and CSV. A column of small
# numbers, such as p-values or concentrations, is empty after any of its filters or converters. Nothing is said.
#
# Needs Weka 3.6.14, as Debian 12 has it: apt-get install weka. Works in a temporary folder, and fails if this changes.
#
# Seen: written by ArffSaver: 0,a 0.000001,b
# Seen: written by CSVSaver: 0,a 0.000001,b
# Seen: written by NonSparseToSparse: {0 0} {0 0.000001,1 b}
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '@relation r\n@attribute x numeric\n@attribute class {a,b}\n@data\n0.0000004,a\n0.00000149,b\n' > a.arff
weka() {
	java -cp /usr/share/java/weka.jar "$@" -i a.arff | grep '^[0-9{]' | paste -sd ' ' | sed "s/^/written by ${1##*.}: /"
}
weka weka.core.converters.ArffSaver | tee seen
weka weka.core.converters.CSVSaver | tee -a seen
weka weka.filters.unsupervised.instance.NonSparseToSparse | tee -a seen
grep -qxF 'written by ArffSaver: 0,a 0.000001,b' seen
grep -qxF 'written by CSVSaver: 0,a 0.000001,b' seen
grep -qxF 'written by NonSparseToSparse: {0 0} {0 0.000001,1 b}' seen
