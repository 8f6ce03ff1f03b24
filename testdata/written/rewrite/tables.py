import pandas as pd
d=pd.DataFrame({'size':[1.5,2.5,3.25,4.0,5.5,6.0],'colour':['rot','blau','rot','grün','blau','rot'],'kind':['a','b',None,'a',None,'b']})
d.to_csv('table.csv',index=False)
d.to_csv('pandas.index.csv'); d.to_csv('pandas.utf16.csv',index=False,encoding='utf-16'); d.to_csv('pandas.sig.csv',index=False,encoding='utf-8-sig'); d.to_csv('pandas.cp1252.csv',index=False,encoding='cp1252')
d.to_csv('pandas.semicolon.csv',index=False,sep=';',decimal=','); d.to_csv('pandas.tab.tsv',sep='\t'); d.to_csv('pandas.quoted.csv',index=False,quoting=1); d.to_csv('pandas.utf16le.csv',index=False,encoding='utf-16-le')
open('excel.sep.csv','w',encoding='utf-8',newline='').write('sep=;\r\n'+d.to_csv(index=False,sep=';',lineterminator='\r\n'))
open('title.csv','w').write('Measured in May\n\n'+d.to_csv(index=False))
open('mac.csv','w',newline='').write(d.to_csv(index=False,lineterminator='\r'))
print('pandas', pd.__version__)
