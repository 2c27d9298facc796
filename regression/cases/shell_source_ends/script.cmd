go
check_ctlspec -p "EF open"
