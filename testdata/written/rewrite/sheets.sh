# Writes a table as spreadsheets, databases and ARFF, by other programs each.
set -e
cd "$(dirname "$0")/../sheets"
rm -f pandas.sqlite shell.db
/usr/bin/python3 ../rewrite/sheets.py
LC_ALL=C.UTF-8 Rscript ../rewrite/sheets.R
ssconvert table.csv gnumeric.xlsx
ssconvert table.csv gnumeric.ods
work=$(mktemp -d)
for kind in xlsx ods; do
  soffice --headless --infilter="CSV:44,34,76,1" --convert-to $kind --outdir "$work" table.csv > /dev/null
  mv "$work/table.$kind" libreoffice.$kind
done
soffice --headless --convert-to ods --outdir "$work" sheets.xlsx > /dev/null
mv "$work/sheets.ods" .
sed 's/,,/,?,/g; s/,$/,?/' table.csv > "$work/table.csv" # as Weka has gaps
weka() { java -Dfile.encoding=UTF-8 -cp /usr/share/java/weka.jar "$@"; }
weka weka.core.converters.CSVLoader "$work/table.csv" > weka.arff
weka weka.filters.unsupervised.instance.NonSparseToSparse -i weka.arff -o weka.sparse.arff
rm -r "$work"
sqlite3 shell.db '.import --csv table.csv t' 'CREATE VIEW v AS SELECT size, kind FROM t' 'CREATE TABLE notes(a)'
