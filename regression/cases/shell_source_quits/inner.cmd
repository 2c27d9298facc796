go
check_ctlspec -n 99
echo not reached
