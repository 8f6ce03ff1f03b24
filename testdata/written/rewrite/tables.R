d <- read.csv('table.csv', encoding='UTF-8', na.strings='')
write.csv(d,'r.csv.csv'); write.csv2(d,'r.csv2.csv'); write.table(d,'r.table.txt'); write.table(d,'r.nonames.txt',row.names=FALSE); write.table(d,'r.comma.csv',sep=','); write.table(d,'r.tab.tsv',sep='\t',quote=FALSE)
cat(R.version.string,'\n')
