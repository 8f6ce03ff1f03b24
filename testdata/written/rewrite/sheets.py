"""Writes the workbooks and the database of testdata/written/sheets by pandas and openpyxl."""

import datetime
import sqlite3

import openpyxl
import pandas

days = [(2024, 1, 31), (2024, 2, 29), (2023, 12, 31), (1999, 12, 31), (2024, 3, 1), (2024, 3, 2), (2024, 3, 3), (2024, 3, 4)]
table = pandas.DataFrame({
    "size": [1.5, 2.25, 3.125, -4.0, 5.5, 6.0, 0.1, 1e-7],
    "colour": ["rot", "blau", "grün", "rot", "blau", "grün", "rot", "blau"],
    "when": [pandas.Timestamp(*day) for day in days],
    "ok": [True, False, True, True, False, False, True, False],
    "kind": ["a", "b", "a", None, None, "b", None, None],
})
table.assign(ok=table.ok.map({True: "true", False: "false"})).to_csv("table.csv", index=False)
table.to_excel("pandas.openpyxl.xlsx", index=False)
table.to_excel("pandas.xlsxwriter.xlsx", index=False, engine="xlsxwriter")
table.to_excel("pandas.ods", index=False, engine="odf")
with sqlite3.connect("pandas.sqlite") as database:
    table.to_sql("t", database, index=False)

book = openpyxl.Workbook()
book.active.title = "Notes"
book.active["A1"] = "Measured in May"
data = book.create_sheet("Data")
data.append(list(table))
for row, day in zip(table.itertuples(index=False), days):
    data.append([row.size, row.colour, datetime.date(*day), row.ok, row.kind])
old = book.create_sheet("Old")
old.append(["x", "y"])
old.append([1, 2])
old.sheet_state = "hidden"
book.save("sheets.xlsx")
book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
book.save("mac1904.xlsx")
