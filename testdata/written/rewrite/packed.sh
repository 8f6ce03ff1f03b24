# Packs a table by bzip2, xz and zip.
set -e
cd "$(dirname "$0")/../packed"
rm -f ./*.bz2 ./*.xz ./*.zip
bzip2 -k table.csv
xz -k table.csv
xz --x86 --lzma2=preset=1 -c table.csv > filtered.csv.xz
printf 'read me\n' > notes.txt
cp table.csv other.csv
zip -q one.zip table.csv
zip -q several.zip table.csv notes.txt
zip -q tables.zip table.csv other.csv
rm notes.txt other.csv
