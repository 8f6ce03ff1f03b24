package neighbours

// A point has a row, a [Place], an [ID] and a [Number]. A row is the index of a point in a table, an
// int or an int32, as package points takes it. The others are types: the compiler keeps all four
// apart.

// Place is the index of a point among [queries]. Local points count cell after cell, visitors as
// they arrive. queries.rowOf returns the row of a place, and queries.idOf its ID.
type Place int32

// ID is the place of a local point, counted over all ranks, rank after rank. finder.placeOf and
// localRow go back on the rank of the point; guests.at and rankTable.rowOf have its row on another.
type ID int32

// Number is the row of a point in the table of all ranks, by which neighbours are returned.
// Asked.numberOf has that of a local row; guests.number and rankTable.numberOf have the others.
type Number int32
