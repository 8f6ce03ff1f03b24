# Writes CSV by programs without a line of code: of table.csv, and of a workbook whose cells show money, percents and times of day.
set -e
cd "$(dirname "$0")/../csv"
work=$(mktemp -d)
(cd "$work" && /usr/bin/python3 "$OLDPWD/../rewrite/amounts.py")
mv "$work/amounts.plain.csv" .
ssconvert -S table.csv "$work/gnumeric.csv" && mv "$work"/gnumeric.csv* gnumeric.csv
ssconvert -O 'separator=; format=preserve quoting-mode=always eol=windows' "$work/amounts.xlsx" "$work/amounts.txt" && mv "$work/amounts.txt" amounts.gnumeric.csv
# separator, quote, characters, first line, format of columns, language, quote all text, as shown
soffice --headless --infilter="CSV:44,34,76,1" --convert-to 'csv:Text - txt - csv (StarCalc):59,34,65535,1,,0,false,true,false' --outdir "$work" table.csv > /dev/null && mv "$work/table.csv" libreoffice.utf16.csv
soffice --headless --convert-to 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true' --outdir "$work" "$work/amounts.xlsx" > /dev/null && mv "$work/amounts.csv" amounts.libreoffice.csv
sqlite3 :memory: '.import --csv table.csv t' '.mode csv' '.headers on' 'SELECT * FROM t' > sqlite3.csv
octave --no-gui -q --eval "x = [1.5 0; 2.5 1; 3.25 0]; csvwrite('octave.csv', x); dlmwrite('octave.dlm.txt', x, 'delimiter', ' ', 'precision', 6)"
rm -r "$work"
