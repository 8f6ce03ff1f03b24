#!/usr/bin/env bash
# Writes the files of testdata/written again, by the programs that are installed, and says which are others now. Debian has the programs:
# apt-get install python3-pandas python3-networkx python3-igraph python3-scipy r-base-core r-cran-foreign octave gnumeric libreoffice-calc sqlite3 imagemagick webp libimage-exiftool-perl bzip2 xz-utils zip weka nodejs npm
set -e
here=$(cd "$(dirname "$0")" && pwd)
(cd "$here/../csv" && /usr/bin/python3 ../rewrite/tables.py && LC_ALL=C.UTF-8 Rscript ../rewrite/tables.R)
(cd "$here/../graphs" && /usr/bin/python3 ../rewrite/graphs.py && octave --no-gui -q ../rewrite/graphs.m) # some write their command line into the file
(cd "$here/../arrays" && octave --no-gui -q ../rewrite/arrays.m)
bash "$here/csv.sh"
bash "$here/pictures.sh"
bash "$here/packed.sh"
bash "$here/sheets.sh"
bash "$here/packages.sh" # by npm, which needs a network
git -C "$here" status --short ..
