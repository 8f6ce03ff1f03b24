# Writes the pictures by ImageMagick, libwebp and ExifTool.
set -e
cd "$(dirname "$0")/../pictures"
convert -size 9x7 gradient:red-blue \( -size 9x7 gradient:white-black -rotate 180 \) -compose multiply -composite -fill lime -draw 'rectangle 0,0 3,2' -fill white -draw 'point 8,6' -depth 8 PNG24:table.png
cwebp -quiet -q 90 table.png -o lossy.webp
dwebp -quiet lossy.webp -o lossy.png
cwebp -quiet -lossless table.png -o lossless.webp
convert table.png -alpha set -channel A -evaluate set 60% alpha.png
cwebp -quiet -q 90 alpha.png -o lossy.alpha.webp
dwebp -quiet lossy.alpha.webp -o lossy.alpha.png
convert table.png TIFF:table.tiff
convert table.png -compress LZW lzw.tiff
convert table.png -monochrome -compress Group4 fax.tiff
convert table.png -quality 95 -sampling-factor 1x1 base.jpg
for k in 1 2 3 4 5 6 7 8; do
	order=$([ $((k % 2)) = 1 ] && echo II || echo MM)
	cp base.jpg "jpeg.$k.jpg"
	exiftool -q -overwrite_original -n -ExifByteOrder=$order -Orientation=$k "jpeg.$k.jpg"
	cp table.png "png.$k.png"
	exiftool -q -overwrite_original -n -Orientation=$k "png.$k.png" 2>/dev/null
	convert "jpeg.$k.jpg" -auto-orient "jpeg.$k.upright.png"
done
rm base.jpg
cp lossless.webp webp.6.webp
exiftool -q -overwrite_original -n -Orientation=6 webp.6.webp
