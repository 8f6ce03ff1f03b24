# Writes a workbook of formatted cells, and the same as plain numbers. Times of day are in hours.
import csv, datetime, openpyxl
head = ["price", "euros", "share", "people", "balance", "at", "kind"]
rows = [(1200.5, 1200.5, .12, 1234567, 15.25, "07:45:30", "a"), (7.25, 70.25, .355, 950, -12, "19:05:00", "b"), (-80, 2500, .03, 12345, 7.5, "00:10:00", "a"), (999.99, 1000000.75, 1, 7, -1234.5, "12:00:00", "b"),
        (12345.5, 3.5, .5, 4321, 3, "23:59:59", "a"), (3, 12.5, .07, 1000, 1, "12:30:00", "b")]
formats = ['"$"#,##0.00;-"$"#,##0.00', '#,##0.00 [$€-407]', '0.0%', '#,##0', '#,##0.00_);(#,##0.00)', 'h:mm:ss AM/PM']
book = openpyxl.Workbook()
sheet = book.active
sheet.append(head)
for r in rows:
    sheet.append([*r[:5], datetime.time.fromisoformat(r[5]), r[6]])
for line in sheet.iter_rows(min_row=2, max_col=6):
    for cell, form in zip(line, formats):
        cell.number_format = form
book.save("amounts.xlsx")
with open("amounts.plain.csv", "w", newline="") as f:
    w = csv.writer(f, lineterminator="\n")
    w.writerow(head)
    w.writerows([r[0], r[1], round(100 * r[2], 6), r[3], r[4], datetime.timedelta(hours=int(r[5][:2]), minutes=int(r[5][3:5]), seconds=int(r[5][6:])) / datetime.timedelta(hours=1), r[6]] for r in rows)
